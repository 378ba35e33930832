import UnisonoCore

/// While somebody is missing: are they in a room at another hub (coordination 2.10)?
///
/// A look enters nothing. The smaller room moves to the larger; of two equal ones that of the greater hub id, and the
/// other one only if nobody came for a while, as they may not be able to.
extension HubClient {
  func armLook() {
    guard !isClosed, seat != nil, isMissingSomebody, look == nil, moving == nil else { return }
    let now = environment.now
    _ = watch.due(elsewhere, now: now)
    lookTimer?.arm(at: watch.next.map { max($0, now) })
  }

  func closeLook() {
    look?.close()
    look = nil
    moving?.link.close()
    moving = nil
  }

  private var elsewhere: [HubCandidate] {
    guard let seat else { return [] }
    return candidates.filter { !$0.address.isHub(of: seat) }
  }

  func lookAround() {
    guard !isClosed, let seat, isMissingSomebody, look == nil, moving == nil else { return }
    let now = environment.now
    guard let candidate = watch.due(elsewhere, now: now) else { return armLook() }
    if candidate.isListed, let later = budget.take(now: now, keeping: DialBudget.reserve) {
      watch.postpone(candidate.address, until: later)
      return armLook()
    }
    look = HubLink(
      environment: environment, address: candidate.address, door: door, identity: identity, patience: Self.patience,
      looksOnly: true,
      events: HubLink.Events(
        entered: { [weak self] found in self?.saw(found, at: candidate, from: seat) }, presence: { _, _ in },
        delivered: { _ in }, probed: { _ in }, drained: {},
        ended: { [weak self] _ in self?.saw(nil, at: candidate, from: seat) }))
  }

  /// `found` nil: nobody answers there.
  private func saw(_ found: HubSeat?, at candidate: HubCandidate, from seat: HubSeat) {
    look?.close()
    look = nil
    guard !isClosed, self.seat == seat else { return }
    let there = found.map { $0.members.filter { $0.id != identity.id }.count } ?? 0
    let here = others.count + 1
    let isTie = there == here
    let theyCome = seat.hubID.lexicographicallyPrecedes(found?.hubID ?? [])
    let waited = watch.noted(
      candidate.address, isTie: isTie && theyCome, now: environment.now, random: dice)
    guard let found, found.hubID != seat.hubID, there > here || (isTie && (!theyCome || waited)) else {
      return armLook()
    }
    move(to: candidate)
  }

  private func move(to candidate: HubCandidate) {
    let (link, number) = makeLink(candidate, patience: Self.patience) { [weak self] number, seat in
      guard let self, let moving = self.moving, moving.number == number, !self.isClosed else { return }
      self.moving = nil
      self.take(moving.link, number, seat)
    }
    moving = (link, number)
  }

  func moveFailed() {
    moving = nil
    armLook()
  }
}
