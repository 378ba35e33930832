import CUnisono

/// One event on its way to the host: to a callback, or to the queue.
struct Delivery {
  /// Whose event it is; nil: the context's. Of a destroyed one nothing is delivered any more.
  var target: APIObject?
  var payload: Payload
  var kind: QueueClass
  /// nil: the queue, where there is one.
  var callback: ((Payload) -> Void)?
  /// Makes the complete event that replaces unread deltas.
  var complete: (() -> Payload)?
  /// What is owed exactly once, also when the context ends first.
  var isOwed = false
  /// Called when the queue took out the target's commands.
  var replaceCommands: (() -> Void)?
}
