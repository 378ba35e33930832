/// What the host was told last, so that it hears of changes alone.
struct ToldPlayer: Sendable {
  var timeControl = TimeControl(.paused)
  var rate = 0.0
  var itemStatus: ItemStatus = .unknown
  var item: ItemID?
  /// What a start takes here, ns, as the group knows it.
  var startLatency: Nanoseconds = 0
  /// Of the ducking ramp.
  var gain = 1.0
}
