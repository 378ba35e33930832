/// What it depends on whether items are occupied.
struct OccupationSources: Equatable, Sendable {
  var registers: UInt64
  var presence: UInt64
  var own: ItemID?
}

/// The host's current item changes (coordination 2.7 "no state", 2.9 Q4, 2.11).
extension Coordination {
  mutating func transition(to item: ItemID?, proposal: Proposal?) {
    let isArrival = item != host.item
    host.item = item
    host.arrived = now
    host.forgetIssued()
    host.seeks.drop()
    host.rates.drop()
    host.rest = proposal.map { $0.rate == 0 ? $0.itemTime : nil } ?? 0
    host.nextCause = .item
    me.item = item
    me.ready = nil
    host.stall = nil
    host.reach = nil
    host.unproposed = nil
    me.ended = nil
    me.availableSince = item != nil && !suspensions.isSuspended ? arrivalTime : nil
    suspensions.endLibrarys()
    suspensions.held = nil
    suspensions.heldTransition = nil
    membership.pendingSeek = nil
    membership.pendingRate = nil
    guard let item else { return }
    if membership.phase == .joining || suspensions.isSuspended || waitsForClock {
      // "Now" is this instant, not that at which the proposal is written.
      var proposed = proposal
      proposed?.hostTime = proposal?.hostTime ?? now
      suspensions.heldTransition = .some(proposed)
      suspensions.ownLine = Line(
        at: proposal?.itemTime ?? 0, rate: proposal?.rate ?? 0, since: proposed?.hostTime ?? now)
      return
    }
    arrive(on: item, proposal: proposal, mayBeAbandoned: isArrival)
  }

  /// From when on one takes part who does now; nil: it is not known yet.
  var arrivalTime: GroupTime? { membership.phase == .member && !waitsForClock ? groupNow : nil }

  /// What was brought to the item while it could not be proposed.
  mutating func resumeTransition() {
    guard let item = host.item, let transition = suspensions.heldTransition, !suspensions.isSuspended else { return }
    suspensions.heldTransition = nil
    arrive(on: item, proposal: transition, mayBeAbandoned: true)
    // It is where it proposed to be only if its person did not move it meanwhile.
    let own = suspensions.ownLine
    let away = own.position(at: now).subtracting(transition?.position(at: now) ?? 0).absolute
    guard own.rate != transition?.rate ?? 0 || away > Parameters.sameLine else { return }
    host.forgetIssued()
    host.rest = own.rate == 0 ? own.at : nil
    host.nextCause = .rejoin
  }

  /// The group's state for the item comes first; where it has none, the proposal becomes it.
  mutating func arrive(on item: ItemID, proposal: Proposal?, mayBeAbandoned: Bool) {
    guard let cells = registers.cells(of: item) else {
      propose(proposal, for: item)
      return
    }
    guard mayBeAbandoned, mayCommand, cells.rate.rate != 0, onItem(item).filter({ $0 != local }).isEmpty else { return }
    let left = lastOn[item] ?? groupNow
    guard let at = EffectiveState(cells).position(at: left) else { return }
    writeRate(0, at: at, cells, on: item, waiting: false)
  }

  /// Writes what the item has no state without: both cells, or the one that is missing.
  private mutating func propose(_ proposal: Proposal?, for item: ItemID) {
    // Who may not command waits for somebody who may.
    guard mayCommand else {
      var waiting = proposal
      waiting?.hostTime = proposal?.hostTime ?? now
      host.unproposed = .some(waiting)
      return
    }
    let rate = proposal?.rate ?? 0
    let at = proposal?.position(at: now) ?? 0
    let rank: CellKey.Rank = proposal == nil ? .nullProposal : .proposal
    if registers[.position(item)] == nil { write(.position(item), .position(PositionValue(rank: rank, position: at))) }
    let base = registers[.position(item)]?.cellKey
    if registers[.rate(item)] == nil {
      write(.rate(item), .rate(RateValue(rank: rank, rate: rate, at: at, basePosition: base)))
    }
    if rate != 0 { startNow(on: item) }
    // The host is where it proposes to be; it is only told if another state wins.
    guard let cells = registers.cells(of: item) else { return }
    switch EffectiveState(cells) {
    case .playing(let playing):
      host.issued = .playing(playing.line)
      host.rest = nil
    case .paused(let at):
      host.issued = .paused(at: at)
      host.rest = at
    default:
      break
    }
    host.nextCause = nil
  }

  /// What waited for permission is proposed when that is given, unless the group has a state by then.
  mutating func proposeUnproposed() {
    guard let proposal = host.unproposed, let item = host.item else { return }
    guard registers.cells(of: item) == nil else { return host.unproposed = nil }
    if suspensions.isSuspended {
      host.unproposed = nil
      suspensions.heldTransition = proposal
    } else if mayCommand, membership.phase != .joining {
      host.unproposed = nil
      propose(proposal, for: item)
    }
  }

  /// Notes when the last one left an item.
  mutating func noteOccupation() {
    guard clock.isKnown else { return }
    let sources = OccupationSources(registers: registers.placesRevision, presence: presence.revision, own: host.item)
    guard sources != occupation else { return }
    occupation = sources
    var occupied = Set(presence.present.compactMap(registers.item))
    if let item = host.item { occupied.insert(item) }
    for item in registers.statements.keys.compactMap(\.item) {
      if occupied.contains(item) {
        lastOn[item] = nil
      } else if lastOn[item] == nil {
        lastOn[item] = groupNow
      }
    }
  }
}
