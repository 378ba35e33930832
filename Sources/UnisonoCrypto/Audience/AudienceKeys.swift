import UnisonoBase
import UnisonoWire

/// What the holder of a listening link opens with what publishers say (wire 8.27).
struct AudienceKeys: Sendable {
  let scope: Scope
  /// Named in headers, so that what was sealed by another link's secret is told apart.
  let epoch: EpochID
  private let chain: Secret

  init(_ link: AudienceLink) {
    scope = Scope(session: link.origin.session, topic: link.topic)
    chain = Secret.extract(salt: scope.session, material: link.secret).expand(.audience, link.topic)
    var reader = ByteReader(Hash.sha256(Label.audienceID.bytes + chain.bytes))
    epoch = EpochID(high: (try? reader.integer()) ?? 0, low: (try? reader.integer()) ?? 0)
  }

  /// The name under which a hub counts who says the same.
  func tag(of subject: TallySubject) -> UInt64 {
    var reader = ByteReader(chain.expand(.tally, [subject.kind.rawValue] + subject.bytes).bytes)
    return (try? reader.integer()) ?? 0
  }

  func sendKey(_ header: EnvelopeHeader) -> SendKey { SendKey(chain: chain, scope: scope, header: header) }
}
