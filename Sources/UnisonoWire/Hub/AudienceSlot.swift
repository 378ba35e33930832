/// Slot of an audience: of each a hub keeps what was shown last, for those who come later.
package enum AudienceSlot: UInt8, Sendable, CaseIterable {
  /// What changes seldom, and is long.
  case programme = 0
  /// What plays.
  case line = 1

  /// Greatest length of an envelope in it, bytes: a plain text that is padded to 32,768, or 8,192.
  package var longest: Int {
    switch self {
    case .programme: 32_834
    case .line: 8_258
    }
  }
}
