import UnisonoBase
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

/// Peeks at hubs: who is in the room there? A peek enters nothing, and nobody in the room notices.
///
/// Several are under way at once, as a machine without power does not even say no.
final class HubPeeks {
  /// At once, at most.
  static let atOnce = 8

  private let this = WeakReference<HubPeeks>()
  private let environment: any Environment
  private let credentials: RoomCredentials
  /// Receives who was found; nil: nobody answers. Within no call of the owner.
  private let found: (HubCandidate, RoomEntry?, HubLinkEnd?) -> Void
  /// Spends one of the attempts that may be dialled; when there is none left: when there will be.
  private let mayDial: (HubCandidate) -> HostTime?
  private var probe = PartitionProbe()
  private var pace = Nanoseconds.seconds(1)
  private var links: [HubAddress: HubLink] = [:]
  private var timer: (any LoopTimer)?

  init(
    environment: any Environment, credentials: RoomCredentials, mayDial: @escaping (HubCandidate) -> HostTime?,
    found: @escaping (HubCandidate, RoomEntry?, HubLinkEnd?) -> Void
  ) {
    self.environment = environment
    self.credentials = credentials
    self.mayDial = mayDial
    self.found = found
    this.point(to: self)
    timer = environment.makeTimer { [this] in this.object?.peek() }
  }

  deinit { this.cut() }

  /// Looks at these, each once in every `pace`; at none: rests.
  func aim(at targets: [HubCandidate], pace: Nanoseconds) {
    self.pace = pace
    probe.aim(at: targets, now: environment.now)
    for address in links.keys where !targets.contains(where: { $0.address == address }) {
      links.removeValue(forKey: address)?.close()
    }
    arm()
  }

  /// All of them again after `wait`, and none before.
  func begin(after wait: Nanoseconds) {
    probe.begin(at: environment.now.adding(wait), now: environment.now)
    arm()
  }

  /// One of them again after `wait` at the latest.
  func hasten(_ candidate: HubCandidate, within wait: Nanoseconds) {
    probe.hasten(candidate.address, by: environment.now.adding(wait))
    arm()
  }

  /// Nothing is reported afterwards.
  func close() {
    for link in links.values { link.close() }
    links = [:]
    timer?.close()
    timer = nil
  }

  private func arm() {
    guard links.count < Self.atOnce else { return }
    timer?.arm(at: probe.next.map { max($0, environment.now) })
  }

  private func peek() {
    let now = environment.now
    for candidate in probe.due(now: now) where links.count < Self.atOnce {
      if let later = mayDial(candidate) {
        probe.postpone(candidate.address, until: later)
        continue
      }
      probe.began(candidate.address)
      links[candidate.address] = HubLink(
        environment: environment, address: candidate.address, credentials: credentials,
        patience: HubClient.patience, peekOnly: true,
        events: HubLink.Events(
          proven: { _ in true }, entered: { [this] entry in this.object?.ended(candidate, entry, nil) }, presence: { _, _ in },
          delivered: { _ in }, probed: { _ in }, drained: {}, ending: { _ in },
          ended: { [this] end in this.object?.ended(candidate, nil, end) }))
    }
    arm()
  }

  private func ended(_ candidate: HubCandidate, _ entry: RoomEntry?, _ end: HubLinkEnd?) {
    guard let link = links.removeValue(forKey: candidate.address) else { return }
    link.close()
    var isGone = false
    if case .gone = end { isGone = true }
    probe.ended(
      candidate, answered: entry != nil, isGone: isGone, pace: pace, now: environment.now, random: environment.dice)
    found(candidate, entry, end)
    arm()
  }
}

extension Environment {
  /// Even in 0..<1.
  var dice: Double { randomBytes(4).reduce(0.0) { ($0 + Double($1)) / 256 } }
}
