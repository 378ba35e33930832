import UnisonoBase

/// Places of participants in the order by which the others go (wire 6.5): owners first, then who came in first.
///
/// Who came in by a record that is not known here is right after who is before it on the roster and of whom it is. That is found out for
/// all such together, as whoever came late knows it of few.
struct SeniorityRanks {
  private let owners: [ParticipantID]
  private let removed: Set<ParticipantID>
  private let founding: RecordID?
  private let roster: [ParticipantID]
  private let book: RecordBook
  /// Of those on the roster of whom it is not known by which record they came in; nil: not looked at yet.
  private var followers: [ParticipantID: (number: UInt32, index: Int)]?

  init(owners: [ParticipantID], removed: Set<ParticipantID>, founding: RecordID?, roster: [ParticipantID], book: RecordBook) {
    self.owners = owners
    self.removed = removed
    self.founding = founding
    self.roster = roster
    self.book = book
  }

  /// nil: it was removed.
  mutating func place(of id: ParticipantID) -> Seniority? {
    guard !removed.contains(id) else { return nil }
    if let owner = owners.firstIndex(of: id) { return Seniority(owner: owner, number: 0, index: 0, id: id) }
    let place = founding.flatMap { book.place(of: id, founding: $0) }.map { ($0.number, $0.index) } ?? follower(id)
    return Seniority(owner: owners.count, number: place?.0 ?? .max, index: place?.1 ?? .max, id: id)
  }

  private mutating func follower(_ id: ParticipantID) -> (UInt32, Int)? {
    if let followers { return followers[id] }
    var found: [ParticipantID: (number: UInt32, index: Int)] = [:]
    if let founding {
      var last = (number: UInt32(0), index: 0)
      for id in roster {
        if let place = book.place(of: id, founding: founding) {
          last = (place.number, place.index + 1)
        } else {
          found[id] = last
          last.index += 1
        }
      }
    }
    followers = found
    return found[id]
  }
}
