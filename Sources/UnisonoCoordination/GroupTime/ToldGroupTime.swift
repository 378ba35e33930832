import UnisonoBase
import UnisonoReplica

/// Group time as heartbeats tell it, for who does not know it at a hub whose clock nobody maps (coordination 2.1): who slept, or came, and
/// nobody who knows it may say what the hub's clock shows.
struct ToldGroupTime: Sendable {
  private struct Reading: Sendable {
    var group: GroupTime
    var error: Nanoseconds
    /// Host time at which it was that.
    var at: HostTime
  }

  /// The newest of each.
  private var readings: [ParticipantID: Reading] = [:]

  /// Takes in another's heartbeat, which was on its way for half of both round trips to the hub, and at most for twice that, or not at all.
  mutating func receive(_ beat: Beat, from sender: ParticipantID, _ facts: borrowing Facts) {
    guard !facts.clock.isKnown else { return forgetAll() }
    guard let timing = beat.timing, let ownDelay = facts.clock.hubDelay, facts.presence.entries[sender] != nil else { return }
    let way = ownDelay.adding(.microseconds(Int64(beat.hubDelay)))
    let error = Nanoseconds.microseconds(Int64(timing.error ?? beat.clockError)).adding(way)
    guard error <= Parameters.comparableError, readings[sender] != nil || readings.count < WireLimits.participants else { return }
    readings[sender] = Reading(group: timing.sent.adding(way), error: error, at: facts.now)
  }

  /// This machine's clock stood, or whoever told it is at another hub.
  mutating func forgetAll() { if !readings.isEmpty { readings = [:] } }

  /// Host time at which it is taken, if nobody maps the hub's clock before: who may map it does then, and would only guess. nil: nobody
  /// told it.
  func wake(_ facts: borrowing Facts) -> HostTime? {
    guard !readings.isEmpty, !facts.clock.isKnown, let since = facts.clock.unmappedSince else { return nil }
    let unmapped = since.adding(Parameters.clockUnmapped)
    return facts.mayMapClock ? min(unmapped, facts.clockMappingTime(since: since)) : unmapped
  }

  /// What the hub's clock is in group time, by the most senior of those who are there and told it; a guess, which any mapping replaces.
  /// nil: it is not time yet, or nobody told it.
  mutating func take(_ model: ClockModel, _ facts: borrowing Facts) -> ClockValue? {
    guard let due = wake(facts), facts.now >= due else { return nil }
    defer { forgetAll() }
    let seniority = facts.seniority
    let told = readings.filter { facts.isPresent($0.key) && facts.now.subtracting($0.value.at) <= Parameters.echoMemory }
    guard let reading = told.min(by: { seniority.isSenior($0.key, $1.key) })?.value else { return nil }
    let error = UInt32(clamping: reading.error.adding(model.error(at: reading.at)) / 1_000)
    return ClockValue(
      offset: reading.group.subtracting(model.remote(at: reading.at)),
      error: ClockValue.guess + max(error, RegisterOrder.leastClockError), turn: facts.clock.leastTurn)
  }
}
