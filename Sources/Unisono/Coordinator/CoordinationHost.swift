import UnisonoBase
import UnisonoCoordination

/// Owner of the coordination behind a coordinator: one of its own, the one of a session, or an audience's. On the loop.
protocol CoordinationHost: AnyObject {
  var coordinationView: CoordinationView { get }
  /// First command id of this coordination; all of its ids share the upper half.
  var firstCommand: UInt64 { get }
  func handle(_ event: CoordinationEvent)
  /// The coordinator goes.
  func release(_ coordinator: CoordinatorObject)
  /// It is a session's, of the coordinator with this name; nil: of its first one.
  func isOf(_ session: SessionObject, as name: CoordinatorName?) -> Bool
}
