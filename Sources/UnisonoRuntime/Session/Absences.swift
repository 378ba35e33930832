import UnisonoBase

/// Participants whose link was lost, with the times of it: messages are repeated for those who return, and their hubs stay known.
struct Absences {
  /// Host time of each loss.
  private(set) var since: [ParticipantID: HostTime] = [:]

  /// Its link was lost just now; `left`: it went on purpose.
  mutating func departed(_ id: ParticipantID, left: Bool, now: HostTime) { since[id] = left ? nil : now }

  /// It is not where this participant is now, and was not known to be gone.
  mutating func missing(_ id: ParticipantID, since time: HostTime) { since[id] = since[id] ?? time }

  /// It is back; host time of its loss, nil: it was not lost.
  mutating func returned(_ id: ParticipantID) -> HostTime? { since.removeValue(forKey: id) }

  /// Forgets those who were lost first, but for `most`: one who returns later does so as a newcomer.
  mutating func forget(allBut most: Int) -> [ParticipantID] {
    let excess = since.count - most
    guard excess > 0 else { return [] }
    let oldest = since.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(excess).map { $0.key }
    for id in oldest { since[id] = nil }
    return oldest
  }
}
