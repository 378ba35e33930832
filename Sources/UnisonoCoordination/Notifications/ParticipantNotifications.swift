import UnisonoBase
import UnisonoReplica

/// The list of participants as the host was last told of it.
struct ParticipantNotifications: Sendable {
  /// What the list is made of beside the own register, measurements and positions aside: as long as nothing of it changes, the
  /// list is the same.
  private struct Sources: Equatable, Sendable {
    var registers: UInt64
    var beyondRegisters: BeyondRegisters
  }

  private struct BeyondRegisters: Equatable, Sendable {
    var presence: UInt64
    var missedStarts: UInt64
    var phase: SessionPhase.Phase
    var linked: Bool
    var joined: Bool
  }

  /// Sorted by id; empty: it was never told.
  private var lastNotified: [ParticipantView] = []
  /// What `lastNotified` was made of.
  private var sources: Sources?
  private var own: ParticipantValue?

  /// What changed in the list; nil: nothing.
  mutating func change(_ facts: borrowing Facts) -> ParticipantsChange? {
    guard facts.session.joined, facts.session.participates else {
      sources = nil
      return nil
    }
    let sources = Sources(
      registers: facts.registers.visibleRevision,
      beyondRegisters: BeyondRegisters(
        presence: facts.presence.revision, missedStarts: facts.missed.revision, phase: facts.session.phase,
        linked: facts.session.linked, joined: facts.session.joined))
    if sources == self.sources, own?.isSameButForPosition(as: facts.own) ?? false { return nil }
    let isOfFew = sources.beyondRegisters == self.sources?.beyondRegisters && !facts.registers.changes.beyondParticipants
    self.sources = sources
    own = facts.own
    return isOfFew ? changeOfFew(facts) : changeOfAny(facts)
  }

  /// What changed, where that can only be those whose own register did, this participant among them.
  private mutating func changeOfFew(_ facts: borrowing Facts) -> ParticipantsChange? {
    var change = ParticipantsChange()
    let ids = (facts.registers.changes.participants + [facts.local]).sorted()
    for (place, id) in ids.enumerated() where place == 0 || ids[place - 1] != id {
      let index = lastNotified.partitioningIndex { $0.id >= id }
      let isListed = index < lastNotified.count && lastNotified[index].id == id
      guard let view = facts.participantView(of: id) else {
        if isListed { change.left.append(Self.departed(lastNotified.remove(at: index))) }
        continue
      }
      if !isListed {
        lastNotified.insert(view, at: index)
        change.joined.append(view)
      } else if !Self.looksSame(lastNotified[index], view) {
        lastNotified[index] = view
        change.updated.append(view)
      }
    }
    return change.joined.isEmpty && change.updated.isEmpty && change.left.isEmpty ? nil : change
  }

  private mutating func changeOfAny(_ facts: borrowing Facts) -> ParticipantsChange? {
    let views = facts.participantViews
    guard !lastNotified.isEmpty else {
      lastNotified = views
      return ParticipantsChange(isComplete: true, joined: views)
    }
    var change = ParticipantsChange()
    // Both are sorted by id.
    var old = lastNotified[...]
    for view in views {
      while let first = old.first, first.id < view.id { change.left.append(Self.departed(old.removeFirst())) }
      guard old.first?.id == view.id else {
        change.joined.append(view)
        continue
      }
      if !Self.looksSame(old.removeFirst(), view) { change.updated.append(view) }
    }
    change.left += old.map(Self.departed)
    guard !change.joined.isEmpty || !change.updated.isEmpty || !change.left.isEmpty else { return nil }
    lastNotified = views
    return change
  }

  /// What was told is the list that there is; nothing is told yet who has not joined.
  func isComplete(_ facts: borrowing Facts) -> Bool {
    guard facts.session.joined, facts.session.participates else { return true }
    let views = facts.participantViews
    return views.count == lastNotified.count && zip(views, lastNotified).allSatisfy(Self.looksSame)
  }

  /// Who left, as it was: without what only counts of who is there.
  private static func departed(_ view: ParticipantView) -> ParticipantView {
    var view = view
    view.position = nil
    view.roundTrip = nil
    view.clockError = nil
    return view
  }

  /// Measurements and moving positions are read, not notified.
  private static func looksSame(_ left: ParticipantView, _ right: ParticipantView) -> Bool {
    var left = left
    left.position = right.position
    left.roundTrip = right.roundTrip
    left.clockError = right.clockError
    return left == right
  }
}

extension Facts {
  /// One of the list of participants; nil: it is not on it.
  func participantView(of id: ParticipantID) -> ParticipantView? {
    guard id == local || presence.entries[id]?.left == false && !registers.hasLeft(id) else { return nil }
    let value = value(of: id)
    return participantView(id, value, on: value?.item.map { EffectiveState(registers.cells(of: $0)) } ?? .none)
  }

  /// The list of participants, sorted by id, the local one included.
  var participantViews: [ParticipantView] {
    var ids = [local]
    for (id, entry) in presence.entries where !entry.left && !registers.hasLeft(id) { ids.append(id) }
    ids.sort()
    var current: (item: ItemID, state: EffectiveState)?
    var views: [ParticipantView] = []
    views.reserveCapacity(ids.count)
    for id in ids {
      let value = value(of: id)
      // Most are on the same one.
      if let item = value?.item, current?.item != item { current = (item, EffectiveState(registers.cells(of: item))) }
      views.append(participantView(id, value, on: current?.state ?? .none))
    }
    return views
  }

  private func participantView(_ id: ParticipantID, _ value: ParticipantValue?, on state: EffectiveState)
    -> ParticipantView
  {
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
    if let value, let position = value.position, let at = value.positionAt {
      view.position = PlaybackReport.Position(itemTime: position, hostTime: clock.host(at: at))
    }
    view.roundTrip = id == local ? clock.roundTrip : entry?.hubDelay.map { $0.adding($0) }
    view.clockError = id == local ? clock.error(at: now) : entry?.clockError
    return view
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
