import UnisonoCore

/// Where the state of a coordinator lives: a coordination of its own, or the one of a session. On the loop.
protocol CoordinationHome: AnyObject {
  var coordinationView: CoordinationView { get }
  /// First command id of this home; all of its ids share the upper half.
  var firstCommand: UInt64 { get }
  func handle(_ event: CoordinationEvent)
  /// The coordinator goes.
  func release(_ coordinator: CoordinatorObject)
}
