import UnisonoBase
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

/// The links of one client: the one that is up, attempts on their way to entry, and at most one move to another hub's room.
///
/// A link is begun by `attempt` or `move`; entry makes it the one that is up, closes all others and is reported as `entered`. From
/// then on only its events count, until it ends: `lost`. An attempt that ends before entry is `failed`, a move that does is over.
/// After `close` nothing is reported.
///
/// Where a move leads to another hub of the same room, the link before is read until its hub closes it as replaced: what was on its way
/// over it comes nowhere else. What the new link brings meanwhile waits, so that all comes in order (`HubOverlap`).
final class HubLinks {
  struct Events {
    var entered: (RoomEntry) -> Void
    var presence: (_ joined: [Member], _ gone: [Departure]) -> Void
    var delivered: (_ envelope: [UInt8]) -> Void
    var probed: (ProbeSample) -> Void
    var drained: () -> Void
    var triedBack: (TriedBackFrame) -> Void
    var missed: ([ParticipantID]) -> Void
    var clocks: (ClockReport) -> Void
    /// So many listen to the audience.
    var counted: (AudienceCount) -> Void
    /// The hub of the link that is up said that it is about to end.
    var ending: (NextFrame) -> Void
    /// Whether this entry is into the room that the link that is up leads to, at another hub of it.
    var isSameRoom: (RoomEntry) -> Bool
    /// The move ended before entry.
    var stayed: () -> Void
    /// The link that was up ended.
    var lost: (RoomEntry, HubLinkEnd) -> Void
    /// An attempt ended; `isLatest`: none was begun after it.
    var failed: (HubCandidate, HubLinkEnd, _ isLatest: Bool) -> Void
  }

  private struct Up {
    let link: HubLink
    let number: Int
    let entry: RoomEntry
  }

  private let this = WeakReference<HubLinks>()
  private let environment: any Environment
  private let credentials: RoomCredentials
  private let events: Events
  private var up: Up?
  private var attempts: [Int: (link: HubLink, candidate: HubCandidate)] = [:]
  private var moving: (link: HubLink, number: Int)?
  /// The link before the one that is up, while both are read.
  private var former: (link: HubLink, number: Int)?
  private var overlap = HubOverlap()
  private var overlapTimer: (any LoopTimer)?
  /// Number of the link begun last. Counts links, so that events of one that was given up are not taken for those of the present one.
  private var lastNumber = 0
  /// Links that sent ENTER and have no answer yet, and those that wait for the outcome of another one to the same hub, which
  /// would only be replaced by them: the hub of each.
  private var entering: [Int: [UInt8]] = [:]
  private var waiting: [Int: [UInt8]] = [:]
  private var isClosed = false

  init(environment: any Environment, credentials: RoomCredentials, events: Events) {
    self.environment = environment
    self.credentials = credentials
    self.events = events
    this.point(to: self)
    overlapTimer = environment.makeTimer { [this] in this.object?.endOverlap() }
  }

  deinit { this.cut() }

  /// nil while no link is up.
  var entry: RoomEntry? { up?.entry }
  /// The link that is up.
  var current: HubLink? { up?.link }
  var isMoving: Bool { moving != nil }

  /// Begins an attempt, unless one is on its way to the same address. `patience` bounds the whole way to entry.
  func attempt(_ candidate: HubCandidate, patience: Nanoseconds) {
    guard !attempts.values.contains(where: { $0.candidate.address == candidate.address }) else { return }
    let (link, number) = makeLink(candidate, patience: patience) { [this] number, entry in
      guard let links = this.object, let attempt = links.attempts.removeValue(forKey: number) else { return }
      links.adopt(attempt.link, number, entry)
    }
    attempts[number] = (link, candidate)
  }

  /// Enters the room of another hub beside the one that is up, which ends once that is done.
  func move(to candidate: HubCandidate, patience: Nanoseconds) {
    let (link, number) = makeLink(candidate, patience: patience) { [this] number, entry in
      guard let links = this.object, let moving = links.moving, moving.number == number else { return }
      links.moving = nil
      links.adopt(moving.link, number, entry)
    }
    moving = (link, number)
  }

  /// Ends attempts to enter a hub through other addresses than one that works; not one whose ENTER is on its way.
  func closeAttempts(at hub: [UInt8], except address: HubAddress) {
    for (number, attempt) in attempts
    where attempt.candidate.address.hub == hub && attempt.candidate.address != address && entering[number] == nil {
      attempt.link.close()
      attempts[number] = nil
      waiting[number] = nil
    }
  }

  /// Ends all attempts, and the move.
  func closeAttempts() {
    for attempt in attempts.values { attempt.link.close() }
    attempts = [:]
    moving?.link.close()
    moving = nil
    entering = [:]
    waiting = [:]
  }

