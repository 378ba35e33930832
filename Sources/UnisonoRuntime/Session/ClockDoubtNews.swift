import UnisonoBase

/// A participant's clock came into doubt, or is not any more: the hub, or that participant, does not tell the truth about time.
package struct ClockDoubtNews: Equatable, Sendable {
  /// Whose clock; the own id: this one's.
  package var participant: ParticipantID
  package var isOwn: Bool
  /// "host:port" of the hub in use, which all of them measure; "": none any more.
  package var hub: String
  /// The doubted clock minus the one that it was compared with, ns.
  package var offset: Nanoseconds
  package var isOver: Bool
  /// Of the other: of the own clock the most senior one who contradicts it, else whose it is.
  package var name: String

  /// One sentence for people.
  package var sentence: String {
    let distance = offset.absolute / .milliseconds(1)
    let direction = offset > 0 ? "ahead of" : "behind"
    return switch (isOwn, isOver) {
    case (true, false): "the clock here is \(distance) ms \(direction) that of \(name): the hub may not tell the truth about time"
    case (false, false): "the clock of \(name) is \(distance) ms \(direction) the one here: the hub may not tell it the truth about time"
    case (true, true): "the clock here agrees with the others' again"
    case (false, true): "the clock of \(name) is not in doubt any more"
    }
  }
}
