import UnisonoBase
import UnisonoCoordination

/// Who came and who went, each told once and by name.
///
/// A name may come a moment after its participant, with its register: the coming is told then. Who left before is not told of.
struct Arrivals {
  /// Participants whose coming was told, with the name by which it was.
  private var told: [ParticipantID: String] = [:]
  /// Participants that were there before this one and have no name yet.
  private var found: Set<ParticipantID> = []

  /// News of a change of the list.
  mutating func news(of change: ParticipantsChange) -> [PersonNotice] {
    var news: [PersonNotice] = []
    for participant in change.joined + change.updated where !participant.isLocal && told[participant.id] == nil {
      if change.isComplete { found.insert(participant.id) }
      guard !participant.displayName.isEmpty else { continue }
      let wasThere = found.remove(participant.id) != nil
      told[participant.id] = participant.displayName
      news.append(
        PersonNotice(kind: wasThere ? .present : .joined, participant: participant.id, name: participant.displayName))
    }
    for participant in change.left {
      found.remove(participant.id)
      guard let name = told.removeValue(forKey: participant.id) else { continue }
      news.append(PersonNotice(kind: .left, participant: participant.id, name: name))
    }
    return news
  }
}
