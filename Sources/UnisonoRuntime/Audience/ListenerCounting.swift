import UnisonoBase
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

/// What a listener has its hub count, and what that says of all who listen (wire 8.31): who is ready for a start, and reactions.
///
/// `next` tells what is to be said by now; nobody counts what is said without a link, so its owner asks only where there is one.
struct ListenerCounting {
  private var tags: TallyTags
  private var pace = TallyPace()
  /// Percent of those who listen that starts wait for; 0: nobody asks whether this one is ready.
  private var share: UInt8 = 0
  /// What the player was said, or is about to be said, to be ready for on this link.
  private var saidReady: ParticipantValue.Readiness?
  /// By which the audience reacts.
  private var offered: [String] = []
  private var count = AudienceCount(listeners: 0)

  init(_ link: AudienceLink) { tags = TallyTags(link) }

  /// How many did, by each reaction that is offered.
  var reactions: [ReactionCount] {
    offered.map { text in
      let tag = tags.tag(of: .reaction(text))
      return ReactionCount(text: text, count: count.reactions.first { $0.tag == tag }?.count ?? 0)
    }
  }

  /// Host time at which there is something to say.
  var nextWake: HostTime? { pace.nextWake }

  // MARK: What is learnt

  /// The audience has another link.
  mutating func follow(_ link: AudienceLink) { tags = TallyTags(link) }

  /// On another connection nothing was said yet.
  mutating func entered() { saidReady = nil }

  /// By a programme. What could steer a terminal is no reaction.
  mutating func learn(share: UInt8, reactions: [String]) {
    self.share = share
    offered = reactions.filter { VisibleText.isPlain($0) }
  }

  /// By the hub.
  mutating func learn(_ count: AudienceCount) { self.count = count }

  // MARK: What is said

  /// Reacts by what is offered, and by nothing else. `fraction`: at random, 0..<1.
  mutating func react(_ text: String, fraction: @autoclosure () -> Double, now: HostTime) {
    if offered.contains(text) { pace.add(.reaction(text), fraction: fraction(), now: now) }
  }

  /// What the player is ready for now; nil: nothing.
  mutating func tell(_ readiness: ParticipantValue.Readiness?, fraction: @autoclosure () -> Double, now: HostTime) {
    let readiness = share > 0 ? readiness : nil
    guard readiness != saidReady else { return }
    saidReady = readiness
    pace.dropReadiness()
    if let readiness { pace.add(.ready(readiness), fraction: fraction(), now: now) }
  }

  /// Removes what is to be said by now.
  mutating func next(now: HostTime) -> (kind: TallyKind, tag: UInt64)? {
    pace.next(now: now).map { ($0.kind, tags.tag(of: $0)) }
  }
}
