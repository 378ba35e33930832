import UnisonoBase
import UnisonoWire

/// Door secret and content key of the room that the session moves to, handed to one who may follow (wire 6.3).
struct RekeySeal {
  let scope: Scope
  /// Participant that hands it over: the author of the re-key, or the relocation keeper.
  let sender: ParticipantID
  let recipient: ParticipantID
  /// Id of the policy that names the new room.
  let policy: PolicyID

  private var info: [UInt8] {
    Label.rekey.bytes + scope.bytes + sender.bytes + recipient.bytes + policy.bytes
  }

  /// id ‖ HPKE(door secret ‖ content key), 128 bytes.
  func seal(_ secrets: RoomSecrets, to key: AgreementPublicKey) -> [UInt8]? {
    var plain = SecretBuffer(capacity: 2 * Secret.length)
    plain.append(secrets.door)
    plain.append(secrets.chain)
    return HPKESeal.seal(plain, to: key, info: info).map { recipient.bytes + $0 }
  }

  /// nil: not for this recipient by this sender, or not with this policy.
  func open(_ wrap: [UInt8], with key: AgreementKey) -> RoomSecrets? {
    guard wrap.count == RekeyMessage.wrapLength, wrap.starts(with: recipient.bytes),
      let plain = HPKESeal.open(Array(wrap.dropFirst(16)), with: key, info: info), plain.count == 2 * Secret.length,
      let door = plain.secret(at: 0), let chain = plain.secret(at: Secret.length)
    else { return nil }
    return RoomSecrets(door: door, chain: chain)
  }
}
