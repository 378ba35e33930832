import UnisonoBase
import UnisonoReplica

/// The list of participants as the host was last told of it.
struct ParticipantNotifications: Sendable {
  /// Sorted by id; empty: it was never told.
  private var told: [ParticipantRow] = []
  /// Of the listing that was told; nil: none was.
  private var revision: UInt64?

  /// What changed in the list; nil: nothing. `list`: how its rows are shown now, in the group's item time.
  mutating func change(_ listing: borrowing ParticipantListing, as list: borrowing ParticipantList, _ facts: borrowing Facts)
    -> ParticipantsChange?
  {
    guard facts.session.joined, facts.session.participates, revision != listing.revision else { return nil }
    revision = listing.revision
    var change = ParticipantsChange(isComplete: told.isEmpty)
    // Both are sorted by id.
    var old = told[...]
    for row in listing.rows {
      while let first = old.first, first.view.id < row.view.id { change.left.append(Self.departed(old.removeFirst())) }
      guard old.first?.view.id == row.view.id else {
        change.joined.append(list.view(of: row))
        continue
      }
      if !Self.looksSame(old.removeFirst(), row) { change.updated.append(list.view(of: row)) }
    }
    change.left += old.map(Self.departed)
    told = listing.rows
    return change.joined.isEmpty && change.updated.isEmpty && change.left.isEmpty ? nil : change
  }

  /// What was told is the list that there is; nothing is told yet who has not joined.
  func isComplete(_ facts: borrowing Facts) -> Bool {
    guard facts.session.joined, facts.session.participates else { return true }
    let rows = facts.participantRows
    return rows.count == told.count && zip(rows, told).allSatisfy(Self.looksSame)
  }

  /// Who left, as it was: without what only counts of who is there.
  private static func departed(_ row: ParticipantRow) -> ParticipantView {
    var view = row.view
    view.roundTrip = nil
    view.clockError = nil
    return view
  }

  /// Measurements and moving positions are read, not notified.
  private static func looksSame(_ left: ParticipantRow, _ right: ParticipantRow) -> Bool {
    if left === right { return true }
    var view = left.view
    view.roundTrip = right.view.roundTrip
    view.clockError = right.view.clockError
    return view == right.view
  }
}
