import UnisonoBase
import UnisonoWire

/// A message to many that is being sealed a slice at a time: a key agreement for each recipient, and a loop turn must not
/// take long (wire 5.4).
struct PrivateSealing {
  /// Recipients sealed in one loop turn.
  static let slice = 32

  let text: [UInt8]
  let key: Secret
  let scope: Scope
  let message: InnerMessage
  let everybody: [ParticipantID]
  /// Recipients without a wrap yet.
  var recipients: ArraySlice<(id: ParticipantID, key: AgreementPublicKey)>
  var wraps: [[UInt8]] = []
  /// Of the finished envelope.
  let header: EnvelopeHeader
  /// Content key of the header's record.
  let chain: Secret
  /// Time of the last slice; the next is due at once.
  var since: HostTime

  init(
    text: [UInt8], key: Secret, scope: Scope, recipients: [(id: ParticipantID, key: AgreementPublicKey)], message: InnerMessage,
    header: EnvelopeHeader, chain: Secret, since: HostTime
  ) {
    self.text = text
    self.key = key
    self.scope = scope
    self.message = message
    self.recipients = recipients[...]
    self.header = header
    self.chain = chain
    self.since = since
    everybody = recipients.map { $0.id }
  }
}
