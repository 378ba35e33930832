import UnisonoBase

/// The participants of a session as the own host sees them at an instant, sorted by id, the local one included.
///
/// A value that costs the same whatever their number: an element is made when it is read, of what was known at that instant.
package struct ParticipantList: RandomAccessCollection, Equatable, Sendable {
  private let rows: [ParticipantRow]
  private let clock: GroupClock.Base
  /// nil: the own copy's item time is the group's.
  private let border: CutBorder?
  /// What is measured of the local one.
  private let own: OwnMeasurement
  /// Persons by their devices, and how others are split from this one, whom the session knows: a number of `SplitChange.Kind`s.
  package var persons: [ParticipantID: ParticipantID] = [:]
  package var splits: [ParticipantID: UInt32] = [:]

  struct OwnMeasurement: Sendable {
    var roundTrip: Nanoseconds?
    var clockError: Nanoseconds?
  }

  /// Nobody.
  package init() { self.init([], clock: .own, border: nil, own: OwnMeasurement()) }

  init(_ rows: [ParticipantRow], clock: GroupClock.Base, border: CutBorder?, own: OwnMeasurement) {
    self.rows = rows
    self.clock = clock
    self.border = border
    self.own = own
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { rows.count }

  package subscript(index: Int) -> ParticipantView { view(of: rows[index]) }

  func view(of row: ParticipantRow) -> ParticipantView {
    var view = row.view
    if let place = row.place {
      let itemTime = border?.outward(place.itemTime, in: view.item) ?? place.itemTime
      view.position = PlaybackReport.Position(itemTime: itemTime, hostTime: clock.host(at: place.at))
    }
    if view.isLocal {
      view.roundTrip = own.roundTrip
      view.clockError = own.clockError
    }
    if let person = persons[view.id] { view.person = person }
    if !splits.isEmpty { view.split = splits[view.id] ?? 0 }
    return view
  }

  /// Another one is there and on this item.
  func hasOther(on item: ItemID?) -> Bool {
    rows.contains { !$0.view.isLocal && $0.view.connection == .connected && $0.view.item == item }
  }

  package static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }
}
