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
    var triedBack: (TriedBackFrame) -> Void = { _ in }
    /// Something of what these said may be missing.
    var missed: ([ParticipantID]) -> Void = { _ in }
    /// What the hub knows of the clocks of others.
    var clocks: (ClockReport) -> Void = { _ in }
    /// So many listen to the audience.
    var counted: (AudienceCount) -> Void = { _ in }
    /// The hub said that it is about to end.
    var ending: (NextFrame) -> Void
    /// Once, as the last.
    var ended: (HubLinkEnd) -> Void
  }

  private enum Stage {
    case connecting
    case opened(ClientHandshake)
    /// Everything is sealed from here on; the hub has not said yet who it is.
    case identifying(ClientLink)
    /// All but ENTER is done.
    case proven(ClientLink, KnownHub)
    case entering(ClientLink, KnownHub)
    case entered
    case over
  }

  /// Above this nothing more is taken: the hub does not read.
  static let queueLimit = 1 << 20

  private let this = WeakReference<HubLink>()
  private let environment: any Environment
  private let address: HubAddress
  private let credentials: RoomCredentials
  /// Enters nothing: `entered` shows who is in the room, and that is all.
  private let peekOnly: Bool
  private let events: Events
  private var stage = Stage.connecting
  /// Said in ENTER.
  private var turn: UInt32 = 0
  private var stream: (any ByteStream)?
  private var timer: (any LoopTimer)?
  private var assembler = FrameAssembler(limit: HubLimits.unenteredBytes)
  /// nil: what comes and goes is in clear yet.
  private var opener: RecordOpener?
  private var sealer: RecordSealer?
  private var datagrams: (any DatagramPort)?
  private var hubDatagrams: PeerAddress?
  private var ledger: ProbeLedger?
  private var heard: HostTime
  private var asked: HostTime?
  private let deadline: HostTime

  /// `patience` bounds the whole way to entry.
  init(
    environment: any Environment, address: HubAddress, credentials: RoomCredentials, patience: Nanoseconds,
    peekOnly: Bool = false, events: Events
  ) {
    self.environment = environment
    self.address = address
    self.credentials = credentials
    self.peekOnly = peekOnly
    self.events = events
    heard = environment.now
    deadline = environment.now.adding(patience)
    this.point(to: self)
    timer = environment.makeTimer { [this] in this.object?.check() }
    timer?.arm(at: deadline)
    stream = environment.connect(
      to: address.address,
      StreamEvents(
        opened: { [this] in this.object?.opened() },
        received: { [this] bytes in this.object?.received(bytes) },
        drained: { [this] in
          guard let link = this.object, case .entered = link.stage else { return }
          link.events.drained()
        },
        closed: { [this] error in this.object?.closed(error) }))
  }

  deinit { this.cut() }

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

  /// Asks the hub to try whether it reaches this machine; one that does not know how says nothing.
  func tryBack(_ ask: TryBackFrame) {
    if case .entered = stage { write(.tryBack(ask)) }
  }

  /// Forgets all open probes: they are not answered any more.
  func forgetProbes() { ledger?.forget() }

  /// Asks the hub to keep an envelope for those who come later.
  func keep(_ envelope: [UInt8]) {
    if case .entered = stage { write(.keep(envelope: envelope)) }
  }

  /// false: not in an audience, or the hub does not read; nothing was sent.
  func show(_ envelope: [UInt8], slot: UInt8) -> Bool {
    guard case .entered = stage, queuedBytes < Self.queueLimit else { return false }
    write(.show(slot: slot, envelope: envelope))
    return true
  }

  /// Asks for what the slots of an audience have.
  func recall() {
    if case .entered = stage { write(.recall) }
  }

  /// Has something counted of who listens.
  func tally(_ kind: TallyKind, _ tag: UInt64) {
    if case .entered = stage { write(.tally(kind, tag: tag)) }
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
      while stream != nil, let content = try assembler.nextContent() {
        guard let frame = try open(content) else { return end(.lost("what came from \(address.address) does not open")) }
        try handle(frame)
      }
    } catch {
      end(.lost("\(address.address) does not speak this protocol"))
    }
  }

  /// The frame in what came; nil: it was not sealed by the hub for this link, or not in its turn.
  private func open(_ content: [UInt8]) throws(WireError) -> RawFrame? {
    guard opener != nil else { return RawFrame(type: content[0], body: Array(content[1...])) }
    do throws(RecordError) {
      return try opener?.open(content)
    } catch {
      if case .malformed(let error) = error { throw error }
      return nil
    }
  }

  private func handle(_ frame: RawFrame) throws(WireError) {
    switch (stage, try HubFrame.decode(frame)) {
    case (.over, _), (_, nil): return
    case (.opened, .refused(let refusal)): try refusedInClear(refusal)
    // Anybody on the path can make a link: who did not prove to be the hub is not believed.
    case (.identifying, .refused): throw .range
    case (_, .refused(let refusal)):
      end(
        .refused(
          status: refusal.status, text: explained(refusal), retry: refusal.retry.map { .milliseconds(Int64($0)) }))
    case (.opened(let handshake), .challenge): accept(frame.body, handshake)
    case (.identifying(let link), .identity(let identity)): identify(identity, link)
    case (.entering(let link, let hub), .entered(let entered)):
      guard entered.connection == UInt64(turn) else { throw .range }
      admitted(entered, link, hub)
    case (.entered, .presence(let joined, let gone)): events.presence(joined, gone)
    case (.entered, .deliver(let envelope)): events.delivered(envelope)
    case (.entered, .ping(let number)): write(.pong(number))
    case (.entered, .pong): return
    case (.entered, .next(let next)): events.ending(next)
    case (.entered, .triedBack(let answer)): events.triedBack(answer)
    case (.entered, .lost(let ids)): events.missed(ids)
    case (.entered, .clocks(let report)): events.clocks(report)
    case (.entered, .count(let count)): events.counted(count)
    case (.entered, .probe(let packet)): probed(packet, isDatagram: false, at: heard)
    default: throw .range
    }
  }

  /// A hub's own words, and what they may mean where it asks strangers for a pass and none was shown.
  private func explained(_ refusal: RefusedFrame) -> String {
    guard case .entering(_, let hub) = stage, hub.asksForPass, credentials.passes[address.hub] == nil,
      refusal.status == HubRefusal.auth.rawValue
    else { return refusal.text }
    return "\(refusal.text); rooms are opened from its own networks, or with a token of its operator's"
  }

  /// Anybody on the path can say this: no common version, or no time for a handshake now. It ends this attempt, and that is all.
  private func refusedInClear(_ refusal: RefusedFrame) throws(WireError) {
    switch HubRefusal(rawValue: refusal.status) {
    case .version:
      end(.refused(status: HubRefusal.version.rawValue, text: HubRefusal.version.text, retry: nil))
    case .full:
      let retry = refusal.retry.map { min(Nanoseconds.milliseconds(Int64($0)), HubLimits.clearRetry) }
      end(.refused(status: HubRefusal.full.rawValue, text: HubRefusal.full.text, retry: retry))
    case .replaced, .protocolBroken, .auth, nil: throw .range
    }
  }

  private func accept(_ challenge: [UInt8], _ handshake: ClientHandshake) {
    do throws(HandshakeError) {
      let link = try handshake.accept(challenge: challenge)
      opener = link.opener
      sealer = link.sealer
      assembler.limit = HubLimits.unenteredBytes
      stage = .identifying(link)
    } catch {
      fail(error)
    }
  }

  private func identify(_ identity: IdentityFrame, _ link: ClientLink) {
    do throws(HandshakeError) {
      let hub = try link.identify(identity, expectedHub: address.hub, hour: environment.calendarHour)
      stage = .proven(link, hub)
      if events.proven(hub.id) { enter() }
    } catch {
      fail(error)
    }
  }

  private func fail(_ error: HandshakeError) {
    switch error {
    case .version:
      end(.refused(status: HubRefusal.version.rawValue, text: HubRefusal.version.text, retry: nil))
    case .wrongHub: end(.wrongHub("\(address.address) is not the hub that was expected"))
    case .certificateOver:
      end(.wrongHub("the certificate of the hub at \(address.address), by which it is one of those that were expected, is over"))
    case .certificate: end(.wrongHub("the hub at \(address.address) shows a certificate that was not made for it"))
    case .hubSignature: end(.wrongHub("the hub at \(address.address) cannot prove who it is"))
    case .malformed, .key, .seatSignature, .enterSignature:
      end(.lost("\(address.address) does not speak this protocol"))
    }
  }

  /// Enters the hub that proved to be there; without effect otherwise.
  func enter() {
    guard case .proven(let link, let hub) = stage else { return }
    turn = peekOnly ? credentials.turns.last : credentials.turns.next()
    stage = .entering(link, hub)
    assembler.limit = RecordText.greatestRecord
    write(
      .enter(
        link.enter(
          credentials.access, identity: credentials.identity, hub: hub, turn: turn, pass: credentials.passes[address.hub],
          peekOnly: peekOnly)))
  }

  private func admitted(_ entered: EnteredFrame, _ link: ClientLink, _ hub: KnownHub) {
    stage = .entered
    if !peekOnly { beginProbes(entered, link) }
    events.entered(
      RoomEntry(
        address: address.address, hubID: hub.id, pinned: address.hub, clockID: hub.clock, connection: entered.connection,
        members: entered.members, frameLimit: entered.frameLimit, bytesPerSecond: entered.bytesPerSecond,
        udpPort: datagrams == nil ? 0 : entered.udpPort, advertised: entered.advertised))
  }

  private func beginProbes(_ entered: EnteredFrame, _ link: ClientLink) {
    ledger = ProbeLedger(token: entered.token, code: link.probes)
    openDatagrams(port: entered.udpPort)
    timer?.arm(at: heard.adding(HubLimits.pingAfter))
  }

  private func openDatagrams(port: UInt16) {
    guard port != 0, let peer = stream?.peer else { return }
    hubDatagrams = PeerAddress(host: peer.host, port: port)
    datagrams = try? environment.openDatagrams(on: peer.host.contains(":") ? "[::]:0" : "0.0.0.0:0") {
      [this] bytes, _, at in
      if let packet = try? ProbePacket(bytes: bytes) { this.object?.probed(packet, isDatagram: true, at: at) }
    }
  }

  // MARK: In the room

  private func ask(isDatagram: Bool) -> ProbePacket? {
    let opaque = environment.randomNumber()
    return ledger?.ask(isDatagram: isDatagram, opaque: opaque, now: environment.now)
  }

  private func probed(_ packet: ProbePacket, isDatagram: Bool, at: HostTime) {
    guard case .entered = stage, let sample = ledger?.answer(packet, isDatagram: isDatagram, at: at) else { return }
    events.probed(sample)
  }

  private func write(_ frame: HubFrame) {
    guard sealer != nil else {
      stream?.write(frame.encoded)
      return
    }
    // 2^32 records: this connection is at its end, and another one has keys of its own.
    guard let record = sealer?.seal(RecordText(frame)) else { return end(.lost("the link to \(address.address) is used up")) }
    stream?.write(record)
  }

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
