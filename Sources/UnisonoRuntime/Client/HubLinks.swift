import UnisonoBase
import UnisonoCrypto
import UnisonoReplica

/// The links of one client: the one that is up, attempts on their way to entry, and at most one move to another hub's room.
///
/// A link is begun by `attempt` or `move`; entry makes it the one that is up, closes all others and is reported as `entered`. From
/// then on only its events count, until it ends: `lost`. An attempt that ends before entry is `failed`, a move that does is over.
/// After `close` nothing is reported.
final class HubLinks {
  struct Events {
    var entered: (RoomEntry) -> Void
    var presence: (_ joined: [Member], _ gone: [Departure]) -> Void
    var delivered: (_ envelope: [UInt8]) -> Void
    var probed: (ProbeSample) -> Void
    var drained: () -> Void
    /// The link that was up ended. `hadRival`: another way to the same hub was tried as well, and may have taken its place.
    var lost: (RoomEntry, HubLinkEnd, _ hadRival: Bool) -> Void
    /// An attempt ended; `isLatest`: none was begun after it.
    var failed: (HubCandidate, HubLinkEnd, _ isLatest: Bool) -> Void
  }

  private struct Up {
    let link: HubLink
    let number: Int
    let entry: RoomEntry
    let hadRival: Bool
  }

  private let environment: any Environment
  private let door: Door
  private let identity: Identity
  private let events: Events
  private var up: Up?
  private var attempts: [Int: (link: HubLink, candidate: HubCandidate)] = [:]
  private var moving: (link: HubLink, number: Int)?
  /// Number of the link begun last. Counts links, so that events of one that was given up are not taken for those of the present one.
  private var lastNumber = 0
  private var isClosed = false

  init(environment: any Environment, door: Door, identity: Identity, events: Events) {
    self.environment = environment
    self.door = door
    self.identity = identity
    self.events = events
  }

  /// nil while no link is up.
  var entry: RoomEntry? { up?.entry }
  /// The link that is up.
  var current: HubLink? { up?.link }
  var isMoving: Bool { moving != nil }

  /// Begins an attempt, unless one is on its way to the same address. `patience` bounds the whole way to entry.
  func attempt(_ candidate: HubCandidate, patience: Nanoseconds) {
    guard !attempts.values.contains(where: { $0.candidate.address == candidate.address }) else { return }
    let (link, number) = makeLink(candidate, patience: patience) { [weak self] number, entry in
      guard let self, let attempt = attempts.removeValue(forKey: number) else { return }
      adopt(attempt.link, number, entry)
    }
    attempts[number] = (link, candidate)
  }

  /// Enters the room of another hub beside the one that is up, which ends once that is done.
  func move(to candidate: HubCandidate, patience: Nanoseconds) {
    let (link, number) = makeLink(candidate, patience: patience) { [weak self] number, entry in
      guard let self, let moving, moving.number == number else { return }
      self.moving = nil
      adopt(moving.link, number, entry)
    }
    moving = (link, number)
  }

  /// Ends attempts to enter a hub through other addresses than one that works.
  func closeAttempts(at hub: [UInt8], except address: HubAddress) {
    for (number, attempt) in attempts
    where attempt.candidate.address.hub == hub && attempt.candidate.address != address {
      attempt.link.close()
      attempts[number] = nil
    }
  }

  /// Ends all attempts, and the move.
  func closeAttempts() {
    for attempt in attempts.values { attempt.link.close() }
    attempts = [:]
    moving?.link.close()
    moving = nil
  }

  func close() {
    isClosed = true
    up?.link.close()
    up = nil
    closeAttempts()
  }

  private func makeLink(
    _ candidate: HubCandidate, patience: Nanoseconds, entered: @escaping (_ number: Int, RoomEntry) -> Void
  ) -> (HubLink, Int) {
    lastNumber += 1
    let number = lastNumber
    let link = HubLink(
      environment: environment, address: candidate.address, door: door, identity: identity, patience: patience,
      events: HubLink.Events(
        entered: { [weak self] entry in if self?.isClosed == false { entered(number, entry) } },
        presence: { [weak self] joined, gone in
          if let self, isUp(number) { events.presence(joined, gone) }
        },
        delivered: { [weak self] envelope in
          if let self, isUp(number) { events.delivered(envelope) }
        },
        probed: { [weak self] sample in
          if let self, isUp(number) { events.probed(sample) }
        },
        drained: { [weak self] in
          if let self, isUp(number) { events.drained() }
        },
        ended: { [weak self] end in self?.ended(number, end) }))
    return (link, number)
  }

  private func isUp(_ number: Int) -> Bool { up?.number == number && !isClosed }

  /// This link is the one from now on.
  private func adopt(_ link: HubLink, _ number: Int, _ entry: RoomEntry) {
    up?.link.close()
    let hadRival = attempts.values.contains { $0.candidate.address.hub ?? entry.hubID == entry.hubID }
    up = Up(link: link, number: number, entry: entry, hadRival: hadRival)
    closeAttempts()
    events.entered(entry)
  }

  private func ended(_ number: Int, _ end: HubLinkEnd) {
    guard !isClosed else { return }
    if let moving, moving.number == number {
      self.moving = nil
    } else if let up, up.number == number {
      self.up = nil
      closeAttempts()
      events.lost(up.entry, end, up.hadRival)
    } else if let attempt = attempts.removeValue(forKey: number) {
      events.failed(attempt.candidate, end, number == lastNumber)
    }
  }
}
