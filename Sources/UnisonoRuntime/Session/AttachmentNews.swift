import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// Something that happened to an attachment, for the host.
package struct AttachmentNews: Equatable, Sendable {
  package enum Change: Int32, Sendable {
    case added = 0, removed, progress, loaded, failed
    /// Bytes that others gave were not it; it is asked of others.
    case forged
    /// What this participant gave to others is not readable any more, or has changed.
    case lost
  }

  /// Why it failed; `none`: it did not.
  package enum Reason: Equatable, Sendable {
    case none, notFound, forged, cancelled, removed, file, exists, tooBig, full, busy
  }

  package var change: Change
  /// `slot.author` `.none`: it was never offered.
  package var offer: AttachmentOffer
  /// All of it is here.
  package var isHeld = false
  /// The number of the own call that offered it; 0: another's, or from before.
  package var request: UInt64 = 0
  package var transferred: UInt64 = 0
  package var reason = Reason.none
  /// Whose bytes were not it; `.none`: several gave some, and nobody knows which ones.
  package var participant = ParticipantID.none
  /// The same for people.
  package var message = ""
}

/// An attachment as it is listed.
package struct ListedAttachment: Equatable, Sendable {
  package var offer: AttachmentOffer
  package var isHeld: Bool

  package init(offer: AttachmentOffer, isHeld: Bool) {
    self.offer = offer
    self.isHeld = isHeld
  }
}
