import UnisonoBase

/// Introductions that are known in a room: keys by id. The first one of an id wins (wire 5.1).
struct Introductions: Sendable {
  /// Far more than can matter, as `retain` lets go of the rest: 256 present, 256 who were here lately, and authors of what is
  /// said of the session and its items.
  static let limit = 2_048

  private(set) var all: [ParticipantID: Introduction] = [:]
  /// Persons of those whose introductions show one.
  private(set) var persons: [ParticipantID: ParticipantID] = [:]

  enum Outcome: Equatable { case added, known, conflict, full }

  subscript(id: ParticipantID) -> Introduction? { all[id] }

  /// What was received is proven: as one that is known here is by now, or by its signature.
  func prove(_ bytes: [UInt8], session: [UInt8]) throws(IntroductionError) -> Introduction {
    if let id = Introduction.author(of: bytes), let known = all[id], known.bytes == bytes { return known }
    return try Introduction(verifying: bytes, session: session)
  }

  mutating func add(_ introduction: Introduction) -> Outcome {
    if let known = all[introduction.id] {
      return known.agreementKey == introduction.agreementKey && known.hybridKey == introduction.hybridKey ? .known : .conflict
    }
    guard all.count < Self.limit else { return .full }
    all[introduction.id] = introduction
    if introduction.personKey != nil { persons[introduction.id] = ParticipantID(bytes: introduction.personID) }
    return .added
  }

  /// Forgets all others.
  mutating func retain(_ isKept: (ParticipantID) -> Bool) {
    all = all.filter { isKept($0.key) }
    if persons.contains(where: { !isKept($0.key) }) { persons = persons.filter { isKept($0.key) } }
  }
}
