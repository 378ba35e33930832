import UnisonoBase

/// The introductions of a room: keys by id. The first one of an id wins (wire 5.1).
struct Roster: Sendable {
  /// Far more than can matter, as `retain` lets go of the rest: 256 present, 256 who were here lately, and authors of what is
  /// said of the session and its items.
  static let limit = 2_048

  private(set) var introductions: [ParticipantID: Introduction] = [:]

  enum Outcome: Equatable { case added, known, conflict, full }

  subscript(id: ParticipantID) -> Introduction? { introductions[id] }

  mutating func add(_ introduction: Introduction) -> Outcome {
    if let known = introductions[introduction.id] {
      return known.agreementKey == introduction.agreementKey ? .known : .conflict
    }
    guard introductions.count < Self.limit else { return .full }
    introductions[introduction.id] = introduction
    return .added
  }

  /// Forgets all others.
  mutating func retain(_ isKept: (ParticipantID) -> Bool) {
    introductions = introductions.filter { isKept($0.key) }
  }
}
