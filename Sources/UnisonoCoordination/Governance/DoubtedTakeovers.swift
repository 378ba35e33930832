import UnisonoBase
import UnisonoReplica

/// What a takeover is judged by, as everything is seen from here in one moment.
struct TakeoverJudge: Sendable {
  var watch: OwnerWatch
  /// Everybody who is there and heard, this participant included.
  var there: Set<ParticipantID>
  var local: ParticipantID
  /// Who passed it on.
  var sender: ParticipantID
  var now: HostTime

  enum Verdict: Equatable {
    case believed
    /// To be judged again by then, at the latest.
    case early(HostTime)
    /// This owner is there.
    case refused(ParticipantID)
  }

  func verdict(on takeover: PolicyStack.Takeover) -> Verdict {
    let below = takeover.below
    if sender == local { return .believed }
    if let owner = below.owners.first(where: there.contains) { return .refused(owner) }
    // Who never saw an owner here goes by what the group does, but not by the deputy's word alone where others are.
    if watch.lastSeen(of: below.owners) == nil,
      sender != takeover.author || there.subtracting([local, takeover.author]).isEmpty
    {
      return .believed
    }
    let ahead = below.succession.deputies.prefix { $0 != takeover.author }.count { there.contains($0) }
    let time = watch.timeToBelieve(of: below.owners, patience: below.succession.patience, ahead: ahead)
    return now >= time ? .believed : .early(time)
  }

  /// On all in it that no owner has accepted.
  func verdict(on stack: PolicyStack, origin: PolicyOrigin) -> Verdict {
    let verdicts = stack.takeovers(origin: origin).filter { !$0.isAccepted }.map { verdict(on: $0) }
    return verdicts.first { if case .refused = $0 { true } else { false } } ?? verdicts.first { $0 != .believed } ?? .believed
  }
}

/// Policies by deputies that are not believed, or not yet; bounded: one of each author.
struct DoubtedTakeovers: Sendable {
  static let capacity = 8
  /// A refusal of the same deputy is notified, an owner is shown one, and one accepts what came too late, at most this often.
  static let interval: Nanoseconds = .seconds(10)

  struct Entry: Sendable {
    var stack: PolicyStack
    var sender: ParticipantID
    var since: HostTime
    /// An owner was there when it was judged: it is judged again once none is.
    var isRefused = false
  }

  private(set) var entries: [ParticipantID: Entry] = [:]
  private var claimed: [ParticipantID: HostTime] = [:]
  /// When an owner last answered one that it did not accept.
  private(set) var answered: HostTime?

  /// The greater of two of one author stays.
  mutating func hold(_ stack: PolicyStack, from sender: ParticipantID, now: HostTime, origin: PolicyOrigin) {
    guard let author = stack.levels.last?.author, entries[author] != nil || entries.count < Self.capacity else { return }
    let old = entries[author]
    if let old, stack.compare(old.stack, origin: origin) != .greater { return }
    entries[author] = Entry(stack: stack, sender: sender, since: old?.since ?? now)
  }

  mutating func keep(where isKept: (Entry) -> Bool) { entries = entries.filter { isKept($0.value) } }

  mutating func recordAnswer(at time: HostTime) { answered = time }

  /// True: for the first time.
  mutating func markRefused(_ author: ParticipantID) -> Bool {
    defer { entries[author]?.isRefused = true }
    return entries[author]?.isRefused != true
  }

  mutating func remove(_ author: ParticipantID) { entries[author] = nil }

  /// Whether another takeover of this deputy is to be answered at once.
  mutating func claimAnswer(to deputy: ParticipantID, now: HostTime) -> Bool {
    claimed = claimed.filter { now.subtracting($0.value) < Self.interval }
    guard claimed[deputy] == nil, claimed.count < Self.capacity else { return false }
    claimed[deputy] = now
    return true
  }
}
