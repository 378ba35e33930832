import UnisonoCore
import UnisonoCrypto

/// A participant's place in a room: connects to one of the room's hubs, and again when that link is lost.
///
/// Belongs to the loop's thread of its environment.
public final class HubClient {
  private let environment: any Environment
  private let door: Door
  private let identity: Identity
  private let events: HubClientEvents
  private var addresses: [HubAddress]
  private var policy: ReconnectPolicy
  private var link: HubLink?
  private var timer: (any LoopTimer)?
  /// Counts attempts, so that words of a link that was given up are not taken for those of the present one.
  private var attempt = 0
  private var seat: HubSeat?
  private var isClosed = false

  /// How long an attempt may take up to entry: with other hubs to turn to, not long.
  static let patience = Nanoseconds.seconds(3)
  static let patienceAlone = Nanoseconds.seconds(10)

  /// Connects to the first of `addresses` at once (none: when `setAddresses` brings one); `door` names the room and opens it.
  public init(
    environment: any Environment, addresses: [HubAddress], door: Door, identity: Identity,
    events: HubClientEvents
  ) {
    self.environment = environment
    self.addresses = addresses
    self.door = door
    self.identity = identity
    self.events = events
    policy = ReconnectPolicy(addresses: addresses.count)
    timer = environment.makeTimer { [weak self] in self?.connect() }
    timer?.arm(at: environment.now)
  }

  /// nil while there is no link.
  public var current: HubSeat? { seat }
  /// Bytes that wait to be sent.
  public var queuedBytes: Int { link?.queuedBytes ?? 0 }

  /// Sends a sealed envelope; `to` nil: to all others. false: no link, or the hub does not read; nothing was sent.
  @discardableResult
  public func send(_ envelope: [UInt8], to: [ParticipantID]? = nil) -> Bool {
    link?.send(envelope, to: to) ?? false
  }

  /// Asks the hub for its time; the answer comes as `probed`, or not at all.
  public func probe(_ ways: ProbeWays) { link?.probe(ways) }

  /// This machine slept: what was asked before is not answered any more.
  public func forgetProbes() { link?.forgetProbes() }

  /// Other hubs to try from the next attempt on; the link that is up stays, and its hub is asked first after a loss.
  public func setAddresses(_ addresses: [HubAddress]) {
    guard !isClosed, addresses != self.addresses else { return }
    let hadNone = self.addresses.isEmpty
    let present = self.addresses.indices.contains(policy.current) ? self.addresses[policy.current] : nil
    let index = addresses.firstIndex { $0 == present } ?? 0
    self.addresses = addresses
    policy = ReconnectPolicy(addresses: addresses.count, startingAt: index)
    if hadNone { timer?.arm(at: environment.now) }
  }

  /// Leaves the room for good, on purpose. Nothing is called afterwards.
  public func leave() {
    link?.leave()
    close()
  }

  /// Ends without a word to the room. Nothing is called afterwards.
  public func close() {
    isClosed = true
    attempt += 1
    seat = nil
    link?.close()
    link = nil
    timer?.close()
    timer = nil
  }

  private func connect() {
    guard !isClosed else { return }
    guard addresses.indices.contains(policy.current) else { return }
    attempt += 1
    let mine = attempt
    link = HubLink(
      environment: environment, address: addresses[policy.current], door: door, identity: identity,
      patience: addresses.count > 1 ? Self.patience : Self.patienceAlone,
      events: HubLink.Events(
        entered: { [weak self] seat in
          guard let self, self.attempt == mine else { return }
          self.seat = seat
          self.policy.entered()
          self.events.entered(seat)
        },
        presence: { [weak self] joined, gone in self?.events.presence(joined, gone) },
        delivered: { [weak self] envelope in self?.events.delivered(envelope) },
        probed: { [weak self] sample in self?.events.probed(sample) },
        drained: { [weak self] in self?.events.drained() },
        ended: { [weak self] end in
          guard let self, self.attempt == mine else { return }
          self.ended(end)
        }))
  }

  private func ended(_ end: HubLinkEnd) {
    link = nil
    let wasEntered = seat != nil
    seat = nil
    let dice = environment.randomBytes(4).reduce(0.0) { ($0 + Double($1)) / 256 }
    switch policy.next(after: end.outcome, wasEntered: wasEntered, random: dice) {
    case .stop: events.lost(end, nil)
    case .connect(_, let after):
      let time = environment.now.adding(after)
      timer?.arm(at: time)
      events.lost(end, time)
    }
  }
}
