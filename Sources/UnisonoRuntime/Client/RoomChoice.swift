import UnisonoBase
import UnisonoReplica

/// Choice whether to go over to the room that was seen at another hub (coordination 2.10; docs/decisions/session.md).
///
/// Of those who know each other the smaller room moves to the larger; of two equal ones that of the greater hub id, and the
/// other one only if nobody came for a while, as they may not be able to. Who looks for the group goes wherever somebody
/// is. And whoever waits at a hub that old invites lead to is fetched by one of the group; so is a member that stays where it is: all
/// whose hubs it knew may be gone, and those who are left came while it was away.
struct RoomChoice: Sendable {
  /// Number of peeks in which a room of the same size must have stayed where it is before the other side moves after all.
  static let patience = 3
  /// So long a newcomer waits among others for the group's state before it goes elsewhere, and not back to there for `again`.
  static let welcome = Nanoseconds.seconds(2)
  static let again = Nanoseconds.seconds(10)
  /// So long members that are fewer are left to come by themselves, from when they are there and one is here, and for one more look.
  static let expecting = Nanoseconds.seconds(2)
  /// Seconds after which one in a room is not on its way to elsewhere.
  static let stranded: UInt32 = 2
  /// After fetching somebody who stayed a stranger, not again for so long; doubling.
  static let fetching = Nanoseconds.seconds(10)
  /// The first of those who are here go to fetch others, a look after another; no more, whatever comes of it.
  static let fetchers = 3
  /// So long one stays with whom one came to fetch, so that it has the group's key and state.
  static let errand = Nanoseconds.milliseconds(1_500)
  /// Seconds for which who came to others later than they may be out to fetch them: it is left to do so.
  static let fetchingNow: UInt32 = 4

  /// Place where one is.
  struct Here {
    var entry: RoomEntry?
    var others: Set<ParticipantID>
    var since: HostTime
  }

  private var ties: [[UInt8]: Int] = [:]
  private var strangers: [[UInt8]: Int] = [:]
  /// Hubs at which members were seen that are fewer, at the last look.
  private var expected: Set<[UInt8]> = []
  private var visits: [[UInt8]: HostTime] = [:]
  private var fetched: [[UInt8]: (times: Int, last: HostTime)] = [:]
  /// The hub that one set out to.
  private var errand: [UInt8]?
  /// One came to where one is to fetch somebody.
  private(set) var isOnErrand = false

  /// In a room from now on.
  mutating func entered(_ hub: [UInt8], now: HostTime) {
    // Of hubs that members told there may be many.
    if visits.count >= HubDirectory.most { visits = visits.filter { now.subtracting($0.value) < Self.again } }
    visits[hub] = now
    isOnErrand = errand == hub
    errand = nil
    ties = [:]
    strangers = [:]
    expected = []
  }

  /// One goes there to fetch somebody, not to stay.
  func isErrand(to hub: [UInt8]) -> Bool { errand == hub }

  /// Members are there that are to come, or to be fetched: soon to be looked at again.
  func expects(at hub: [UInt8]) -> Bool { expected.contains(hub) }

  /// `found` is who is in the room of another hub, `local` this participant.
  mutating func goes(
    to found: RoomEntry, through candidate: HubCandidate, from here: Here, of group: HubGroup, local: ParticipantID,
    now: HostTime
  ) -> Bool {
    if let entry = here.entry, entry.hubID == found.hubID { return false }
    // Hubs that make one service show the same room, with this very connection in it.
    if let entry = here.entry, found.members.contains(where: { $0.id == local && $0.connection == entry.connection }) { return false }
    if isOnErrand, now < here.since.adding(Self.errand) { return false }
    let there = found.members.filter { $0.id != local }
    if group.isNewcomer { return !there.isEmpty && seeks(found.hubID, from: here, now: now) }
    let missing = group.known.subtracting(here.others)
    // Whole seconds: those who come at once do not come one after the other.
    // A member who came later than others there may be out to fetch them.
    let longest = min(Self.fetchingNow, there.map(seconds).max() ?? 0)
    let areFetched = there.contains { group.known.contains($0.id) && seconds($0) < longest }
    guard there.contains(where: { missing.contains($0.id) }) else {
      expected.remove(found.hubID)
      // Strangers draw nobody to just anywhere.
      let isDrawn = !areFetched && (candidate.isPublic || candidate.isOwn)
      let waiting = isDrawn ? there.filter { !group.known.contains($0.id) } : []
      return fetches(waiting, at: found.hubID, through: candidate, from: here, local: local, now: now)
    }
    guard let entry = here.entry, there.count <= here.others.count + 1 else { return true }
    guard there.count == here.others.count + 1 else {
      ties[found.hubID] = nil
      let wasSeen = !expected.insert(found.hubID).inserted
      let isSettled = wasSeen && now >= here.since.adding(Self.expecting)
      let waiting = isSettled && !areFetched ? there.filter { missing.contains($0.id) } : []
      return fetches(waiting, at: found.hubID, through: candidate, from: here, local: local, now: now)
    }
    guard entry.hubID.lexicographicallyPrecedes(found.hubID) else { return true }
    ties[found.hubID, default: 0] += 1
    return ties[found.hubID, default: 0] >= Self.patience
  }

  /// Since it entered.
  private func seconds(_ member: Member) -> UInt32 { member.age / 1_000 }

  private func seeks(_ hub: [UInt8], from here: Here, now: HostTime) -> Bool {
    if here.entry == nil || here.others.isEmpty { return true }
    let isFresh = visits[hub].map { now.subtracting($0) < Self.again } ?? false
    return now >= here.since.adding(Self.welcome) && !isFresh
  }

  /// Whether this participant fetches these. One of those who are here goes: the one whose hub it is, else the lowest id, the next
  /// ones a look later each.
  private mutating func fetches(
    _ waiting: [Member], at hub: [UInt8], through candidate: HubCandidate, from here: Here, local: ParticipantID, now: HostTime
  ) -> Bool {
    guard here.entry != nil, waiting.contains(where: { seconds($0) >= Self.stranded }) else {
      strangers[hub] = nil
      return false
    }
    let last = fetched[hub]
    if let last, now < last.last.adding(Self.fetching << min(last.times - 1, 6)) { return false }
    let rank = candidate.isOwn ? 0 : here.others.filter { $0 < local }.count
    strangers[hub, default: 0] += 1
    guard rank < Self.fetchers, strangers[hub, default: 0] > rank else { return false }
    if fetched.count >= HubDirectory.most { fetched = [:] }
    fetched[hub] = ((last?.times ?? 0) + 1, now)
    errand = hub
    return true
  }
}
