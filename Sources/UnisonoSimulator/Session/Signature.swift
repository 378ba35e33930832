import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// Stands for signatures of policy levels: no cryptography, but nobody signs for another by mistake.
enum Signature {
  static func sign(_ body: [UInt8], by author: ParticipantID) -> [UInt8] {
    Digest.hash(author.bytes + body) + Digest.hash(body + author.bytes)
  }

  /// The message without levels that their authors did not sign.
  static func proven(_ message: CoordinationMessage) -> CoordinationMessage {
    guard case .levels(let levels) = message else { return message }
    return .levels(levels.filter { $0.signature == sign($0.body, by: $0.author) })
  }
}
