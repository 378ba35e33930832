import UnisonoBase
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

/// One connection to one hub, from the first byte to the last; never reconnects.
final class HubLink {
  struct Events {
    /// The hub of this id, 16 bytes, proved to be there. true: it is entered; false: that waits for `enter`.
    var proven: (_ hub: [UInt8]) -> Bool
    var entered: (RoomEntry) -> Void
    var presence: (_ joined: [Member], _ gone: [Departure]) -> Void
    var delivered: (_ envelope: [UInt8]) -> Void
    var probed: (ProbeSample) -> Void
    var drained: () -> Void
    /// Once, as the last.
    var ended: (HubLinkEnd) -> Void
  }

  private enum Stage {
    case connecting
    case opened(ClientHandshake)
    /// All but ENTER is done.
    case proven(ClientEntry)
    case entering(ClientEntry)
    case entered
    case over
  }

  /// Above this nothing more is taken: the hub does not read.
  static let queueLimit = 1 << 20

  private let environment: any Environment
  private let address: HubAddress
  private let door: Door
  private let identity: Identity
  /// Enters nothing: `entered` shows who is in the room, and that is all.
  private let peekOnly: Bool
  private let events: Events
  private var stage = Stage.connecting
  private var stream: (any ByteStream)?
  private var timer: (any LoopTimer)?
  private var assembler = FrameAssembler(limit: HubLimits.unenteredBytes)
  private var datagrams: (any DatagramPort)?
  private var hubDatagrams: PeerAddress?
  private var ledger: ProbeLedger?
  private var heard: HostTime
  private var asked: HostTime?
  private let deadline: HostTime

  /// `door` names the room and opens it; `patience` bounds the whole way to entry.
  init(
    environment: any Environment, address: HubAddress, door: Door, identity: Identity, patience: Nanoseconds,
    peekOnly: Bool = false, events: Events
  ) {
    self.environment = environment
    self.address = address
    self.door = door
    self.identity = identity
    self.peekOnly = peekOnly
    self.events = events
    heard = environment.now
    deadline = environment.now.adding(patience)
    timer = environment.makeTimer { [weak self] in self?.check() }
    timer?.arm(at: deadline)
    stream = environment.connect(
      to: address.address,
      StreamEvents(
        opened: { [weak self] in self?.opened() },
        received: { [weak self] bytes in self?.received(bytes) },
        drained: { [weak self] in
          guard let self, case .entered = self.stage else { return }
          self.events.drained()
        },
        closed: { [weak self] error in self?.closed(error) }))
  }

  var queuedBytes: Int { stream?.queuedBytes ?? 0 }

  /// false: not in the room, or the hub does not read; nothing was sent.
  func send(_ envelope: [UInt8], to: [ParticipantID]?) -> Bool {
    guard case .entered = stage, queuedBytes < Self.queueLimit else { return false }
    write(.send(to: to, envelope: envelope))
    return true
  }

  /// Asks the hub for its time.
  func probe(_ ways: ProbeWays) {
    guard case .entered = stage else { return }
    if ways.contains(.datagram), let hubDatagrams, let datagrams, let packet = ask(isDatagram: true) {
      let bytes = packet.bytes
      ledger?.left(packet.number, at: environment.now)
      datagrams.send(bytes, to: hubDatagrams)
    }
    if ways.contains(.stream), let packet = ask(isDatagram: false) { write(.probe(packet)) }
  }

  /// Forgets all open probes: they are not answered any more.
  func forgetProbes() { ledger?.forget() }

  /// Asks the hub to keep an envelope for those who come later.
  func keep(_ envelope: [UInt8]) {
    if case .entered = stage { write(.keep(envelope: envelope)) }
  }

  /// Tells the room that this is no accident, and closes. Nothing is called afterwards.
  func leave() {
    if case .entered = stage { write(.leave) }
    close()
  }

  /// Closes. Nothing is called afterwards.
  func close() {
    stage = .over
    timer?.close()
    timer = nil
    stream?.close()
    stream = nil
    datagrams?.close()
    datagrams = nil
  }

  private func closed(_ error: NetworkError?) {
    let text = error?.message ?? "the hub closed the connection"
    if case .connecting = stage, error?.isRefusal == true { return end(.gone(text)) }
    end(.lost(text))
  }

  // MARK: The way in

  private func opened() {
    guard case .connecting = stage else { return }
    heard = environment.now
    let handshake = ClientHandshake(random: environment.randomBytes)
    stage = .opened(handshake)
    write(.open(handshake.open))
  }

