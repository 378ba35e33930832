import UnisonoCore
import UnisonoCrypto

/// Looks at hubs: who is in the room there? A look enters nothing, and nobody in the room notices.
///
/// Several are under way at once, as a machine without power does not even say no.
final class HubLooks {
  /// At once, at most.
  static let atOnce = 8

  private let environment: any Environment
  private let door: Door
  private let identity: Identity
  /// Who was found; nil: nobody answers. Within no call of the owner.
  private let found: (HubCandidate, HubSeat?, HubLinkEnd?) -> Void
  /// Takes from what may be dialled; when there is nothing left: when there will be.
  private let mayDial: (HubCandidate) -> HostTime?
  private var watch = HubWatch()
  private var pace = Nanoseconds.seconds(1)
  private var links: [HubAddress: HubLink] = [:]
  private var timer: (any LoopTimer)?

  init(
    environment: any Environment, door: Door, identity: Identity, mayDial: @escaping (HubCandidate) -> HostTime?,
    found: @escaping (HubCandidate, HubSeat?, HubLinkEnd?) -> Void
  ) {
    self.environment = environment
    self.door = door
    self.identity = identity
    self.mayDial = mayDial
    self.found = found
    timer = environment.makeTimer { [weak self] in self?.look() }
  }

  /// Looks at these, each once in every `pace`; at none: rests.
  func aim(at targets: [HubCandidate], pace: Nanoseconds) {
    self.pace = pace
    watch.aim(at: targets, now: environment.now)
    for address in links.keys where !targets.contains(where: { $0.address == address }) {
      links.removeValue(forKey: address)?.close()
    }
    arm()
  }

  /// All of them again after `wait`, and none before.
  func begin(after wait: Nanoseconds) {
    watch.begin(at: environment.now.adding(wait))
    arm()
  }

  /// Nothing is told afterwards.
  func close() {
    for link in links.values { link.close() }
    links = [:]
    timer?.close()
    timer = nil
  }

  private func arm() {
    guard links.count < Self.atOnce else { return }
    timer?.arm(at: watch.next.map { max($0, environment.now) })
  }

  private func look() {
    let now = environment.now
    for candidate in watch.due(now: now) where links.count < Self.atOnce {
      if let later = mayDial(candidate) {
        watch.postpone(candidate.address, until: later)
        continue
      }
      watch.began(candidate.address)
      links[candidate.address] = HubLink(
        environment: environment, address: candidate.address, door: door, identity: identity,
        patience: HubClient.patience, looksOnly: true,
        events: HubLink.Events(
          entered: { [weak self] seat in self?.ended(candidate, seat, nil) }, presence: { _, _ in },
          delivered: { _ in }, probed: { _ in }, drained: {},
          ended: { [weak self] end in self?.ended(candidate, nil, end) }))
    }
    arm()
  }

  private func ended(_ candidate: HubCandidate, _ seat: HubSeat?, _ end: HubLinkEnd?) {
    guard let link = links.removeValue(forKey: candidate.address) else { return }
    link.close()
    var isGone = false
    if case .gone = end { isGone = true }
    watch.ended(
      candidate, answered: seat != nil, isGone: isGone, pace: pace, now: environment.now, random: environment.dice)
    found(candidate, seat, end)
    arm()
  }
}

extension Environment {
  /// Even in 0..<1.
  var dice: Double { randomBytes(4).reduce(0.0) { ($0 + Double($1)) / 256 } }
}