  func close() {
    isClosed = true
    up?.link.close()
    up = nil
    former?.link.close()
    former = nil
    overlapTimer?.close()
    overlapTimer = nil
    closeAttempts()
  }

  private func makeLink(
    _ candidate: HubCandidate, patience: Nanoseconds, entered: @escaping (_ number: Int, RoomEntry) -> Void
  ) -> (HubLink, Int) {
    lastNumber += 1
    let number = lastNumber
    let link = HubLink(
      environment: environment, address: candidate.address, credentials: credentials, patience: patience,
      events: HubLink.Events(
        proven: { [this] hub in this.object?.proven(number, hub) ?? false },
        entered: { [this] entry in if this.object?.isClosed == false { entered(number, entry) } },
        presence: { [this] joined, gone in
          if let links = this.object, links.isUp(number) { links.tell(.presence(joined, gone)) }
        },
        delivered: { [this] envelope in
          guard let links = this.object else { return }
          if links.isUp(number) { return links.tell(.delivered(envelope)) }
          if links.former?.number == number { links.events.delivered(envelope) }
        },
        probed: { [this] sample in
          if let links = this.object, links.isUp(number) { links.events.probed(sample) }
        },
        drained: { [this] in
          if let links = this.object, links.isUp(number) { links.events.drained() }
        },
        triedBack: { [this] answer in
          if let links = this.object, links.isUp(number) { links.events.triedBack(answer) }
        },
        missed: { [this] ids in
          if let links = this.object, links.isUp(number) { links.tell(.missed(ids)) }
        },
        clocks: { [this] report in
          if let links = this.object, links.isUp(number) { links.events.clocks(report) }
        },
        counted: { [this] count in
          if let links = this.object, links.isUp(number) { links.events.counted(count) }
        },
        ending: { [this] next in
          if let links = this.object, links.isUp(number) { links.events.ending(next) }
        },
        ended: { [this] end in this.object?.ended(number, end) }))
    return (link, number)
  }

  private func isUp(_ number: Int) -> Bool { up?.number == number && !isClosed }

  /// This link is the one from now on.
  private func adopt(_ link: HubLink, _ number: Int, _ entry: RoomEntry) {
    endOverlap()
    if let before = up {
      if events.isSameRoom(entry) {
        former = (before.link, before.number)
        overlap.begin()
        overlapTimer?.arm(at: environment.now.adding(HubOverlap.longest))
      } else {
        before.link.close()
      }
    }
    up = Up(link: link, number: number, entry: entry)
    entering[number] = nil
    closeAttempts()
    events.entered(entry)
  }

  /// The link before is over, as its hub closed it or as it took too long: what waited is told.
  private func endOverlap() {
    former?.link.close()
    former = nil
    overlapTimer?.arm(at: nil)
    for word in overlap.end() where !isClosed { report(word) }
  }

  private func tell(_ word: HubOverlap.Word) {
    guard former != nil else { return report(word) }
    if !overlap.add(word) { endOverlap() }
  }

  private func report(_ word: HubOverlap.Word) {
    switch word {
    case .presence(let joined, let gone): events.presence(joined, gone)
    case .delivered(let envelope): events.delivered(envelope)
    case .missed(let ids): events.missed(ids)
    }
  }

  private func ended(_ number: Int, _ end: HubLinkEnd) {
    guard !isClosed else { return }
    if let former, former.number == number {
      endOverlap()
    } else if let moving, moving.number == number {
      self.moving = nil
      givenUp(number)
      events.stayed()
    } else if let up, up.number == number {
      endOverlap()
      self.up = nil
      closeAttempts()
      events.lost(up.entry, end)
    } else if let attempt = attempts.removeValue(forKey: number) {
      givenUp(number)
      events.failed(attempt.candidate, end, number == lastNumber)
    }
  }

  // MARK: One ENTER at a time

  /// A hub takes the newest connection of a participant for the one that counts, so that of two ways into it one would end the other. An
  /// ENTER of a link that was given up and comes late is the older one, and ends nothing.
  private func proven(_ number: Int, _ hub: [UInt8]) -> Bool {
    guard up?.entry.hubID != hub, !entering.values.contains(hub) else {
      waiting[number] = hub
      return false
    }
    entering[number] = hub
    return true
  }

  /// An attempt or a move is over without entry: the next one to that hub, if one waits, goes on.
  private func givenUp(_ number: Int) {
    waiting[number] = nil
    guard let hub = entering.removeValue(forKey: number) else { return }
    guard let next = waiting.filter({ $0.value == hub }).keys.min() else { return }
    waiting[next] = nil
    entering[next] = hub
    (attempts[next]?.link ?? (moving?.number == next ? moving?.link : nil))?.enter()
  }
}