  private func received(_ bytes: [UInt8]) {
    heard = environment.now
    asked = nil
    assembler.append(bytes)
    do throws(WireError) {
      while stream != nil, let frame = try assembler.next() { try handle(frame) }
    } catch {
      end(.lost("\(address.address) does not speak this protocol"))
    }
  }

  private func handle(_ frame: RawFrame) throws(WireError) {
    switch (stage, try HubFrame.decode(frame)) {
    case (.over, _), (_, nil): return
    case (_, .refused(let refusal)):
      end(
        .refused(
          status: refusal.status, text: refusal.text, retry: refusal.retry.map { .milliseconds(Int64($0)) }))
    case (.opened(let handshake), .challenge): answer(frame.body, handshake)
    case (.entering(let entry), .entered(let entered)): admitted(entered, entry)
    case (.entered, .presence(let joined, let gone)): events.presence(joined, gone)
    case (.entered, .deliver(let envelope)): events.delivered(envelope)
    case (.entered, .ping(let number)): write(.pong(number))
    case (.entered, .pong): return
    case (.entered, .probe(let packet)): probed(packet, isDatagram: false, at: heard)
    default: throw .range
    }
  }

  private func answer(_ challenge: [UInt8], _ handshake: ClientHandshake) {
    do throws(HandshakeError) {
      let entry = try handshake.answer(
        challenge: challenge, door: door, identity: identity, expectedHub: address.hub, peekOnly: peekOnly)
      stage = .proven(entry)
      if events.proven(entry.hub) { enter() }
    } catch {
      switch error {
      case .version:
        end(.refused(status: HubRefusal.version.rawValue, text: HubRefusal.version.text, retry: nil))
      case .wrongHub: end(.wrongHub("\(address.address) is not the hub that was expected"))
      case .hubSignature: end(.wrongHub("the hub at \(address.address) cannot prove who it is"))
      case .malformed, .key, .seatSignature, .enterSignature:
        end(.lost("\(address.address) does not speak this protocol"))
      }
    }
  }

  /// Enters the hub that proved to be there; without effect otherwise.
  func enter() {
    guard case .proven(let entry) = stage else { return }
    stage = .entering(entry)
    assembler.limit = HubLimits.frameLength
    write(.enter(entry.enter))
  }

  private func admitted(_ entered: EnteredFrame, _ entry: ClientEntry) {
    stage = .entered
    if !peekOnly { beginProbes(entered, entry) }
    events.entered(
      RoomEntry(
        address: address.address, hubID: entry.hub, clockID: entry.clock, connection: entered.connection,
        members: entered.members, frameLimit: entered.frameLimit, bytesPerSecond: entered.bytesPerSecond,
        udpPort: datagrams == nil ? 0 : entered.udpPort, advertised: entered.advertised))
  }

  private func beginProbes(_ entered: EnteredFrame, _ entry: ClientEntry) {
    ledger = ProbeLedger(token: entered.token, code: entry.probes)
    openDatagrams(port: entered.udpPort)
    timer?.arm(at: heard.adding(HubLimits.pingAfter))
  }

  private func openDatagrams(port: UInt16) {
    guard port != 0, let peer = stream?.peer else { return }
    hubDatagrams = PeerAddress(host: peer.host, port: port)
    datagrams = try? environment.openDatagrams(on: peer.host.contains(":") ? "[::]:0" : "0.0.0.0:0") {
      [weak self] bytes, _, at in
      if let packet = try? ProbePacket(bytes: bytes) { self?.probed(packet, isDatagram: true, at: at) }
    }
  }

  // MARK: In the room

  private func ask(isDatagram: Bool) -> ProbePacket? {
    let opaque = environment.randomBytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return ledger?.ask(isDatagram: isDatagram, opaque: opaque, now: environment.now)
  }

  private func probed(_ packet: ProbePacket, isDatagram: Bool, at: HostTime) {
    guard case .entered = stage, let sample = ledger?.answer(packet, isDatagram: isDatagram, at: at) else { return }
    events.probed(sample)
  }

  private func write(_ frame: HubFrame) { stream?.write(frame.encoded) }

  private func check() {
    let now = environment.now
    guard case .entered = stage else {
      return end(.lost("\(address.address) did not answer in time"))
    }
    let silence = now.subtracting(heard)
    if silence >= HubLimits.deadAfter { return end(.lost("the hub at \(address.address) fell silent")) }
    if silence >= HubLimits.pingAfter, asked == nil {
      asked = now
      write(.ping(0))
    }
    timer?.arm(at: heard.adding(asked == nil ? HubLimits.pingAfter : HubLimits.deadAfter))
  }

  private func end(_ reason: HubLinkEnd) {
    if case .over = stage { return }
    close()
    events.ended(reason)
  }
}
