import UnisonoBase
import UnisonoReplica

/// Refusals that a client met since its last entry: whether it is shut out of its room for good.
///
/// One hub that refuses alone may be wrong: a stranger at an address that was a hub's, or one that has not heard of the group's
/// new room. And anybody on the path can say once that a newer connection took over.
struct Refusals {
  /// A member believes that it is shut out when every hub said so, or did not answer, this often.
  private static let needed = 3
  /// So many replacements in this span show that somebody has the same key.
  private static let replacedSpan = Nanoseconds.seconds(60)
  private static let replacedLimit = 3

  /// Tries since the last entry, and of those the ones that were refused for good.
  private var tries: [HubAddress: (all: Int, refused: Int)] = [:]
  /// Answer of the last hub that refused for good.
  private(set) var last: HubLinkEnd?
  /// Times at which a hub said that a newer connection took over, within `replacedSpan`.
  private var replacements: [HostTime] = []

  mutating func entered() {
    tries = [:]
    last = nil
  }

  /// An attempt failed.
  mutating func record(_ end: HubLinkEnd, at address: HubAddress) {
    tries[address, default: (0, 0)].all += 1
    guard end.outcome == .fatal else { return }
    tries[address, default: (0, 0)].refused += 1
    last = end
  }

  /// True when no hub of `order` lets this participant in, and one says why. `end` is that of the last attempt; `wasMember`: it was
  /// in the room before.
  func isShutOut(by end: HubLinkEnd, order: [HubCandidate], wasMember: Bool) -> Bool {
    let enough = wasMember ? Self.needed : 1
    guard tries.values.contains(where: { $0.refused >= enough }), end.outcome == .fatal || order.count > 1 else {
      return false
    }
    return order.allSatisfy { $0.isStandby || (tries[$0.address]?.all ?? 0) >= enough }
  }

  /// A newer connection took this one's place; true: once too often.
  mutating func recordReplacement(now: HostTime) -> Bool {
    replacements = replacements.filter { now.subtracting($0) < Self.replacedSpan } + [now]
    return replacements.count >= Self.replacedLimit
  }
}
