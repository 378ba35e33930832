/// The policies that statements may cite, and their order: the most significant part of every order of commands.
///
/// A session begins under its origin policy, which is the only one until levels are signed on top of it.
struct PolicyOrder: Sendable {
  /// Ascending.
  private var known: [PolicyID]

  init(origin: PolicyID) { known = [origin] }

  /// A statement that cites an unknown policy cannot be judged.
  func knows(_ policy: PolicyID) -> Bool { known.contains(policy) }

  /// Whether `left` comes before `right`; unknown ones come before all known ones.
  func precedes(_ left: PolicyID, _ right: PolicyID) -> Bool { position(left) < position(right) }

  /// Whether a participant may command under the policy in force: under the origin policy everybody may.
  func allowsCommands(by participant: ParticipantID) -> Bool { participant != .none }

  private func position(_ policy: PolicyID) -> Int { known.firstIndex(of: policy) ?? -1 }
}
