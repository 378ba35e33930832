import UnisonoBase
import UnisonoReplica

/// The rows of the list of participants, of which those alone are made anew that may say something else.
///
/// What the rows are made of has an owner each, who counts its changes; whoever changes what a row shows counts that. The simulator
/// compares the rows now and then with rows that are all made from nothing (`brokenDerivations`).
struct ParticipantListing: Sendable {
  /// What rows of all participants depend on.
  private struct Common: Equatable, Sendable {
    /// Cells, policies, the playlist.
    var registers: UInt64
    var missedStarts: UInt64
    var linked: Bool
    var joined: Bool
  }

  /// Sorted by id, the local one included; empty: nothing was listed yet.
  private(set) var rows: [ParticipantRow] = []
  /// Another number once a row is another, or not there.
  private(set) var revision: UInt64 = 0
  /// Rows that were made up to now: what all of this costs.
  private(set) var made: UInt64 = 0
  private var common: Common?
  /// The own register as it was listed.
  private var own: ParticipantValue?
  /// So many changes of registers and of presence are in the rows.
  private var registers: UInt64 = 0
  private var presence: UInt64 = 0

  mutating func update(_ facts: borrowing Facts) {
    let common = Common(
      registers: facts.registers.commonRevision, missedStarts: facts.missed.revision, linked: facts.session.linked,
      joined: facts.session.joined)
    // As in most turns nobody else's row can say something else.
    if common == self.common, registers == facts.registers.participantChanges.count, presence == facts.presence.changes.count {
      return replaceOwn(facts)
    }
    defer {
      registers = facts.registers.participantChanges.count
      presence = facts.presence.changes.count
    }
    guard common == self.common, let said = facts.registers.participantChanges.changes(after: registers),
      let seen = facts.presence.changes.changes(after: presence)
    else {
      self.common = common
      own = facts.own
      return replaceAll(facts)
    }
    for id in Set(said).union(seen) where id != facts.local { replace(id, facts) }
    replaceOwn(facts)
  }

  private mutating func replaceOwn(_ facts: borrowing Facts) {
    guard own != facts.own else { return }
    own = facts.own
    replace(facts.local, facts)
  }

  /// Once it is up to date it says what it would say had it been made from nothing.
  func isRight(_ facts: borrowing Facts) -> Bool {
    var listing = self
    listing.update(facts)
    return listing.rows.elementsEqual(facts.participantRows) { $0.isSame(as: $1) }
  }

  private mutating func replaceAll(_ facts: borrowing Facts) {
    let new = facts.participantRows
    made &+= UInt64(new.count)
    var old = rows[...]
    var isSame = new.count == rows.count
    rows = new.map { row in
      while let first = old.first, first.view.id < row.view.id { old.removeFirst() }
      guard let first = old.first, first.isSame(as: row) else {
        isSame = false
        return row
      }
      return first
    }
    if !isSame { revision &+= 1 }
  }

  private mutating func replace(_ id: ParticipantID, _ facts: borrowing Facts) {
    let index = rows.partitioningIndex { $0.view.id >= id }
    let listed = index < rows.count && rows[index].view.id == id ? rows[index] : nil
    guard let row = facts.participantRow(of: id) else {
      guard listed != nil else { return }
      rows.remove(at: index)
      revision &+= 1
      return
    }
    made &+= 1
    if let listed, listed.isSame(as: row) { return }
    if listed == nil { rows.insert(row, at: index) } else { rows[index] = row }
    revision &+= 1
  }
}

extension Facts {
  /// One of the list of participants; nil: it is not on it.
  func participantRow(of id: ParticipantID) -> ParticipantRow? {
    guard id == local || presence.entries[id]?.left == false && !registers.hasLeft(id) else { return nil }
    let value = value(of: id)
    return participantRow(id, value, on: value?.item.map { EffectiveState(registers.cells(of: $0)) } ?? .none)
  }

  /// The list of participants, made from nothing: sorted by id, the local one included.
  var participantRows: [ParticipantRow] {
    var ids = [local]
    for (id, entry) in presence.entries where !entry.left && !registers.hasLeft(id) { ids.append(id) }
    ids.sort()
    var current: (item: ItemID, state: EffectiveState)?
    var rows: [ParticipantRow] = []
    rows.reserveCapacity(ids.count)
    for id in ids {
      let value = value(of: id)
      // Most are on the same one.
      if let item = value?.item, current?.item != item { current = (item, EffectiveState(registers.cells(of: item))) }
      rows.append(participantRow(id, value, on: current?.state ?? .none))
    }
    return rows
  }

  private func participantRow(_ id: ParticipantID, _ value: ParticipantValue?, on state: EffectiveState) -> ParticipantRow {
    let entry = presence.entries[id]
    var view = ParticipantView(
      id: id, connection: connection(of: id, entry, isKnown: value != nil), displayName: value?.displayName ?? "",
      deviceName: value?.deviceName ?? "",
      item: value?.item, suspensionReasons: value?.suspensions.map({ $0.reason }) ?? [], isLocal: id == local,
      role: policies.role(of: id))
    view.failure = value?.suspensions.first { $0.status != 0 }?.status ?? 0
    view.ready = value.map { couldStart($0, on: state) } ?? false
    view.word = value?.word ?? .notSaid
    view.cutOffset = value.map { cutOffset(of: $0, at: $0.item) } ?? 0
    view.isGivenUp = missed.isGivenUp(id)
    view.rate = value?.rate ?? 0
    view.roundTrip = entry?.hubDelay.map { $0.adding($0) }
    view.clockError = entry?.clockError
    var place: ParticipantRow.Place?
    if let value, let position = value.position, let at = value.positionAt { place = ParticipantRow.Place(itemTime: position, at: at) }
    return ParticipantRow(view, place: place)
  }

  /// `isKnown`: its register is here.
  private func connection(of id: ParticipantID, _ entry: Presence.Entry?, isKnown: Bool) -> ParticipantView.Connection {
    if id == local {
      if session.linked { return session.joined ? .connected : .connecting }
      return session.joined ? .reconnecting : .none
    }
    guard entry?.connected == true, presence.ownLinkLost == nil else { return .reconnecting }
    return isKnown ? .connected : .connecting
  }

  /// Prepared for the start that is waited for, or nothing is to be prepared.
  private func couldStart(_ value: ParticipantValue, on state: EffectiveState) -> Bool {
    guard value.item != nil, value.suspensions.isEmpty, value.stalled == nil else { return false }
    guard case .preparing(let preparation) = state else { return true }
    return value.ready == ParticipantValue.Readiness(base: preparation.pair, sequence: preparation.sequence)
  }
}
