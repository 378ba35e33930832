import UnisonoBase
import UnisonoReplica

/// Who goes before whom where participants are told differently (wire 6.5): owners in their order, then who is on the roster in its
/// order, then all others by id.
struct SeniorityOrder: Sendable {
  private let places: [ParticipantID: Int]

  init(owners: [ParticipantID], roster: [ParticipantID]) {
    var places: [ParticipantID: Int] = [:]
    for id in owners + roster where places[id] == nil { places[id] = places.count }
    self.places = places
  }

  func isSenior(_ first: ParticipantID, _ second: ParticipantID) -> Bool {
    (places[first] ?? .max, first) < (places[second] ?? .max, second)
  }
}

extension Facts {
  var seniority: SeniorityOrder { SeniorityOrder(owners: policies.terms.owners, roster: readers) }
}
