import Testing
import UnisonoBase
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

@testable import UnisonoRuntime

/// A hub on a virtual network, and what a test needs to meet it.
final class HubHarness {
  let network: VirtualNetwork
  let machine: VirtualEnvironment
  let server: HubServer
  /// The hub's key: with it another one is taken for it.
  let identity = SigningKey(seed: Secret { [UInt8](repeating: 8, count: $0) })

  init(
    limits: HubLimits = HubLimits(), seed: UInt64 = 1, origins: [String] = [], proxies: [String] = [],
    opening: RoomOpening = .anybody, site: HubSite? = nil, triesBack: Bool = false
  ) throws {
    network = VirtualNetwork(seed: seed)
    machine = network.machine()
    final class Lines { var lines: [HubLog] = [] }
    let lines = Lines()
    server = try HubServer(
      environment: machine,
      options: HubOptions(
        listen: ["0.0.0.0:7400"], limits: limits, origins: origins, proxies: proxies, site: site, triesBack: triesBack),
      identity: identity, opening: opening, log: { lines.lines.append($0) })
    readLog = { lines.lines }
  }

  private var peers: [RawPeer] = []
  private let readLog: () -> [HubLog]
  var lines: [HubLog] { readLog() }

  var address: HubAddress { server.address(on: machine) }

  static func door(_ number: UInt8 = 1) -> Door {
    Door(session: [UInt8](repeating: 9, count: 32), secret: Secret { [UInt8](repeating: number, count: $0) })
  }

  /// A participant on a machine of its own that is on its way into the room.
  func guest(
    room: UInt8 = 1, on other: VirtualEnvironment? = nil, as identity: Identity? = nil, turns: Turns = Turns()
  ) -> Guest {
    Guest(
      on: other ?? network.machine(), addresses: [address], door: Self.door(room), identity: identity, turns: turns)
  }

  /// The same through WebSocket.
  func webGuest(room: UInt8 = 1, passes: [[UInt8]: [UInt8]] = [:], fields: [String] = []) -> Guest {
    let machine = network.machine()
    return Guest(
      on: machine, through: WebSocketEnvironment(machine, fields: fields), addresses: [address], door: Self.door(room),
      passes: passes)
  }

  /// Participants who are all in the room.
  func guests(_ count: Int, room: UInt8 = 1) -> [Guest] {
    let guests = (0..<count).map { _ in guest(room: room) }
    _ = network.run(atMost: .seconds(5)) { guests.allSatisfy { $0.members.count == count } }
    return guests
  }

  /// The same, in a room.
  func rawMember() throws -> RawPeer {
    let peer = raw()
    peer.open()
    network.run(for: .milliseconds(100))
    try peer.enter()
    network.run(for: .milliseconds(100))
    #expect(peer.body(.entered) != nil)
    return peer
  }

  /// A connection without a client behind it; kept as long as the harness.
  func raw(on other: VirtualEnvironment? = nil) -> RawPeer {
    let peer = RawPeer(on: other ?? network.machine(), to: address.address)
    peers.append(peer)
    return peer
  }
}

/// A client and all that it was told.
final class Guest {
  let machine: VirtualEnvironment
  let identity: Identity
  private(set) var entries: [RoomEntry] = []
  /// By id, as presence told.
  private(set) var members: [ParticipantID: UInt64] = [:]
  private(set) var departures: [Departure] = []
  /// Hubs it was about to move to, each with the number of entries until then.
  private(set) var moves: [(hub: HubAddress, entries: Int)] = []
  /// How much time its hub said it has left, each time.
  private(set) var endings: [Nanoseconds] = []
  private(set) var delivered: [(envelope: [UInt8], at: HostTime)] = []
  private(set) var samples: [ProbeSample] = []
  private(set) var triedBack: [TriedBackFrame] = []
  private(set) var missed: [[ParticipantID]] = []
  private(set) var clocks: [ClockReport] = []
  private(set) var losses: [(end: HubLinkEnd, retry: HostTime?)] = []
  private(set) var client: HubClient!

  init(
    on machine: VirtualEnvironment, through environment: (any Environment)? = nil, addresses: [HubAddress], door: Door,
    identity: Identity? = nil,
    passes: [[UInt8]: [UInt8]] = [:], turns: Turns = Turns()
  ) {
    self.machine = machine
    self.identity = identity ?? Identity(random: machine.randomBytes)
    client = HubClient(
      environment: environment ?? machine, addresses: addresses, door: door, identity: self.identity, passes: passes, turns: turns,
      events: HubClientEvents(
        entered: { [unowned self] seat in
          entries.append(seat)
          members = Dictionary(uniqueKeysWithValues: seat.members.map { ($0.id, $0.connection) })
        },
        moves: { [unowned self] hub in moves.append((hub, entries.count)) },
        ending: { [unowned self] within in endings.append(within) },
        presence: { [unowned self] joined, gone in
          for member in joined { members[member.id] = member.connection }
          for departure in gone where members[departure.id] == departure.connection { members[departure.id] = nil }
          departures += gone
        },
        delivered: { [unowned self] envelope in delivered.append((envelope, machine.now)) },
        probed: { [unowned self] sample in samples.append(sample) },
        triedBack: { [unowned self] answer in triedBack.append(answer) },
        missed: { [unowned self] ids in missed.append(ids) },
        clocks: { [unowned self] report in clocks.append(report) },
        lost: { [unowned self] end, retry in losses.append((end, retry)) }))
  }

