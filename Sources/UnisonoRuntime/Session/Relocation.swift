import UnisonoBase
import UnisonoCrypto
import UnisonoReplica

/// Relocation of the session from room to room: the ways that are known, the rooms that were left, and what waits for a move.
///
/// An owner who removes somebody makes the secrets of a new room and names the room in the policy; everybody follows the
/// greatest policy whose room it has the secrets of, and never goes back to a room that it left. Names rooms by their topics.
/// Decides only: `SessionEngine` moves its residences.
struct Relocation {
  /// Rooms whose secrets are kept: of races between owners, and of removals in a row.
  static let capacity = 64
  /// The same of beginnings behind the present door.
  static let beginnings = 8
  /// Time within which who is named is handed the way to a room that a policy names; who is not for so long was left behind.
  static let patience = Nanoseconds.seconds(10)

  /// Secrets of rooms that were made here and not entered yet.
  private(set) var made: [[UInt8]: RoomSecrets] = [:]
  /// Secrets of rooms that an owner signed for and that were not entered yet. `isLate`: the others moved before.
  private(set) var known: [[UInt8]: (secrets: RoomSecrets, isLate: Bool)] = [:]
  /// New beginnings behind the present door, until the policy in force names them; the oldest first.
  private var beginnings: [RoomSecrets] = []
  /// Rooms of which only a retired room told: members of the present one may not know the way.
  private var unshared: Set<[UInt8]> = []
  private var left: Set<[UInt8]> = []
  /// A notice at the present door proves that the session left it.
  private(set) var hasNotice = false
  /// Members who are moving too, and the time until which they are awaited.
  private var expected: (ids: Set<ParticipantID>, until: HostTime)?
  /// Participants to be removed once the room of another owner, who won a race, is entered.
  private var postponedRemoval: [ParticipantID]?
  /// Room that the policy in force names and that there is no way to, and since when.
  private var missing: (topic: [UInt8], since: HostTime)?

  // MARK: Making a room

  /// Keeps the secrets of a room that is made here.
  mutating func prepare(_ secrets: RoomSecrets, topic: [UInt8]) { made[topic] = secrets }

  /// The room that was made here is not the one that the policy names.
  mutating func discard(_ topic: [UInt8]) { made[topic] = nil }

  /// All rooms that a session leaves with its present one, in the order in which a policy lists them.
  func leaving(_ present: [UInt8]) -> [[UInt8]] {
    left.sorted { $0.lexicographicallyPrecedes($1) } + [present]
  }

  /// The room made here is the one that the policy in force names: it can be entered.
  mutating func confirm(_ topic: [UInt8]) { known[topic] = made[topic].map { ($0, isLate: false) } }

  mutating func postponeRemoval(of participants: [ParticipantID]) { postponedRemoval = participants }

  mutating func popPostponedRemoval() -> [ParticipantID]? {
    defer { postponedRemoval = nil }
    return postponedRemoval
  }

  // MARK: The present room's beginnings

  /// Keeps a beginning behind the present door that a policy names, which may be in force already or come to be. The oldest one makes
  /// room: of those that lost a race of owners nothing is heard again.
  mutating func keepBeginning(_ secrets: RoomSecrets) {
    _ = popBeginning(secrets.founding.id)
    if beginnings.count == Self.beginnings { beginnings.removeFirst() }
    beginnings.append(secrets)
  }

  /// The beginning with this founding record, which is not kept any longer.
  mutating func popBeginning(_ founding: RecordID) -> RoomSecrets? {
    beginnings.firstIndex { $0.founding.id == founding }.map { beginnings.remove(at: $0) }
  }

  // MARK: Finding the way

  /// Keeps secrets that a policy names, which may be in force already or come to be. False: they are not needed.
  mutating func learn(_ secrets: RoomSecrets, topic: [UInt8], isLate: Bool, present: [UInt8]) -> Bool {
    guard topic != present, !left.contains(topic), known[topic] == nil, known.count < Self.capacity else { return false }
    known[topic] = (secrets, isLate)
    return true
  }

  /// The way to a room was handed over in a retired one.
  mutating func learntInRetiredRoom(_ topic: [UInt8]) { unshared.insert(topic) }

  /// Whether members of the present room are to be handed the way; they are so once.
  mutating func claimSharing(of topic: [UInt8]) -> Bool { unshared.remove(topic) != nil }

  /// The way to a room; nil: not known, or the room was left.
  func way(to topic: [UInt8]) -> (secrets: RoomSecrets, isLate: Bool)? { left.contains(topic) ? nil : known[topic] }

  /// Notices whether there is a way to where the policy in force leads. Nobody goes back to a room that was left, so no way is missed there.
  mutating func review(topic: [UInt8], present: [UInt8], now: HostTime) {
    let isKnown = topic == present || left.contains(topic) || known[topic] != nil || made[topic] != nil
    missing = isKnown ? nil : missing.flatMap { $0.topic == topic ? $0 : nil } ?? (topic, now)
  }

  /// The session went to a room whose secrets nobody handed over here.
  func isLeftBehind(now: HostTime) -> Bool { missing.map { now >= $0.since.adding(Self.patience) } ?? false }

  mutating func foundNotice() { hasNotice = true }

  /// The session is in another room. Returns whether that was made here: then the former door is kept here.
  ///
  /// Its secrets are erased: only who may have to keep the old door needs them, for as long as that may be.
  mutating func moved(from old: [UInt8], to new: [UInt8]) -> Bool {
    hasNotice = false
    beginnings = []
    left.insert(old)
    known[new] = nil
    return made.removeValue(forKey: new) != nil
  }

  // MARK: The others

  /// Members who were together move together: their coming is awaited, not their loss recorded.
  mutating func expect(_ ids: some Sequence<ParticipantID>, until: HostTime) { expected = (Set(ids), until) }

  /// Ids of those who were awaited, ascending, once their time is over; one who came is among them.
  mutating func popExpected(now: HostTime) -> [ParticipantID]? {
    guard let (ids, until) = expected, until <= now else { return nil }
    expected = nil
    return ids.sorted()
  }

  /// Host time at which `popExpected` has something, or this participant is left behind.
  func nextWake(now: HostTime) -> HostTime? {
    let leftBehind = isLeftBehind(now: now) ? nil : missing?.since.adding(Self.patience)
    return [expected?.until, leftBehind].compactMap { $0 }.min()
  }
}
