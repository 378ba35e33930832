/// A seek the person asked for, until it is answered.
struct PendingSeek: Sendable {
  var id: UInt64
  var target: ItemTime
  var before: Nanoseconds
  var after: Nanoseconds
  var asked: HostTime
  /// The coordination's command it became; nil: none came yet.
  var command: UInt64?
}