  var id: ParticipantID { identity.id }
  var isIn: Bool { client.current != nil }

  /// An envelope as the hub sees it: a header and bytes it cannot read.
  func envelope(
    _ counter: UInt64 = 0, kind: EnvelopeHeader.Kind = .ordered, length: Int = 578, sender: ParticipantID? = nil
  ) -> [UInt8] {
    let header = EnvelopeHeader(
      kind: kind, epoch: kind == .door ? .none : EpochID(high: 5, low: 1),
      sender: sender ?? id, lane: Lane(index: 1, random: 2), counter: counter)
    return header.bytes + [UInt8](repeating: 0xAA, count: length - EnvelopeHeader.length)
  }
}

extension HubServer {
  /// Where it is on this machine, and which hub it is.
  func address(on machine: VirtualEnvironment, port: Int = 7400) -> HubAddress {
    HubAddress(address: "\(machine.host):\(port)", hub: hubID)
  }
}

extension HubAddress {
  /// Of a hub that nobody will meet.
  init(unmet address: String) { self.init(address: address, hub: [UInt8](repeating: 7, count: 16)) }
}

/// A connection by hand: bytes and frames in, frames out, in clear up to CHALLENGE and in records from there on.
final class RawPeer {
  let machine: any Environment
  private(set) var stream: (any ByteStream)!
  private(set) var received: [UInt8] = []
  /// Lengths of the pieces in which it came.
  private(set) var pieces: [Int] = []
  private(set) var isClosed = false
  private var assembler = FrameAssembler(limit: RecordText.greatestRecord)
  private(set) var frames: [RawFrame] = []
  /// Records that did not open.
  private(set) var unopened = 0
  private var handshake: ClientHandshake?
  private(set) var link: ClientLink?
  private var sealer: RecordSealer?
  private var opener: RecordOpener?
  /// Set with `enter`.
  private(set) var identity: Identity?
  var code: ProbeMAC? { link?.probes }

  init(on machine: any Environment, to address: String) {
    self.machine = machine
    stream = machine.connect(
      to: address,
      StreamEvents(
        received: { [unowned self] bytes in take(bytes) },
        closed: { [unowned self] _ in isClosed = true }))
  }

  private func take(_ bytes: [UInt8]) {
    received += bytes
    pieces.append(bytes.count)
    assembler.append(bytes)
    while let content = try? assembler.nextContent() {
      guard opener != nil else {
        let frame = RawFrame(type: content[0], body: Array(content[1...]))
        frames.append(frame)
        if frame.type == HubFrame.FrameType.challenge.rawValue { accept(frame.body) }
        continue
      }
      if let frame = try? opener?.open(content) { frames.append(frame) } else { unopened += 1 }
    }
  }

  private func accept(_ challenge: [UInt8]) {
    guard let link = try? handshake?.accept(challenge: challenge) else { return }
    self.link = link
    sealer = link.sealer
    opener = link.opener
  }

  func open() {
    let handshake = ClientHandshake(random: machine.randomBytes)
    self.handshake = handshake
    stream.write(HubFrame.open(handshake.open).encoded)
  }

  /// As a record, once there is a link; before that in clear.
  func write(_ frame: RawFrame) { stream.write(sealed(frame)) }

  func write(_ frame: HubFrame) { write(frame.raw) }

  /// The frame as its record, which is to be sent before the next one is sealed.
  func sealed(_ frame: RawFrame) -> [UInt8] { sealer?.seal(RecordText(frame)) ?? frame.encoded }

  /// The ENTER that answers the hub's IDENTITY; nil: it did not come.
  func enterFrame(room: UInt8 = 1, access: RoomAccess? = nil, as identity: Identity, turn: UInt32 = 1) throws -> EnterFrame? {
    guard let link, let body = body(.identity) else { return nil }
    let shown = try IdentityFrame(body: body)
    let hub = try link.identify(shown, expectedHub: VerifyingKey(shown.hubKey).hashedID, hour: machine.calendarHour)
    return link.enter(access ?? .member(of: HubHarness.door(room)), identity: identity, hub: hub, turn: turn)
  }

  /// Answers the IDENTITY that came.
  func enter(room: UInt8 = 1, access: RoomAccess? = nil, as known: Identity? = nil, turn: UInt32 = 1) throws {
    let identity = known ?? Identity(random: machine.randomBytes)
    if let enter = try enterFrame(room: room, access: access, as: identity, turn: turn) { write(.enter(enter)) }
    self.identity = identity
  }

  var refusal: RefusedFrame? {
    for frame in frames {
      if case .refused(let refusal)? = try? HubFrame.decode(frame) { return refusal }
    }
    return nil
  }

  /// The first frame of a type that came.
  func body(_ type: HubFrame.FrameType) -> [UInt8]? { frames.first { $0.type == type.rawValue }?.body }
}
