import UnisonoBase
import UnisonoReplica
import UnisonoWire

/// Means to hand the way to the new room to members who come to the door of a retired one (wire 6.8).
struct RelocationKeeper: Sendable {
  /// Longest absence, ns: after it a member counts as a stranger, and gets no answer.
  static let memory = Nanoseconds.seconds(600)

  /// Secrets of the new room.
  let secrets: RoomSecrets
  /// Policy that names the new room.
  let levels: [PolicyLevel]

  /// Whether the new room's founding record names a member.
  func names(_ id: ParticipantID) -> Bool { secrets.founding.body.admitted.contains(id) }

  /// The way for a member that it names; nil: it cannot be sealed.
  func way(
    for id: ParticipantID, _ key: HybridPublicKey, behind scope: Scope, by keeper: Introduction, _ introductions: Introductions
  ) -> InnerMessage? {
    let founding = secrets.founding
    let bytes = levels.map { $0.bytes }
    let seal = RekeySeal(scope: scope, sender: keeper.id, recipient: id, policy: PolicyStack.id(levels: bytes), record: founding.id)
    guard let wrap = seal.seal(secrets, to: key) else { return nil }
    let authors = Set(levels.map { $0.author }).union([founding.author]).subtracting([keeper.id]).sorted()
    return .rekey(
      RekeyMessage(
        intro: keeper.bytes, levels: bytes, record: founding.bytes, wraps: [wrap],
        authors: authors.compactMap { introductions[$0]?.bytes }))
  }
}
