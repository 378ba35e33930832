import UnisonoBase
import UnisonoReplica

/// The policy in force, as a channel goes by it: its levels, which newcomers are handed, and whom it put out.
struct ChannelPolicy: Sendable {
  private(set) var levels: [PolicyLevel] = []
  private(set) var removed: Set<ParticipantID> = []
  /// Creator of the session, by its invite: the owner as long as no level names others.
  private let root: ParticipantID

  init(root: ParticipantID) { self.root = root }

  mutating func set(_ levels: [PolicyLevel]) {
    self.levels = levels
    removed = levels.last?.terms.removed ?? []
  }

  var bytes: [[UInt8]] { levels.map { $0.bytes } }

  var authors: Set<ParticipantID> { Set(levels.map { $0.author }) }

  /// In order.
  var owners: [ParticipantID] { levels.last?.terms.owners ?? [root] }

  var isClosed: Bool { levels.last?.terms.isClosed == true }

  /// The founding record that it names for the room behind this door; nil: none.
  func founding(behind topic: [UInt8]) -> RecordID? { levels.last.flatMap { $0.terms.topic == topic ? $0.terms.founding : nil } }

  /// Whether it moved the session out of the room behind this door.
  func hasLeft(_ topic: [UInt8]) -> Bool { levels.last?.terms.former.contains(topic) == true }

  /// Whether a room's beginning gives way to another one: to that which the policy in force names, or a greater policy, by owners.
  /// Without any policy both are the root's, and the lesser one holds.
  func isOvertaken(_ founding: RecordID, by proven: ProvenRecord, behind topic: [UInt8]) -> Bool {
    let named = self.founding(behind: topic)
    if let named, named == proven.founding.id { return true }
    let origin = PolicyOrigin(root: root)
    guard let own = PolicyStack(levels: levels, origin: origin), let others = PolicyStack(levels: proven.levels, origin: origin)
    else { return false }
    guard named != nil || proven.levels.last?.terms.hasMoved == true else { return proven.founding.id < founding }
    return others.compare(own, origin: origin) == .greater && others.takeovers(origin: origin).allSatisfy { $0.isAccepted }
  }
}
