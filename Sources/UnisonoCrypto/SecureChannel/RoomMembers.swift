import UnisonoBase
import UnisonoReplica
import UnisonoWire

/// Who is at the hub in a room besides this participant, and when those who are gone were here last.
struct RoomMembers: Sendable {
  private(set) var all: [ParticipantID: Member] = [:]
  /// When each came, as the hub says it, and how many were told of before.
  private var arrivals: [ParticipantID: Arrival] = [:]
  private var told: UInt64 = 0
  /// Of introduced ones alone, and of as many as a session can have.
  private var lastPresent: [ParticipantID: HostTime] = [:]

  private struct Arrival: Comparable {
    let time: HostTime
    let place: UInt64

    static func < (left: Arrival, right: Arrival) -> Bool { (left.time, left.place) < (right.time, right.place) }
  }

  var ids: some Collection<ParticipantID> { all.keys }
  var isEmpty: Bool { all.isEmpty }

  func contains(_ id: ParticipantID) -> Bool { all[id] != nil }

  /// A link came up where these are.
  mutating func enter(_ others: some Sequence<Member>, now: HostTime) {
    all = [:]
    arrivals = [:]
    for other in others.prefix(WireLimits.members) { add(other, now: now) }
    told += 1
  }

  /// False: there is no place for it.
  mutating func join(_ member: Member, now: HostTime) -> Bool {
    guard all[member.id] != nil || all.count < WireLimits.members else { return false }
    add(member, now: now)
    told += 1
    return true
  }

  private mutating func add(_ member: Member, now: HostTime) {
    all[member.id] = member
    arrivals[member.id] = Arrival(time: now.subtracting(.milliseconds(Int64(member.age))), place: told)
  }

  /// Those who are here, who came first first.
  var longestFirst: [ParticipantID] { all.keys.sorted { cameBefore($0, $1) } }

  /// Who is not here came last.
  func cameBefore(_ left: ParticipantID, _ right: ParticipantID) -> Bool {
    switch (arrivals[left], arrivals[right]) {
    case (let left?, let right?) where left != right: left < right
    case (_?, nil): true
    case (nil, _?): false
    default: left < right
    }
  }

  /// False: it is here by a later connection.
  mutating func leave(_ departure: Departure, isIntroduced: Bool, now: HostTime) -> Bool {
    guard let member = all[departure.id], member.connection <= departure.connection else { return false }
    all[departure.id] = nil
    arrivals[departure.id] = nil
    remember(departure.id, isIntroduced: isIntroduced, now: now)
    return true
  }

  mutating func linkDown(isIntroduced: (ParticipantID) -> Bool, now: HostTime) {
    for id in all.keys { remember(id, isIntroduced: isIntroduced(id), now: now) }
    all = [:]
    arrivals = [:]
  }

  /// The room is left for another one: who is here is about to come there, and may miss a move that follows.
  mutating func relocate(isIntroduced: (ParticipantID) -> Bool, now: HostTime) {
    for id in all.keys where isIntroduced(id) { lastPresent[id] = now }
    all = [:]
    arrivals = [:]
  }

  private mutating func remember(_ id: ParticipantID, isIntroduced: Bool, now: HostTime) {
    forgetOld(now: now)
    if isIntroduced { lastPresent[id] = now }
    guard lastPresent.count > WireLimits.participants else { return }
    let first = lastPresent.min { ($0.value, $0.key) < ($1.value, $1.key) }
    if let first { lastPresent[first.key] = nil }
  }

  /// Forgets who has been gone for long.
  mutating func forgetOld(now: HostTime) {
    lastPresent = lastPresent.filter { now.subtracting($0.value) <= RelocationKeeper.memory }
  }

  /// Those who are gone and are remembered.
  var remembered: some Collection<ParticipantID> { lastPresent.keys }

  func lastSeen(_ id: ParticipantID) -> HostTime? { lastPresent[id] }

  /// Those who were here lately and are not now, who was here last first.
  func departed(now: HostTime) -> [ParticipantID] {
    lastPresent.filter { now.subtracting($0.value) <= RelocationKeeper.memory && all[$0.key] == nil }
      .sorted { ($0.value, $0.key) > ($1.value, $1.key) }.map { $0.key }
  }
}
