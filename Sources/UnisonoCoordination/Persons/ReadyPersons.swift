import UnisonoBase
import UnisonoReplica

/// Which persons a start waits for (coordination 2.16).
extension Facts {
  /// Persons that are not ready and waited for now, each by the lowest of its devices that the start requires, ascending.
  func unready(for preparation: EffectiveState.Preparation, cells: Cells, item: ItemID) -> [ParticipantID] {
    guard let until = preparation.readyUntil, groupNow < until else { return [] }
    return unreadyPersons(for: cells, on: item)
  }

  /// The same, whatever the time.
  func unreadyPersons(for cells: Cells, on item: ItemID) -> [ParticipantID] {
    let words = personWords
    // Who commands a start wants it, whatever it said before.
    var looked: Set<ParticipantID> = [persons.person(of: cells.pair.rate.stamp.author)]
    for id in cells.excused { looked.insert(persons.person(of: id)) }
    return required(for: cells, on: item).filter { id in
      let person = persons.person(of: id)
      return looked.insert(person).inserted && words[person] != .ready
    }
  }

  /// Whether the person at a participant is ready.
  func isReadyPerson(_ id: ParticipantID) -> Bool { personWords[persons.person(of: id)] == .ready }

  /// What the persons who are here say: ready if a device of theirs says so, and none says otherwise.
  private var personWords: [ParticipantID: ReadyWord] {
    var words = [persons.person(of: local): own.word]
    for id in roster.others {
      guard let word = registers.standing(of: id)?.word, word != .notSaid else { continue }
      let person = persons.person(of: id)
      if words[person] != .notReady { words[person] = word }
    }
    return words
  }
}
