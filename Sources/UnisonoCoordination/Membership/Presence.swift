import UnisonoBase
import UnisonoReplica

/// Who is there: the hub's word about others, and what was heard of them (coordination 2.6).
struct Presence: Sendable {
  struct Entry: Sendable {
    /// The newest connection counts: notices of older ones are late.
    var connection: UInt64
    /// Host time since which it is in the session; older ones are asked first.
    var since: HostTime
    var heard: HostTime
    /// The hub, or a frame, says so.
    var connected: Bool
    /// When its connection ended by the hub's word.
    var lost: HostTime?
    /// Lost with the own link, not by the hub's word: it counts until then, in the next room too.
    var graceEnd: HostTime?
    /// A frame of it came since it did.
    var hasSpoken = false
    /// The same of the room before, from which it is about to come along to this one.
    var hadSpoken = false
    /// It said goodbye.
    var left = false
    /// Half its round trip and its clock's error, as it told.
    var hubDelay: Nanoseconds?
    var clockError: Nanoseconds?

    func isHeard(within silence: Nanoseconds, now: HostTime) -> Bool { now.subtracting(heard) <= silence }
  }

  private(set) var entries: [ParticipantID: Entry] = [:]
  /// Present ones as of `moment`, ascending: asked for many times a turn.
  private(set) var present: [ParticipantID] = []
  /// Those whose connection ended, in no order.
  private(set) var absent: [ParticipantID] = []
  /// Those who went off the list without a goodbye and did not come back, the last ones last.
  private var missing: [ParticipantID] = []
  private static let mostMissing = 256
  private var moment: HostTime = .min
  /// Until then nobody's presence ends by time alone.
  private var validUntil: HostTime = .max
  /// When the own link broke; nil: it stands.
  private(set) var ownLinkLost: HostTime? {
    didSet {
      revision &+= 1
      changes.recordAll()
      refresh()
    }
  }
  /// Counts changes of who is there, so that what is derived of that need not be derived anew.
  private(set) var revision: UInt64 = 0
  /// Whose entry changed in more than when it was heard.
  private(set) var changes = ChangeLog<ParticipantID>()

  /// Time passes: whoever counted for a while only does not any more.
  mutating func advance(to now: HostTime) {
    moment = now
    guard now >= validUntil else { return }
    revision &+= 1
    refresh()
  }

  private mutating func refresh() {
    present = entries.keys.filter { isPresent($0, now: moment) }.sorted()
    absent = entries.filter { !$0.value.connected }.map { $0.key }
    var ends = entries.values.compactMap { $0.graceEnd }
    if let ownLinkLost { ends.append(ownLinkLost.adding(Parameters.ownLinkGrace)) }
    validUntil = ends.filter { $0 > moment }.min() ?? .max
  }

  /// - Parameter areAlong: they were in the room before with this participant, and go to this one with the key of it; those of whom no
  ///   connection is known (0) are about to come.
  mutating func replace(with members: [Member], areAlong: Bool = false, now: HostTime) {
    let spoke = areAlong ? Set(entries.lazy.filter { $0.value.connected && ($0.value.hasSpoken || $0.value.hadSpoken) }.map { $0.key }) : []
    revision &+= 1
    for (id, entry) in entries where entry.connected && !members.contains(where: { $0.id == id }) {
      entries[id]?.connected = false
      entries[id]?.lost = ownLinkLost ?? now
      entries[id]?.graceEnd = (ownLinkLost ?? now).adding(Parameters.ownLinkGrace)
      entries[id]?.hasSpoken = false
    }
    // Numbers of connections compare only within one hub: in a new room any one is new.
    for id in entries.keys {
      entries[id]?.connection = 0
      entries[id]?.hadSpoken = false
    }
    for member in members { enter(member, now: now, isNewRoom: true) }
    for member in members where spoke.contains(member.id) {
      if member.connection == 0 { entries[member.id]?.hadSpoken = true } else { entries[member.id]?.hasSpoken = true }
    }
    ownLinkLost = nil
  }

  /// Whether it counts as there, and its connection in this room is still to come.
  func isAwaited(_ id: ParticipantID) -> Bool { entries[id].map { $0.connected && $0.connection == 0 } ?? false }

  mutating func join(_ members: [Member], now: HostTime) {
    for member in members { enter(member, now: now, isNewRoom: false) }
    refresh()
  }

