import UnisonoCore

/// A message to many that is being sealed a slice at a time: a key agreement for each recipient, and a loop turn must not
/// take long (wire 5.4).
struct PrivateSealing {
  /// So many recipients in one loop turn.
  static let slice = 32

  let text: [UInt8]
  let key: Secret
  let scope: Scope
  let message: InnerMessage
  let everybody: [ParticipantID]
  /// Those who have no wrap yet.
  var recipients: ArraySlice<(id: ParticipantID, key: AgreementPublicKey)>
  var wraps: [[UInt8]] = []
  /// Under which it will go.
  var header: EnvelopeHeader?
  var epoch: Epoch?
  /// When the last slice was sealed: the next is due.
  var since: HostTime = .min

  init(
    text: [UInt8], key: Secret, scope: Scope, recipients: [(id: ParticipantID, key: AgreementPublicKey)],
    message: InnerMessage
  ) {
    self.text = text
    self.key = key
    self.scope = scope
    self.message = message
    self.recipients = recipients[...]
    everybody = recipients.map(\.id)
  }

  /// What is said while a message is being sealed.
  enum Behind {
    case all([ParticipantID]?, unordered: Bool, content: (EnvelopeHeader) -> [UInt8]?)
    case some(InnerMessage, [ParticipantID], unordered: Bool)
  }
}
