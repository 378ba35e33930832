import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// Settings of a coordinator; they move along from one coordination to the next.
struct CoordinatorSettings {
  var waitingReasons: [String]?
  var participantLimits: [String: UInt32] = [:]
  var pauseSnaps: Bool?
  var preparesAhead: Bool?
  var waitLimit: Nanoseconds?
  var outputOffset: Nanoseconds?
  var startLatency: Nanoseconds?
  var stallPolicy: StallPolicy?
  var actionAtEnd: ActionAtEnd?
  var startPolicy: StartPolicy?
  var skipPolicy: SkipPolicy?
  /// What the person said of being ready for the item.
  var word = ReadyWord.notSaid
  private var item: ItemID?
  /// Ranges of the own copies, by item, those given last at the end.
  private var interstitials: [(item: ItemID, ranges: [InterstitialRange])] = []
  /// Open suspensions, oldest first.
  var suspensions: [(id: UInt64, reason: String)] = []

  /// Keeps what an event sets.
  mutating func note(_ event: CoordinationEvent) {
    switch event {
    case .setWaitingReasons(let reasons): waitingReasons = reasons
    case .setParticipantLimit(let reason, let limit): participantLimits[reason] = limit
    case .setPauseSnaps(let snaps): pauseSnaps = snaps
    case .setPreparesAhead(let prepares): preparesAhead = prepares
    case .setWaitLimit(let limit): waitLimit = limit
    case .setOutputOffset(let offset): outputOffset = offset
    case .setStartLatency(let latency): startLatency = latency
    case .setStallPolicy(let policy, _): stallPolicy = policy
    case .setActionAtEnd(let action, _): actionAtEnd = action
    case .setStartPolicy(let policy, _): startPolicy = policy
    case .setSkipPolicy(let policy, _): skipPolicy = policy
    case .setReady(let word): self.word = word
    case .transition(let item, _):
      if self.item != nil, self.item != item { word = .notSaid }
      self.item = item
    case .setInterstitials(let item, let ranges):
      interstitials.removeAll { $0.item == item }
      if !ranges.isEmpty { interstitials.append((item, ranges)) }
      interstitials.removeFirst(max(0, interstitials.count - InterstitialRange.mostItems))
    case .beginSuspension(let id, let reason): suspensions.append((id, reason))
    case .endSuspension(let id, _): suspensions.removeAll { $0.id == id }
    default: break
    }
  }

  /// The events that bring a fresh coordination to the same settings.
  var events: [CoordinationEvent] {
    var events: [CoordinationEvent] = []
    if let waitingReasons { events.append(.setWaitingReasons(waitingReasons)) }
    for (reason, limit) in participantLimits.sorted(by: { $0.key < $1.key }) {
      events.append(.setParticipantLimit(reason: reason, limit: limit))
    }
    if let pauseSnaps { events.append(.setPauseSnaps(pauseSnaps)) }
    if let preparesAhead { events.append(.setPreparesAhead(preparesAhead)) }
    if let waitLimit { events.append(.setWaitLimit(waitLimit)) }
    if let outputOffset { events.append(.setOutputOffset(outputOffset)) }
    if let startLatency { events.append(.setStartLatency(startLatency)) }
    // The session may have one of these already: that counts.
    if let stallPolicy { events.append(.setStallPolicy(stallPolicy, asProposal: true)) }
    if let actionAtEnd { events.append(.setActionAtEnd(actionAtEnd, asProposal: true)) }
    if let startPolicy { events.append(.setStartPolicy(startPolicy, asProposal: true)) }
    if let skipPolicy { events.append(.setSkipPolicy(skipPolicy, asProposal: true)) }
    for given in interstitials { events.append(.setInterstitials(given.item, given.ranges)) }
    if word != .notSaid { events.append(.setReady(word)) }
    for suspension in suspensions { events.append(.beginSuspension(id: suspension.id, reason: suspension.reason)) }
    return events
  }
}
