import UnisonoBase

/// A session at its beginning: policy version zero, part of every invite and bound into every key.
///
/// It is not signed: whoever is given other origin bytes derives other keys and meets nobody.
package struct Origin: Hashable, Sendable {
  package static let version: UInt8 = 2
  static let length = 19

  /// The creator, owner from the start.
  package var root: ParticipantID
  /// Number of `unisono_control_policy`.
  package var controlPolicy: UInt8
  /// Number of `unisono_role` that joiners get.
  package var joinerRole: UInt8

  package init(root: ParticipantID, controlPolicy: UInt8, joinerRole: UInt8) {
    self.root = root
    self.controlPolicy = controlPolicy
    self.joinerRole = joinerRole
  }

  /// Reads `bytes`; nil: of another version, or not as many.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.length, bytes[0] == Self.version, let root = ParticipantID(bytes: bytes[1..<17]) else { return nil }
    self.init(root: root, controlPolicy: bytes[17], joinerRole: bytes[18])
  }

  /// version ‖ root(16) ‖ control policy ‖ joiner role.
  package var bytes: [UInt8] { [Self.version] + root.bytes + [controlPolicy, joinerRole] }

  /// The session's 32-byte name, constant for its life: H(Lab("session") ‖ origin).
  package var session: [UInt8] { Hash.sha256(Label.session.bytes + bytes) }
}
