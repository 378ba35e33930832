import UnisonoBase
import UnisonoReplica

/// What hubs said to a client that they refused: whether a newcomer can get in at all, and which hubs are left alone for a while.
///
/// Nothing that a hub says ends a session for one who was in it (wire 3.3): a hub that refuses, or is not the one that was meant, is
/// set aside, and the others are tried. Only a newcomer gives up, once all hubs of its invite were tried.
struct Refusals {
  /// What happens to the hub that a link ended at.
  enum Consequence: Equatable {
    case none
    /// Left alone for so long, at this address.
    case address(Nanoseconds)
    /// Left alone for so long, at all its addresses.
    case hub(Nanoseconds)
  }

  /// A hub that does not admit one who was in the room, and an address where another hub is.
  private static let aside = Nanoseconds.seconds(60)
  /// A hub that says again and again that a newer connection took over.
  private static let longAside = Nanoseconds.seconds(600)
  /// "No common version" comes in clear, from anybody on the path: a newcomer believes the third.
  private static let versionTries = 3
  /// So many replacements in this span: whether or not somebody has the same key, there is no staying at this hub.
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

  /// An attempt failed. `wasMember`: the client was in the room before.
  mutating func record(_ end: HubLinkEnd, at address: HubAddress, wasMember: Bool, now: HostTime) -> Consequence {
    tries[address, default: (0, 0)].all += 1
    if case .wrongHub = end { return .address(Self.aside) }
    guard end.outcome == .fatal else { return .none }
    tries[address, default: (0, 0)].refused += 1
    last = end
    if wasMember, end.isReplaced { return recordReplacement(now: now) }
    guard wasMember, case .refused(HubRefusal.auth.rawValue, _, _) = end else { return .none }
    return .hub(Self.aside)
  }

  /// True when no hub of `order` lets a newcomer in, and one says why. `end` is that of the last attempt.
  func isShutOut(by end: HubLinkEnd, order: [HubCandidate]) -> Bool {
    var needed = 1
    if case .refused(HubRefusal.version.rawValue, _, _)? = last { needed = Self.versionTries }
    guard tries.values.contains(where: { $0.refused >= needed }), end.outcome == .fatal || order.count > 1 else {
      return false
    }
    return order.allSatisfy { $0.isStandby || (tries[$0.address]?.all ?? 0) >= needed }
  }

  /// A newer connection took this one's place, or had it already.
  mutating func recordReplacement(now: HostTime) -> Consequence {
    replacements = replacements.filter { now.subtracting($0) < Self.replacedSpan } + [now]
    guard replacements.count >= Self.replacedLimit else { return .none }
    replacements = []
    return .hub(Self.longAside)
  }
}
