extension Coordination {
  /// How far ahead a start must lie so that everybody on the item can make it (coordination 2.7).
  func lead(on item: ItemID) -> Nanoseconds {
    let own = trip(delay: clock.hubDelay ?? Parameters.unknownHubDelay, error: clock.error(at: now))
    // The own player needs its time, too.
    var longest = me.suspensions.isEmpty ? me.startLatency : 0
    for id in onItem(item) where id != local {
      guard let value = value(of: id), value.suspensions.isEmpty, let entry = presence.entries[id] else { continue }
      let delay = entry.hubDelay ?? max(clock.hubDelay ?? 0, Parameters.unknownHubDelay)
      longest = max(longest, own.adding(trip(delay: delay, error: entry.clockError ?? 0)).adding(max(0, value.startLatency)))
    }
    return min(max(longest.adding(Parameters.leadMargin), Parameters.leastLead), Parameters.greatestLead)
  }

  /// How long after its stamp a message passes between a participant and the hub, both told by the participant's own clock.
  ///
  /// The bound of a clock's error contains half a round trip, because one way could have been all of it. But then messages
  /// are on their way that much longer or shorter by the same clock: the two cancel, and only what the bound has beyond
  /// half a round trip (age, and what is still to be slewed away) comes on top.
  private func trip(delay: Nanoseconds, error: Nanoseconds) -> Nanoseconds { max(delay, error) }
}
