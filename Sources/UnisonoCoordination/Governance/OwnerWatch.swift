import UnisonoBase

/// When owners were there as seen from here, and when nobody was: by this a takeover is made, believed and accepted.
struct OwnerWatch: Sendable {
  /// Host time at which an owner was last there.
  private var seen: [ParticipantID: HostTime] = [:]
  /// Those who were there at the last look.
  private var there: Set<ParticipantID> = []
  /// Since when it is looked without interruption; nil: there is no link.
  private var since: HostTime?
  /// When it was looked first.
  private var came: HostTime?
  /// Group time at which anybody else was heard last.
  private var heard: GroupTime?
  /// The last time that nobody was heard for longer than `leastGap`, group time.
  private(set) var gap: (from: GroupTime, to: GroupTime)?
  /// The last time that nobody was heard for longer than `Parameters.silent`, more than two heartbeats: until when, group time.
  private var silenceEnded: GroupTime?
  /// How often in a row an owner turned out to be there when this participant took over.
  private var errors = 0

  static let leastGap: Nanoseconds = .seconds(2)
  /// What an owner missed it is told within this of meeting others again.
  static let returning: Nanoseconds = .seconds(60)
  /// What others said meanwhile, and under which policy, is told within this.
  static let catchingUp: Nanoseconds = .seconds(3)
  /// Who was mistaken waits twice as long the next time, at most this many times.
  private static let errorLimit = 6

  /// `there`: the owners who are there now; `proven`: those of them who have spoken since they came.
  mutating func look(for owners: Set<ParticipantID>, there: Set<ParticipantID>, proven: Set<ParticipantID>, now: HostTime) {
    since = since ?? now
    came = came ?? now
    for id in there where proven.contains(id) || seen[id] != nil { seen[id] = now }
    // It went between two looks.
    for id in self.there where !there.contains(id) && seen[id] != nil { seen[id] = now }
    self.there = there
    if seen.keys.contains(where: { !owners.contains($0) }) { seen = seen.filter { owners.contains($0.key) } }
  }

  /// Without a link nothing is to be seen.
  mutating func pause() {
    since = nil
    there = []
  }

  /// This machine slept: what happened meanwhile others know better.
  mutating func forget() {
    pause()
    seen = [:]
  }

  /// Somebody else was heard.
  mutating func hear(at time: GroupTime) {
    let length = heard.map { time.subtracting($0) } ?? 0
    if let heard, length >= Self.leastGap, !isShort(length, at: time) { gap = (heard, time) }
    if length >= Parameters.silent { silenceEnded = time }
    heard = max(heard ?? time, time)
  }

  /// A heartbeat that was lost a moment after a long absence does not hide that.
  private func isShort(_ length: Nanoseconds, at time: GroupTime) -> Bool {
    gap.map { time <= $0.to.adding(Self.returning) && length < $0.to.subtracting($0.from) } ?? false
  }

  /// Host time at which the last of `owners` was there; nil: none ever was.
  func lastSeen(of owners: [ParticipantID]) -> HostTime? { owners.compactMap { seen[$0] }.max() }

  /// When a deputy may take over itself: nobody of `owners` was there for `patience`, and once more for each deputy who goes
  /// before it, is there and does nothing. nil: nothing is to be seen.
  func timeToAct(for owners: [ParticipantID], patience: Nanoseconds, ahead: Int) -> HostTime? {
    guard let since else { return nil }
    return max(since, lastSeen(of: owners) ?? since).adding(patience * (1 << Int64(errors)) * Int64(1 + ahead))
  }

  /// When another's takeover may be believed.
  func timeToBelieve(of owners: [ParticipantID], patience: Nanoseconds, ahead: Int) -> HostTime {
    (lastSeen(of: owners) ?? came ?? .max).adding(patience * Int64(1 + ahead))
  }

  /// Whether a deputy took over at `time` while this participant, an owner, heard nobody for long, up to a moment ago: then it
  /// was itself away, else the deputy was.
  func wasAlone(at time: GroupTime, patience: Nanoseconds, now: GroupTime) -> Bool {
    guard let gap, now <= gap.to.adding(Self.returning) else { return false }
    let earliest = gap.from.adding(Self.absence(patience))
    return gap.to >= earliest && time >= earliest && time <= gap.to.adding(patience - Self.absence(patience))
  }

  /// Whether others may have done something by now of which this participant has not heard: nobody is heard for long, or was up to a
  /// moment ago.
  func mayHaveMissed(now: GroupTime) -> Bool {
    if let heard, now >= heard.adding(Parameters.silent) { return true }
    return catchingUpEnds.map { now < $0 } ?? false
  }

  /// Group time at which what was missed in the last silence is known; nil: there was none.
  var catchingUpEnds: GroupTime? { silenceEnded?.adding(Self.catchingUp) }

  /// Who hears nobody for this long may be thought gone by others, who heard it last some time before.
  private static func absence(_ patience: Nanoseconds) -> Nanoseconds { patience - min(.seconds(10), patience / 2) }

  mutating func recordEnd(ofOwnTakeover wasAccepted: Bool) { errors = wasAccepted ? 0 : min(errors + 1, Self.errorLimit) }
}
