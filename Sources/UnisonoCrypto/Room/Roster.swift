import UnisonoCore

/// The introductions of a room: keys by id. The first one of an id wins (wire-and-security 5.1).
struct Roster: Sendable {
  /// 256 present and 256 authors.
  static let limit = 512

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

  /// Drops one that may be dropped, to make room; nil: none.
  mutating func forget(where isDroppable: (ParticipantID) -> Bool) -> ParticipantID? {
    guard let id = introductions.keys.filter(isDroppable).min() else { return nil }
    introductions[id] = nil
    return id
  }

  /// In the order of ids, so that equal rosters look equal on the wire.
  var bytes: [[UInt8]] { introductions.sorted { $0.key < $1.key }.map(\.value.bytes) }
}
