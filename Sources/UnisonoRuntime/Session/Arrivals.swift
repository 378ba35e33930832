import UnisonoBase
import UnisonoCoordination

/// Who came and who went, each told once and by name.
///
/// A name may come a moment after its participant, with its register: the coming is told then. Who left before is not told of.
/// Registers of those who were there are here before the first list is told, so who has no name in it is on its way in.
struct Arrivals {
  /// Participants whose coming was told, with the name by which it was.
  private var told: [ParticipantID: String] = [:]

  /// News of a change of the list.
  mutating func news(of change: ParticipantsChange) -> [PersonNotice] {
    var news: [PersonNotice] = []
    for participant in change.joined + change.updated 
    where !participant.isLocal && !participant.displayName.isEmpty && told[participant.id] == nil {
      told[participant.id] = participant.displayName
      news.append(
        PersonNotice(kind: change.isComplete ? .present : .joined, participant: participant.id, name: participant.displayName))
    }
    for participant in change.left {
      guard let name = told.removeValue(forKey: participant.id) else { continue }
      news.append(PersonNotice(kind: .left, participant: participant.id, name: name))
    }
    return news
  }
}
