import Glibc
import Synchronization
import UnisonoCrypto
import UnisonoRuntime

/// Hosting for friends elsewhere with nothing rented: a port that the router was asked for, which leads to a hub here.
final class InternetHost: Sendable {
  /// ms for the router's first word; that of one that is silent takes four seconds.
  private static let patience: Int32 = 15_000

  private let router: RouterRequest?
  /// What invites have to have; nil: this machine is in no network.
  let address: String?

  /// Asks, waits for the answer, and tells `say` what came of it. `moved`: the port is another one now.
  init(
    _ hub: HomeHub, say: @escaping @Sendable (String) -> Void, moved: @escaping @Sendable (_ old: String, _ new: String) -> Void
  ) {
    router = Self.ask(hub.port, say)
    guard let router else {
      address = hub.addresses.first
      return
    }
    switch router.next(within: Self.patience) {
    case .open(let port):
      address = port.text
      Self.advertise(port, hub)
      say(port.sentence)
      Background.run { Self.follow(router, port, hub, say, moved) }
    case .refused(let why):
      address = hub.addresses.first
      say(
        "the router gives no port (\(why)): friends elsewhere need a hub of yours (--hub), or a port that you forward")
    default:
      address = hub.addresses.first
      say(
        "the router gives no port: the program that asks it ended or did not answer in time. Friends elsewhere need a hub of yours (--hub)"
      )
    }
  }

  /// nil: there is nothing to ask it with, which was said.
  private static func ask(_ port: UInt16, _ say: (String) -> Void) -> RouterRequest? {
    guard let path = RouterRequest.path else {
      say("the router is not asked for a port: \(RouterRequest.missing)")
      return nil
    }
    do throws(Program.Failure) {
      return try RouterRequest(path, [String(port)])
    } catch {
      say("the router is not asked for a port: \(error.message)")
      return nil
    }
  }

  /// Gives the port back.
  func close() { router?.end() }

  private static func advertise(_ port: RouterPort, _ hub: HomeHub) {
    hub.advertise([port.text] + hub.addresses.prefix(Invite.maximumHubs - 1))
  }

  /// Until the router's program ends.
  private static func follow(
    _ router: RouterRequest, _ first: RouterPort, _ hub: HomeHub, _ say: (String) -> Void,
    _ moved: (String, String) -> Void
  ) {
    var last = first
    while let word = router.next(within: -1) {
      switch word {
      case .open(let port):
        say(port.sentence)
        guard port != last else { continue }
        advertise(port, hub)
        if port.text != last.text { moved(last.text, port.text) }
        last = port
      case .lost(let why):
        say(
          "the router does not keep the port (\(why)): friends elsewhere cannot join just now; it is asked again every half minute"
        )
      case .closed: return
      case .address, .refused: continue
      }
    }
  }
}
