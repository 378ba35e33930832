import Glibc
import Logging
import UnisonoCrypto
import UnisonoRuntime

/// A hub on its loop's thread, as the main thread sees it.
///
/// Unchecked, because `server` belongs to the loop: everything that touches it is submitted there.
final class RunningHub: @unchecked Sendable {
  private let loop: UVLoop
  private let log: Logger
  private var server: HubServer?

  init(_ reservation: HubReservation, identity: SigningKey?, opening: RoomOpening, on loop: UVLoop, log: Logger) {
    self.loop = loop
    self.log = log
    loop.submit { [self] in start(reservation, identity, opening) }
  }

  func logStatistics() {
    loop.submit { [self] in
      if let server { log.info("\(Self.line(server.statistics))") }
    }
  }

  /// Closes all connections, logs the statistics, and waits for the loop to end.
  func close() {
    loop.close(teardown: { [self] in
      guard let server else { return }
      log.info("\(Self.line(server.statistics))")
      server.close()
      self.server = nil
    })
  }

  private func start(_ reservation: HubReservation, _ identity: SigningKey?, _ opening: RoomOpening) {
    do throws(NetworkError) {
      let log = log
      server = try HubServer(environment: loop, options: reservation.options, identity: identity, opening: opening) { line in
        switch line.level {
        case .debug: log.debug("\(line.text)")
        case .info: log.info("\(line.text)")
        case .warning: log.warning("\(line.text)")
        }
      }
      log.info("listens on \(reservation.addresses.joined(separator: ", "))")
      if identity == nil { log.info("the hub's id is new: invites to sessions here end with this process; --key keeps it") }
      sayHowToUse(server?.lines ?? [], reservation.addresses)
    } catch {
      log.critical("\(error.message)")
      exit(EXIT_FAILURE)
    }
  }

  /// What hosts are given, as it can be pasted, and who is reached by it.
  private func sayHowToUse(_ lines: [HubLine], _ addresses: [String]) {
    guard let first = lines.first else { return }
    log.info("hosts use it with: --hub \(first.text)")
    let reach = addresses.map { AddressReach(of: $0) }.max() ?? .machine
    let reached = reach == .machine ? "this machine" : "the networks of this machine"
    guard reach < .anywhere else { return }
    log.info("none of these addresses is public: it is reached from \(reached) alone; --advertise names others")
  }

  private static func line(_ statistics: HubStatistics) -> String {
    """
    rooms=\(statistics.rooms) connections=\(statistics.connections) frames_in=\(statistics.framesIn) \
    frames_out=\(statistics.framesOut) bytes_in=\(statistics.bytesIn) bytes_out=\(statistics.bytesOut) \
    refused=\(statistics.refused) closed_slow=\(statistics.closedSlow) probes=\(statistics.probes)
    """
  }
}
