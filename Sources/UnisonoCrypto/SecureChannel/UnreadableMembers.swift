import UnisonoBase
import UnisonoCoordination

/// Members that are at the hub and speak, and of whom nothing can be opened here for so long that the host is told (wire 8.9).
///
/// Only ids that the hub shows come in here, so it is bounded by what a room holds.
struct UnreadableMembers: Sendable {
  /// Unread for so long, one is told of.
  static let patience = Nanoseconds.seconds(10)
  /// It must have spoken again so long after the first envelope: one that was late, of a record that was left, is nothing.
  static let insistence = Nanoseconds.seconds(4)
  /// Ids that are on no roster here anybody with the invite can make: of so many at once the host is told.
  static let strangersTold = 8

  private struct Gap: Sendable {
    /// When the first envelope came since the last one that was read, and the newest.
    var since: HostTime
    var newest: HostTime
    var isStranger: Bool
    var isTold = false
    /// It would be told, were there not so many.
    var isHeldBack = false

    var isDue: Bool { newest.subtracting(since) >= UnreadableMembers.insistence }
    var due: HostTime { since.adding(UnreadableMembers.patience) }
  }

  private var gaps: [ParticipantID: Gap] = [:]

  /// An envelope of somebody present could not be opened. `isStranger`: it is on no roster here.
  mutating func unread(_ id: ParticipantID, isStranger: Bool, now: HostTime) {
    var gap = gaps[id] ?? Gap(since: now, newest: now, isStranger: isStranger)
    gap.newest = now
    gap.isStranger = isStranger
    gaps[id] = gap
  }

  /// One was opened, and its signature was right.
  mutating func read(_ id: ParticipantID) -> SplitChange? {
    guard let gap = gaps.removeValue(forKey: id), gap.isTold else { return nil }
    return change(id, gap, isOver: true)
  }

  /// The link is down: of whom the host was told it is told again when others are there.
  mutating func linkDown() { gaps = gaps.filter { $0.value.isTold } }

  /// What is worth telling by now, once each.
  mutating func judge(isPresent: (ParticipantID) -> Bool, now: HostTime) -> [SplitChange] {
    guard !gaps.isEmpty else { return [] }
    var changes: [SplitChange] = []
    let ids = gaps.keys.sorted()
    for id in ids where !isPresent(id) {
      if let over = read(id) { changes.append(over) }
    }
    var strangers = gaps.values.count { $0.isTold && $0.isStranger }
    for id in ids {
      guard var gap = gaps[id], !gap.isTold, gap.isDue, gap.due <= now else { continue }
      gap.isHeldBack = gap.isStranger && strangers >= Self.strangersTold
      if !gap.isHeldBack {
        gap.isTold = true
        if gap.isStranger { strangers += 1 }
        changes.append(change(id, gap, isOver: false))
      }
      gaps[id] = gap
    }
    return changes
  }

  private func change(_ id: ParticipantID, _ gap: Gap, isOver: Bool) -> SplitChange {
    SplitChange(participant: id, kind: .unreadable, since: gap.since, isOver: isOver)
  }

  /// Host time at which `judge` finds more.
  var nextWake: HostTime? {
    gaps.values.lazy.filter { $0.isDue && !$0.isTold && !$0.isHeldBack }.map { $0.due }.min()
  }
}
