import UnisonoWire

/// Names under which a hub counts what listeners of one link say (wire 8.31): who does not have the link cannot tell what is counted.
package struct TallyTags: Sendable {
  private let keys: AudienceKeys

  package init(_ link: AudienceLink) { keys = AudienceKeys(link) }

  package func tag(of subject: TallySubject) -> UInt64 { keys.tag(of: subject) }
}
