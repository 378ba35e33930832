import CUV
import Glibc
import UnisonoBase
import UnisonoCrypto
import UnisonoReplica
import UnisonoRuntime

/// A hub in this process, on a loop's thread of its own, for the film that is watched from here. Rooms are opened from this machine and its
/// networks alone; whoever has the invite enters them from anywhere.
///
/// Unchecked, because `server` belongs to the loop: everything that touches it is submitted there.
final class HomeHub: @unchecked Sendable {
  /// For those who are in to turn to another hub at the end.
  private static let patience = Nanoseconds.seconds(3)
  private static let opening = RoomOpening.neighbours(PassCheck())

  private let loop: UVLoop
  private var server: HubServer?
  /// "host:port" of this machine, loopback left out: what serves most people first.
  let addresses: [String]
  let port: UInt16
  /// By which this machine uses it.
  let line: HubLine
  /// A pipe: the loop closes one end when nobody has to be waited for any more, which is seen at the other.
  private let drained: (read: Int32, write: Int32)

  /// `site`: what it serves to browsers; nil: nothing.
  init(site: HubSite?) throws(NetworkError) {
    loop = try UVLoop.ownThread(name: "unisono-home")
    do throws(NetworkError) {
      let reservation = try HubReservation(HubOptions(limits: .embedded), on: loop)
      let identity = SigningKey(seed: Secret(random: loop.randomBytes))
      let found = reservation.addresses.filter { AddressReach(of: $0) > .machine }
      // Public ones are good for everybody; at home a private one is.
      addresses = found.filter { AddressReach(of: $0) == .anywhere } + found.filter { AddressReach(of: $0) < .anywhere }
      let bound = reservation.options.listen.first ?? ""
      port = bound.lastIndex(of: ":").flatMap { UInt16(bound[bound.index(after: $0)...]) } ?? 0
      line = HubLine(address: HubAddress(address: "127.0.0.1:\(port)", hub: identity.publicKey.hashedID))
      var ends: [Int32] = [-1, -1]
      guard pipe2(&ends, O_CLOEXEC) == 0 else {
        throw NetworkError("no pipe to be had: \(String(cString: strerror(errno)).lowercased())")
      }
      drained = (ends[0], ends[1])
      var options = reservation.options
      options.advertise = Array(addresses.prefix(Invite.maximumHubs))
      options.site = site
      // The page may be from one of its addresses, and meet at another.
      if site != nil { options.origins = addresses.map { "http://" + $0 } }
      try start(options, identity)
    } catch {
      loop.close()
      throw error
    }
  }

  deinit { Glibc.close(drained.read) }

  /// Where browsers of this network reach it; without one, those of this machine. By IPv4, where there is: every device has it at home.
  var addressHere: String {
    let older = addresses.filter { !$0.hasPrefix("[") }
    return older.first { AddressReach(of: $0) == .network } ?? older.first ?? addresses.first ?? "127.0.0.1:\(port)"
  }

  private func start(_ options: HubOptions, _ identity: SigningKey) throws(NetworkError) {
    let failure = Failure()
    _ = loop.perform { [self] in
      do throws(NetworkError) {
        server = try HubServer(environment: loop, options: options, identity: identity, opening: Self.opening)
      } catch {
        failure.error = error
      }
    }
    if let error = failure.error { throw error }
  }

  /// Written on the loop, read once that is done.
  private final class Failure: @unchecked Sendable { var error: NetworkError? }

  /// What invites of those who enter from now on have in front.
  func advertise(_ addresses: [String]) {
    loop.submit { [self] in
      server?.reload(limits: .embedded, opening: Self.opening, advertise: addresses, next: [])
    }
  }

  /// Tells those who are in to go on at another hub, waits until they do, and ends.
  func close() {
    let write = drained.write
    loop.submit { [self] in server?.drain(within: Self.patience) { Glibc.close(write) } }
    var entry = pollfd(fd: drained.read, events: Int16(POLLIN), revents: 0)
    while poll(&entry, 1, Int32(2 * Self.patience / .milliseconds(1))) < 0, errno == EINTR {}
    loop.close(teardown: { [self] in
      server?.close()
      server = nil
    })
  }
}
