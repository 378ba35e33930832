import UnisonoBase

/// The replicated registers: of each the greatest statement received (coordination 2.3, 2.4).
package struct RegisterStore: Sendable {
  package private(set) var statements: [RegisterKey: Statement] = [:]
  /// What `statements` say of each item, and where participants are: asked for many times a turn, changed seldom.
  private var items: [ItemID: Cells] = [:]
  private var places: [ParticipantID: Place] = [:]
  private var standings: [ParticipantID: Standing] = [:]
  /// What the session waits for; nil: nobody set it.
  package private(set) var stallPolicy: StallPolicy?
  /// What happens at the end of an item; nil: nobody set it.
  package private(set) var actionAtEnd: ActionAtEnd?
  /// What starts wait for beside players; nil: nobody set it.
  package private(set) var startPolicy: StartPolicy?
  /// Which ranges of entries are left out; nil: nobody set it.
  package private(set) var skipPolicy: SkipPolicy?
  /// What was scheduled last, and who said so; nil: nothing, or it was called off.
  package private(set) var scheduledStart: (value: ScheduledStart, said: Stamp)?
  /// The audience, and who speaks to it since when; nil: there is none.
  package private(set) var audience: (value: AudienceValue, said: Stamp)?
  /// Where the group is in the playlist, and who said so when; nil: nowhere.
  package private(set) var playlistCurrent: (value: PlaylistCurrent, said: Stamp)?
  package private(set) var playlist = Playlist()
  /// What all cells and continuations count together.
  package private(set) var itemWeight = 0
  /// Counts changes, so that what is derived of the registers need not be derived anew.
  package private(set) var revision: UInt64 = 0
  /// Counts those that are more than a participant's moving position.
  package private(set) var visibleRevision: UInt64 = 0
  /// Counts those of registers that are nobody's own, and of the policy.
  package private(set) var commonRevision: UInt64 = 0
  /// Whose registers changed, in a moving position, too.
  package private(set) var participantChanges = ChangeLog<ParticipantID>()
  /// Counts those of where participants are, and of which items there are.
  package private(set) var placesRevision: UInt64 = 0
  /// Counts those of what is offered to the group.
  package private(set) var attachmentRevision: UInt64 = 0
  /// What changed since the end of the last turn; new registers are a change of everything.
  package private(set) var changes = Changes(beyondParticipants: true)
  package private(set) var order: RegisterOrder
  package var policies: PolicyOrder {
    get { order.cells.policies }
    set {
      order.cells.policies = newValue
      revision &+= 1
      changedCommon()
      // Which continuations count depends on the order of policies.
      for item in Array(items.keys) { items[item] = deriveCells(of: item) }
    }
  }

  /// What is asked of a participant's register most.
  package struct Place: Equatable, Sendable {
    package var item: ItemID?
    package var left: Bool
    package var stalls: Bool
    /// The number of the role that it wishes for; 0: none.
    package var roleWish: UInt8

    package init(_ value: ParticipantValue) {
      item = value.item
      left = value.left
      stalls = value.stalled != nil
      roleWish = value.roleWish
    }
  }

  /// What decides whether a start waits for a participant, which is asked of all of them at once.
  package struct Standing: Sendable {
    package var suspensions: [ParticipantValue.SuspensionReason]
    package var availableSince: GroupTime?
    package var ready: ParticipantValue.Readiness?
    package var isApart: Bool
    package var word: ReadyWord

    package init(_ value: ParticipantValue) {
      suspensions = value.suspensions
      availableSince = value.availableSince
      ready = value.ready
      isApart = value.isApart
      word = value.word
    }
  }

  /// Whether anybody's register changed in more than a moving position, and whether any other register, or the policy, did.
  package struct Changes: Sendable {
    package fileprivate(set) var ofParticipants = false
    package fileprivate(set) var beyondParticipants: Bool
  }

  package init(policies: PolicyOrder) { order = RegisterOrder(policies: policies) }

  /// Forgets every register. What was derived of these is of another revision.
  package mutating func removeAll() {
    let before = revision
    let list = playlist.emptied()
    var log = participantChanges
    log.recordAll()
    self = RegisterStore(policies: policies)
    playlist = list
    participantChanges = log
    (revision, visibleRevision, commonRevision, placesRevision) = (before &+ 1, before &+ 1, before &+ 1, before &+ 1)
    attachmentRevision = before &+ 1
  }

  package subscript(key: RegisterKey) -> Statement? { statements[key] }

  /// Keeps the greater of the present and the given statement; returns whether that changed the register.
  @discardableResult
  package mutating func merge(_ statement: Statement) -> Bool {
    if let present = statements[statement.key],
      order.compare(statement, present, backwards: isBackwards(statement)) != .greater
    {
      return false
    }
    put(statement, at: statement.key)
    return true
  }

  /// What changed up to now was looked at.
  package mutating func endTurn() {
    changes.ofParticipants = false
    changes.beyondParticipants = false
  }

  package mutating func remove(_ key: RegisterKey) { put(nil, at: key) }

  /// Puts a register back to what it was; only for statements that nobody else ever received.
  package mutating func restore(_ key: RegisterKey, to statement: Statement?) { put(statement, at: key) }

  private mutating func put(_ statement: Statement?, at key: RegisterKey) {
    revision &+= 1
    if case .participant(let id) = key { return putParticipant(statement, of: id) }
    changedCommon()
    if let item = key.item {
      if (statements[key] == nil) != (statement == nil) { placesRevision &+= 1 }
      itemWeight += (statement?.weight ?? 0) - (statements[key]?.weight ?? 0)
      statements[key] = statement
      items[item] = deriveCells(of: item)
    } else {
      if case .playlistEntry(let id) = key { playlist.replace(id, statements[key], by: statement) }
      statements[key] = statement
      derive(key, from: statement)
    }
  }

  private mutating func changedCommon() {
    visibleRevision &+= 1
    commonRevision &+= 1
    changes.beyondParticipants = true
  }

  /// What is asked for in every turn, and changed seldom.
  private mutating func derive(_ key: RegisterKey, from statement: Statement?) {
    switch key {
    // Never one that was there before, also not before all was forgotten.
    case .attachment: attachmentRevision = revision
    case .stallPolicy:
      if case .stallPolicy(let policy)? = statement?.value { stallPolicy = policy } else { stallPolicy = nil }
    case .actionAtEnd:
      if case .actionAtEnd(let action)? = statement?.value { actionAtEnd = action } else { actionAtEnd = nil }
    case .startPolicy:
      if case .startPolicy(let policy)? = statement?.value { startPolicy = policy } else { startPolicy = nil }
    case .skipPolicy:
      if case .skipPolicy(let policy)? = statement?.value { skipPolicy = policy } else { skipPolicy = nil }
    case .scheduledStart:
      scheduledStart = nil
      if let statement, case .scheduledStart(let start?) = statement.value { scheduledStart = (start, statement.said) }
    case .audience:
      audience = nil
      if let statement, case .audience(let value?) = statement.value { audience = (value, statement.said) }
    case .playlistCurrent:
      playlistCurrent = nil
      if let statement, case .playlistCurrent(let current) = statement.value { playlistCurrent = (current, statement.said) }
    default: break
    }
  }

  private mutating func putParticipant(_ statement: Statement?, of id: ParticipantID) {
    participantChanges.record(id)
    let before = participant(id)
    statements[.participant(id)] = statement
    let after = participant(id)
    if let before, let after, before.isSameButForPosition(as: after) { return }
    visibleRevision &+= 1
    changes.ofParticipants = true
    standings[id] = after.map(Standing.init)
    let place = after.map(Place.init)
    guard place != places[id] else { return }
    places[id] = place
    placesRevision &+= 1
  }

  /// All cells and continuations.
  package var statementsByItem: [ItemID: [Statement]] {
    var found: [ItemID: [Statement]] = [:]
    for (key, statement) in statements { if let item = key.item { found[item, default: []].append(statement) } }
    return found
  }

  /// Both cells of an item and the continuation that is valid with them; nil: the item has no state.
  package func cells(of item: ItemID) -> Cells? { items[item] }

  private func deriveCells(of item: ItemID) -> Cells? {
    guard let rate = statements[.rate(item)], case .rate(let rateValue) = rate.value, let rateKey = rate.cellKey,
      let position = statements[.position(item)], case .position(let positionValue) = position.value,
      let positionKey = position.cellKey
    else { return nil }
    let pair = Pair(rate: rateKey, position: positionKey)
    guard let statement = statements[.continuation(item)], case .continuation(let value) = statement.value,
      continues(statement, value, pair)
    else { return Cells(pair: pair, rate: rateValue, position: positionValue) }
    return Cells(
      pair: pair, rate: rateValue, position: positionValue, continuation: value,
      continued: value.original?.time ?? statement.time)
  }

  /// It names the pair's commands, and cites a policy no older than they do: who may no longer command cannot continue
  /// what was confirmed since.
  private func continues(_ statement: Statement, _ value: ContinuationValue, _ pair: Pair) -> Bool {
    value.base.commands == pair.commands && !policies.precedes(statement.policy, pair.rate.policy)
      && !policies.precedes(statement.policy, pair.position.policy)
  }

  package func participant(_ id: ParticipantID) -> ParticipantValue? {
    guard case .participant(let value)? = statements[.participant(id)]?.value else { return nil }
    return value
  }

  /// Whose registers are here.
  package var participants: Dictionary<ParticipantID, Place>.Keys { places.keys }

  package func place(of id: ParticipantID) -> Place? { places[id] }

  package func standing(of id: ParticipantID) -> Standing? { standings[id] }

  package func hasParticipant(_ id: ParticipantID) -> Bool { places[id] != nil }

  package func hasLeft(_ id: ParticipantID) -> Bool { places[id]?.left ?? false }

  /// The item that a participant says to be on.
  package func item(of id: ParticipantID) -> ItemID? { places[id]?.item }

  /// Whether a participant says to be on an item, and has not left.
  package func isOn(_ item: ItemID, _ id: ParticipantID) -> Bool {
    places[id].map { !$0.left && $0.item == item } ?? false
  }

  package func isStalling(_ id: ParticipantID) -> Bool { places[id]?.stalls ?? false }

  /// An entry of the playlist, or what is remembered of a removed one.
  package func playlistEntry(_ id: EntryID) -> PlaylistEntry? {
    guard case .playlistEntry(let entry)? = statements[.playlistEntry(id)]?.value else { return nil }
    return entry
  }

  package func clock(_ id: ClockID) -> ClockValue? {
    guard case .clock(let value)? = statements[.clock(id)]?.value else { return nil }
    return value
  }

  /// A continuation of cells that are no longer in force, or what cites a policy that does not count any more: kept, but of no
  /// interest to anybody.
  package func isStale(_ statement: Statement) -> Bool {
    if !statement.key.isParticipant, !statement.key.isAttachment, !policies.knows(statement.policy) { return true }
    guard case .continuation(let item) = statement.key, case .continuation(let value) = statement.value else {
      return false
    }
    return cells(of: item).map { !continues(statement, value, $0.pair) } ?? true
  }

  /// A continuation of cells that never came, which hides all others of its item: where one has it, all must. Beside cells that count for
  /// nothing themselves it is as it would be without them.
  package func isAhead(_ statement: Statement) -> Bool {
    guard case .continuation(let item) = statement.key, case .continuation(let value) = statement.value,
      let pair = cells(of: item)?.pair, policies.knows(pair.rate.policy), policies.knows(pair.position.policy)
    else { return false }
    return order.cells.compare(value.base, pair) == .greater
  }

  private func isBackwards(_ statement: Statement) -> Bool {
    guard case .continuation(let value) = statement.value, case .continuation(let item) = statement.key,
      let rate = statements[.rate(item)], rate.cellKey?.command == value.base.rate.command,
      case .rate(let rateValue) = rate.value
    else { return false }
    return rateValue.rate < 0
  }
}

extension RegisterKey {
  /// The item that a register of Transport is about.
  package var item: ItemID? {
    switch self {
    case .rate(let item), .position(let item), .continuation(let item): item
    default: nil
    }
  }
}
