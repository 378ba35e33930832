import CUnisono
import Synchronization
import UnisonoCoordination
import UnisonoRuntime

/// A hub that the host runs beside or without a session.
final class HubObject: ContextChild, EndOfTurnParticipant, @unchecked Sendable {
  override class var kind: HandleKind { .hub }

  /// By which sessions use the hub, "unisono-hub://host:port/id"; what serves most people first.
  let lines: [String]
  private let published = Mutex(HubStatistics())
  /// On the loop.
  private let server: HubServer

  /// On the loop; binds at once.
  init(
    token: HandleToken, context: ContextObject, setup: HubSetup, released: unisono_released_fn?,
    user: UnsafeMutableRawPointer?
  ) throws(NetworkError) {
    server = try HubServer(environment: context.loop, options: setup.options, opening: setup.opening) {
      [weak context] line in
      context?.log(line.level.number, "hub: \(line.text)")
    }
    lines = server.lines.map(\.text)
    super.init(token: token, context: context, user: user, released: released)
  }

  static func create(
    in context: ContextObject, _ pointer: UnsafePointer<unisono_hub_options>?,
    _ callbacks: UnsafePointer<unisono_hub_callbacks>?, user: UnsafeMutableRawPointer?
  ) throws(Failure) -> HubObject {
    let released = try copied(callbacks, into: unisono_hub_callbacks(), atLeast: 16, "callbacks").released
    let setup = try HubSetup(pointer, embedded: false)
    let made = LoopCall { () throws(Failure) -> HubObject in
      let hub = try context.publish(.hub) { token throws(Failure) -> HubObject in
        do throws(NetworkError) {
          return try HubObject(token: token, context: context, setup: setup, released: released, user: user)
        } catch {
          throw Failure(.UNISONO_ENETWORK, error.message)
        }
      }
      context.settleEveryTurn(hub)
      return hub
    }
    return try made.run(in: context)
  }

  var statistics: HubStatistics { published.withLock { $0 } }

  func settle() { published.withLock { $0 = server.statistics } }

  override func tearDown() {
    context.stopSettling(self)
    server.close()
  }
}

extension HubLog.Level {
  /// As the context's log counts.
  var number: LogLevel {
    switch self {
    case .debug: .debug
    case .info: .info
    case .warning: .warning
    }
  }
}
