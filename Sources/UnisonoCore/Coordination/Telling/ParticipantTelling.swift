/// The list of participants, and what else the host hears of the session.
extension Coordination {
  /// Sorted by id, the local one included.
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
    var view = ParticipantView(
      id: id, connection: connection(of: id), displayName: value?.displayName ?? "",
      deviceName: value?.deviceName ?? "",
      item: value?.item, suspensionReasons: value?.suspensions.map(\.reason) ?? [], isLocal: id == local,
      role: policies.role(of: id))
    view.ready = value.map { isReady($0, on: state) } ?? false
    view.rate = value?.rate ?? 0
    if let value, let position = value.position, let at = value.positionAt {
      view.position = PlaybackReport.Position(itemTime: position, hostTime: clock.host(at: at))
    }
    view.roundTrip = id == local ? clock.roundTrip : presence.entries[id]?.hubDelay.map { $0.adding($0) }
    view.clockError = id == local ? clock.error(at: now) : presence.entries[id]?.clockError
    return view
  }

  private func connection(of id: ParticipantID) -> ParticipantView.Connection {
    if id == local {
      if membership.linked { return membership.joined ? .connected : .connecting }
      return membership.joined ? .reconnecting : .none
    }
    guard presence.entries[id]?.connected == true, presence.ownLinkLost == nil else { return .reconnecting }
    return registers.hasParticipant(id) ? .connected : .connecting
  }

  /// Could start now: prepared for the start that is waited for, or nothing is to be prepared.
  private func isReady(_ value: ParticipantValue, on state: EffectiveState) -> Bool {
    guard value.item != nil, value.suspensions.isEmpty, value.stalled == nil else { return false }
    guard case .preparing(let preparation) = state else { return true }
    return value.ready == ParticipantValue.Readiness(base: preparation.pair, sequence: preparation.sequence)
  }

  mutating func tellSession() {
    tellParticipants()
    if told.suspensions != suspensions.reasons {
      told.suspensions = suspensions.reasons
      notices.append(.suspensionsChanged(suspensions.reasons))
    }
    // A confirmation is no news.
    if let statement = registers[.activity], case .activity(let activity) = statement.value,
      told.activity?.value != statement.value || told.activity?.said != statement.said
    {
      let author = statement.said.author
      notices.append(.activityChanged(activity, originator: author == local ? .none : author))
      told.activity = statement
    }
    if let end = registers[.end], !membership.isOver {
      membership.isOver = true
      notices.append(.invalidated(.ended(by: end.author)))
    }
  }

  private mutating func tellParticipants() {
    guard membership.joined, membership.participates else { return }
    let sources = ParticipantSources(
      registers: registers.visibleRevision, presence: presence.revision, phase: membership.phase,
      linked: membership.linked, joined: membership.joined)
    if sources == told.participantSources, told.me?.isSameButForPosition(as: me) ?? false { return }
    told.participantSources = sources
    told.me = me
    let views = participantViews
    guard let before = told.participants else {
      told.participants = views
      notices.append(.participantsChanged(ParticipantsChange(isComplete: true, joined: views)))
      return
    }
    var change = ParticipantsChange()
    // Both are sorted by id.
    var old = before[...]
    for view in views {
      while let first = old.first, first.id < view.id { change.left.append(old.removeFirst()) }
      guard old.first?.id == view.id else {
        change.joined.append(view)
        continue
      }
      if !Self.looksSame(old.removeFirst(), view) { change.updated.append(view) }
    }
    change.left += old
    guard !change.joined.isEmpty || !change.updated.isEmpty || !change.left.isEmpty else { return }
    told.participants = views
    notices.append(.participantsChanged(change))
  }

  /// Measurements and moving positions are read, not told.
  private static func looksSame(_ left: ParticipantView, _ right: ParticipantView) -> Bool {
    var left = left
    left.position = right.position
    left.roundTrip = right.roundTrip
    left.clockError = right.clockError
    return left == right
  }
}
