import UnisonoBase
import UnisonoReplica

/// Why the own host does not take part at the moment, and what its person does meanwhile (coordination 2.9).
package struct Suspensions: Sendable {
  struct Open: Sendable {
    var reason: String
    var since: HostTime
    /// nil: begun by the library.
    var id: UInt64?
    /// Of what the host could not do; 0: none.
    var status: Int32 = 0
  }

  enum OwnRequest: Sendable { case play, pause, seek }

  private(set) var open: [Open] = []
  /// A proposal of one that ended while others were open.
  private(set) var proposal: ItemTime?
  /// The pair when the proposal was kept: a newer one drops it.
  private var pairAtProposal: Pair?
  /// A transition made while suspended or joining: becomes the item's state afterwards, if that has none.
  private(set) var pendingTransition = PendingProposal.none
  /// The pair when the library's suspension began: a newer one ends it.
  private var pairAtLibrarySuspension: Pair?
  /// The library's suspension is for a stall of a running host: it ends when that reports to be running again.
  private(set) var endsWithStall = false
  /// What the host does by itself while suspended, in host time.
  private(set) var ownLine = Line(at: 0, rate: 0, since: 0)
  /// What it asked for by itself and was not told yet.
  private var ownRequest: OwnRequest?

  package static let stallRecovery = "stall-recovery"
  package static let notPossible = "coordinated-playback-not-possible"
  package static let playingInterstitial = "playing-interstitial"

  var isSuspended: Bool { !open.isEmpty }
  var isOnlyByLibrary: Bool { isSuspended && open.allSatisfy { $0.id == nil } }
  var reasons: [String] { open.map { $0.reason } }

  /// As the own register shows them. What was said of one (`shown`) stays: told anew by a clock that has learnt since, its
  /// beginning would differ by microseconds each time, and the register would change for ever.
  func shown(
    before shown: [ParticipantValue.SuspensionReason], clock: GroupClock
  ) -> [ParticipantValue.SuspensionReason] {
    open.map { open in
      shown.first { $0.reason == open.reason && $0.status == open.status }
        ?? ParticipantValue.SuspensionReason(
          reason: open.reason, since: clock.group(at: open.since), status: open.status)
    }
  }

  // MARK: Beginning and ending

  /// The person suspends. `line`: where the host is and goes.
  mutating func begin(_ reason: String, id: UInt64, line: Line, now: HostTime) {
    if !isSuspended { ownLine = line }
    open.append(Open(reason: reason, since: now, id: id))
  }

  /// The library suspends. `pair`: what is in force of the current item.
  mutating func beginByLibrary(_ reason: String, status: Int32, line: Line, pair: Pair?, now: HostTime) {
    if !isSuspended { ownLine = line }
    // What is known last says why.
    endByLibrary()
    open.append(Open(reason: reason, since: now, id: nil, status: min(status, 0)))
    pairAtLibrarySuspension = pair
  }

  /// Returns whether it was open.
  mutating func end(id: UInt64) -> Bool {
    guard let index = open.firstIndex(where: { $0.id == id }) else { return false }
    open.remove(at: index)
    return true
  }

  mutating func endByLibrary() {
    open.removeAll { $0.id == nil }
    pairAtLibrarySuspension = nil
    endsWithStall = false
  }

  /// The library's suspension ends as soon as the host does not stall any more.
  mutating func endWithStall() { endsWithStall = true }

  /// Where the group is proposed to go once nothing suspends the host any more; a newer pair drops it.
  mutating func propose(_ position: ItemTime, pair: Pair?) {
    proposal = position
    pairAtProposal = pair
  }

  /// What the group did since (`pair` is in force now) drops a proposal; true: it ends the library's suspension.
  mutating func review(_ pair: Pair) -> Bool {
    if proposal != nil, pair.commands != pairAtProposal?.commands { proposal = nil }
    guard let known = pairAtLibrarySuspension, known.commands != pair.commands else { return false }
    return true
  }

  /// It takes part again; the proposal that was made for then.
  mutating func rejoin() -> ItemTime? {
    defer {
      proposal = nil
      ownRequest = nil
    }
    return proposal
  }

  // MARK: A transition that has to wait

  /// Another item: what was proposed for the one before is void.
  mutating func beginItem() {
    endByLibrary()
    proposal = nil
    pendingTransition = .none
  }

  mutating func keepTransition(_ transition: PendingProposal) { pendingTransition = transition }

  /// The same, where the host is at what it proposes.
  mutating func keepTransition(_ transition: PendingProposal, line: Line) {
    pendingTransition = transition
    ownLine = line
  }

  /// The transition, which need not wait any more.
  mutating func resumeTransition() -> PendingProposal {
    defer { pendingTransition = .none }
    return pendingTransition
  }

  // MARK: What a suspended host does by itself

  mutating func setOwnRate(_ rate: Double, now: HostTime) {
    ownLine = Line(at: ownLine.position(at: now), rate: rate, since: now)
    ownRequest = rate == 0 ? .pause : .play
  }

  mutating func setOwnPosition(_ target: ItemTime, now: HostTime) {
    ownLine = Line(at: target, rate: ownLine.rate, since: now)
    ownRequest = ownLine.rate == 0 ? .seek : .play
  }

  /// Where it is by itself, and goes, by what it came to on its way.
  mutating func setOwnLine(_ line: Line) { ownLine = line }

  /// It asked something of itself that it was not told yet.
  var hasOwnRequest: Bool { ownRequest != nil }

  /// It is told its own line once more.
  mutating func repeatOwn() { if ownLine.rate != 0 { ownRequest = .play } }

  /// The host begins that much later than it was told.
  mutating func beginLater(by delay: Nanoseconds) { ownLine.since = ownLine.since.adding(delay) }

  /// Its copy is another cut from now on: where it is by itself, and what it brought, is that much later in the group's item time.
  mutating func shiftOwnPlaces(by shift: Nanoseconds) {
    ownLine.at = ownLine.at.adding(shift)
    pendingTransition.shift(by: shift)
  }

  /// The command that the host asked of itself; nil: none.
  mutating func ownCommand(on item: ItemID) -> PlaybackCommand? {
    defer { ownRequest = nil }
    switch ownRequest {
    case nil:
      return nil
    case .play:
      var command = PlaybackCommand(
        kind: .play, id: 0, originator: .none, item: item, rate: ownLine.rate, itemTime: ownLine.at,
        hostTime: ownLine.since, isLocal: true, cause: .play)
      command.mayBeginLater = true
      return command
    case .pause:
      return PlaybackCommand(kind: .pause, id: 0, originator: .none, item: item, itemTime: ownLine.at, cause: .pause)
    case .seek:
      return PlaybackCommand(kind: .seek, id: 0, originator: .none, item: item, itemTime: ownLine.at, cause: .seek)
    }
  }

  /// The rules that do not hold; empty: all is well. `mayWait`: joining, or without group time.
  func brokenRules(hasItem: Bool, mayWait: Bool) -> [String] {
    var rules = Invariants()
    rules.expect(
      !pendingTransition.isPending || hasItem && (mayWait || isSuspended),
      "a transition is held only while joining or suspended")
    rules.expect(proposal == nil || isSuspended, "a proposal is held only while suspended")
    rules.expect(
      Set(open.compactMap({ $0.id })).count == open.count { $0.id != nil }, "numbers of suspensions are unique")
    return rules.broken
  }
}
