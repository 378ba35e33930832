import UnisonoBase
import UnisonoWire

/// Door secret and content key of the room that the session moves to, handed to one who may follow (wire 6.6).
struct RekeySeal {
  /// Of the room that is left.
  let scope: Scope
  /// Participant that hands it over: the author of the re-key, or the relocation keeper.
  let sender: ParticipantID
  let recipient: ParticipantID
  /// Id of the policy that names the new room.
  let policy: PolicyID
  /// The new room's founding record.
  let record: RecordID

  private var info: [UInt8] {
    Label.rekey.bytes + scope.bytes + sender.bytes + recipient.bytes + policy.bytes + record.bytes
  }

  /// id ‖ HPKE(door secret ‖ content key), 1,216 bytes.
  func seal(_ secrets: RoomSecrets, to key: HybridPublicKey) -> [UInt8]? {
    var plain = SecretBuffer(capacity: 2 * Secret.length)
    plain.append(secrets.door)
    plain.append(secrets.chain)
    return key.seal(plain, info: info).map { recipient.bytes + $0 }
  }

  /// nil: not for this recipient by this sender, or not with this policy and record.
  func open(_ wrap: [UInt8], with key: HybridKey) -> (door: Secret, chain: Secret)? {
    guard wrap.count == RekeyMessage.wrapLength, wrap.starts(with: recipient.bytes),
      let plain = key.open(Array(wrap.dropFirst(16)), info: info), plain.count == 2 * Secret.length,
      let door = plain.secret(at: 0), let chain = plain.secret(at: Secret.length)
    else { return nil }
    return (door, chain)
  }
}
