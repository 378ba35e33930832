import UnisonoBase
import UnisonoReplica

/// The others who are present and take part, by the item that they are on: derived of the registers and of presence when one of
/// these changes, as it is asked for many times a turn.
struct Roster: Sendable {
  /// Revisions of what it was derived of.
  private struct Sources: Equatable, Sendable {
    var places: UInt64
    var presence: UInt64
  }

  /// Others who are present and have a register, ascending: who only reads along has none.
  private(set) var others: [ParticipantID] = []
  /// Those of them who wish for a role, ascending.
  private(set) var wishing: [ParticipantID] = []
  /// Those of them who stall, ascending.
  private(set) var stalling: [ParticipantID] = []
  private var byItem: [ItemID: [ParticipantID]] = [:]
  private var sources = Sources(places: 0, presence: 0)

  mutating func update(_ registers: borrowing RegisterStore, _ presence: borrowing Presence) {
    let sources = Sources(places: registers.placesRevision, presence: presence.revision)
    guard sources != self.sources else { return }
    self.sources = sources
    others.removeAll(keepingCapacity: true)
    wishing.removeAll(keepingCapacity: true)
    stalling.removeAll(keepingCapacity: true)
    byItem.removeAll(keepingCapacity: true)
    for id in presence.present {
      guard let place = registers.place(of: id) else { continue }
      others.append(id)
      if place.roleWish != 0 { wishing.append(id) }
      if place.stalls { stalling.append(id) }
      if let item = place.item, !place.left { byItem[item, default: []].append(id) }
    }
  }

  /// Those on an item who have not left, ascending.
  func others(on item: ItemID) -> [ParticipantID] { byItem[item] ?? [] }

  func contains(_ id: ParticipantID) -> Bool {
    let index = others.partitioningIndex { $0 >= id }
    return index < others.count && others[index] == id
  }
}
