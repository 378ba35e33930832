import UnisonoBase
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

@testable import UnisonoRuntime

/// A client of an audience and all that it was told.
final class AudienceGuest {
  /// Of the audience that tests meet in.
  static let key = SigningKey(seed: Secret { [UInt8](repeating: 77, count: $0) })

  let environment: any Environment
  let identity: Identity
  private(set) var entries: [RoomEntry] = []
  private(set) var joined: [ParticipantID] = []
  private(set) var departures: [Departure] = []
  private(set) var delivered: [(envelope: [UInt8], at: HostTime)] = []
  private(set) var counts: [(listeners: UInt32, leftOut: UInt32, at: HostTime)] = []
  /// The last one, whole.
  private(set) var count: AudienceCount?
  private(set) var losses: [(end: HubLinkEnd, retry: HostTime?)] = []
  private(set) var samples: [ProbeSample] = []
  private(set) var client: HubClient!

  init(
    on environment: any Environment, at addresses: [HubAddress], speaks: Bool, as identity: Identity? = nil, turns: Turns = Turns(),
    key: SigningKey = AudienceGuest.key
  ) {
    self.environment = environment
    self.identity = identity ?? Identity(random: environment.randomBytes)
    client = HubClient(
      environment: environment, addresses: addresses,
      audience: AudienceSeat(topic: key.publicKey.bytes, key: speaks ? key : nil), identity: self.identity, turns: turns,
      events: HubClientEvents(
        entered: { [unowned self] in entries.append($0) },
        presence: { [unowned self] joined, gone in
          self.joined += joined.map(\.id)
          departures += gone
        },
        delivered: { [unowned self] in delivered.append(($0, environment.now)) },
        probed: { [unowned self] in samples.append($0) },
        counted: { [unowned self] in
          counts.append(($0.listeners, $0.leftOut, environment.now))
          count = $0
        },
        lost: { [unowned self] in losses.append(($0, $1)) }))
  }

  var id: ParticipantID { identity.id }
  var isIn: Bool { client.current != nil }
  var envelopes: [[UInt8]] { delivered.map(\.envelope) }

  func envelope(_ counter: UInt64 = 0, kind: EnvelopeHeader.Kind = .stage, length: Int = 578, fill: UInt8 = 0xAA) -> [UInt8] {
    let header = EnvelopeHeader(
      kind: kind, epoch: kind == .door ? .none : EpochID(high: 5, low: 1), sender: id, lane: Lane(index: 1, random: 2), counter: counter)
    return header.bytes + [UInt8](repeating: fill, count: length - EnvelopeHeader.length)
  }
}

extension HubHarness {
  /// On its way into the audience.
  func publisher(as identity: Identity? = nil, turns: Turns = Turns()) -> AudienceGuest {
    AudienceGuest(on: network.machine(), at: [address], speaks: true, as: identity, turns: turns)
  }

  func listener(on other: VirtualEnvironment? = nil, as identity: Identity? = nil, turns: Turns = Turns()) -> AudienceGuest {
    AudienceGuest(on: other ?? network.machine(), at: [address], speaks: false, as: identity, turns: turns)
  }

  /// A publisher and so many listeners, all in.
  func audience(of count: Int) -> (publisher: AudienceGuest, listeners: [AudienceGuest]) {
    let publisher = publisher()
    _ = network.run(atMost: .seconds(5)) { publisher.isIn }
    let listeners = (0..<count).map { _ in listener() }
    _ = network.run(atMost: .seconds(5)) { listeners.allSatisfy(\.isIn) }
    return (publisher, listeners)
  }

  /// A connection by hand that has entered in this role.
  func rawSeat(
    _ access: RoomAccess, as identity: Identity? = nil, turn: UInt32 = 1, on other: VirtualEnvironment? = nil
  ) throws -> RawPeer {
    let peer = raw(on: other)
    peer.open()
    network.run(for: .milliseconds(100))
    try peer.enter(access: access, as: identity, turn: turn)
    network.run(for: .milliseconds(100))
    return peer
  }
}

extension RawPeer {
  /// Envelopes that were delivered.
  var deliveries: [[UInt8]] {
    frames.compactMap { frame in
      if case .deliver(let envelope)? = try? HubFrame.decode(frame) { envelope } else { nil }
    }
  }

  func envelope(_ kind: EnvelopeHeader.Kind, _ counter: UInt64 = 0, length: Int = 578, sender: ParticipantID? = nil) -> [UInt8] {
    let header = EnvelopeHeader(
      kind: kind, epoch: kind == .door ? .none : EpochID(high: 5, low: 1), sender: sender ?? identity?.id ?? .none,
      lane: Lane(index: 1, random: 2), counter: counter)
    return header.bytes + [UInt8](repeating: 0xAA, count: length - EnvelopeHeader.length)
  }
}