  private mutating func enter(_ member: Member, now: HostTime, isNewRoom: Bool) {
    guard entries[member.id] != nil || makeRoom() else { return }
    // Whole seconds, and then by id: where a crowd comes, who gives the key to it is not always who brings it up to date, too.
    let since = now.subtracting(.seconds(Int64(member.age / 1_000)))
    var entry = entries[member.id] ?? Entry(connection: member.connection, since: since, heard: now, connected: true)
    guard isNewRoom || member.connection >= entry.connection else { return }
    missing.removeAll { $0 == member.id }
    entry.connection = member.connection
    entry.since = since
    entry.heard = now
    entry.connected = true
    entry.lost = nil
    entry.graceEnd = nil
    entry.hasSpoken = entry.hadSpoken
    entry.hadSpoken = false
    entry.left = false
    entries[member.id] = entry
    revision &+= 1
    changes.record(member.id)
  }

  mutating func depart(_ departures: [Departure], now: HostTime) {
    for departure in departures {
      guard var entry = entries[departure.id], departure.connection >= entry.connection else { continue }
      // Lost a second time it was lost when it was lost first.
      guard entry.connected || departure.left && !entry.left else { continue }
      entry.connected = false
      entry.lost = now
      entry.graceEnd = nil
      entry.hadSpoken = false
      entry.left = entry.left || departure.left
      entries[departure.id] = entry
      revision &+= 1
      changes.record(departure.id)
    }
    refresh()
  }

  /// Whether there is a place for another one, who was gone for longest making it where that is needed.
  private mutating func makeRoom() -> Bool {
    guard entries.count >= WireLimits.members else { return true }
    let gone = entries.filter { !$0.value.connected }
    guard let oldest = gone.min(by: { ($0.value.lost ?? .min, $0.key) < ($1.value.lost ?? .min, $1.key) }) else {
      return false
    }
    entries[oldest.key] = nil
    changes.record(oldest.key)
    return true
  }

  /// A frame of someone makes it present. False: more are said to be there than can be.
  mutating func hear(_ id: ParticipantID, now: HostTime) -> Bool {
    guard let entry = entries[id] else {
      guard makeRoom() else { return false }
      entries[id] = Entry(connection: 0, since: now, heard: now, connected: true, hasSpoken: true)
      revision &+= 1
      changes.record(id)
      refresh()
      return true
    }
    entries[id]?.heard = now
    entries[id]?.hasSpoken = true
    guard !entry.connected || entry.lost != nil || entry.graceEnd != nil else { return true }
    revision &+= 1
    changes.record(id)
    entries[id]?.connected = true
    entries[id]?.lost = nil
    entries[id]?.graceEnd = nil
    refresh()
    return true
  }

  mutating func measure(_ id: ParticipantID, hubDelay: Nanoseconds, clockError: Nanoseconds) {
    guard let entry = entries[id], entry.hubDelay != hubDelay || entry.clockError != clockError else { return }
    entries[id]?.hubDelay = hubDelay
    entries[id]?.clockError = clockError
    changes.record(id)
  }

  /// Its own register says that it left.
  mutating func markLeft(_ id: ParticipantID, now: HostTime) {
    guard entries[id]?.left == false else { return }
    revision &+= 1
    changes.record(id)
    entries[id]?.left = true
    entries[id]?.connected = false
    entries[id]?.lost = now
    refresh()
  }

  mutating func loseOwnLink(now: HostTime) {
    guard ownLinkLost == nil else { return }
    ownLinkLost = now
  }

  mutating func remove(_ id: ParticipantID) {
    revision &+= 1
    changes.record(id)
    if entries[id]?.left == false {
      missing.append(id)
      if missing.count > Self.mostMissing { missing.removeFirst() }
    }
    entries[id] = nil
    refresh()
  }

  func isPresent(_ id: ParticipantID, now: HostTime) -> Bool {
    guard let entry = entries[id], !entry.left else { return false }
    if let ownLinkLost { return entry.connected && now < ownLinkLost.adding(Parameters.ownLinkGrace) }
    return entry.connected || (entry.graceEnd.map { now < $0 } ?? false)
  }

  /// Something was heard of it since it came: it can read by now.
  func hasSpoken(_ id: ParticipantID) -> Bool { entries[id]?.hasSpoken ?? false }

  /// Any frame within `silence`.
  func isHeard(_ id: ParticipantID, within silence: Nanoseconds, now: HostTime) -> Bool {
    entries[id]?.isHeard(within: silence, now: now) ?? false
  }

  /// Nobody else is there to be spoken with.
  var isAlone: Bool { !entries.values.contains { $0.connected && !$0.left } }

  /// Those who were there, did not say goodbye, and are not there, however long ago that was.
  var lost: Set<ParticipantID> {
    Set(entries.lazy.filter { !$0.value.connected && !$0.value.left }.map { $0.key }).union(missing)
  }

  /// Those whom to ask first, first.
  func byAge() -> [ParticipantID] {
    entries.filter { $0.value.connected && !$0.value.left }
      .sorted { ($0.value.since, $0.key) < ($1.value.since, $1.key) }.map({ $0.key })
  }
}
