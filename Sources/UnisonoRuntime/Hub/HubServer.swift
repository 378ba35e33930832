import UnisonoBase
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

/// A hub: it forwards sealed frames inside rooms and tells time. It decides nothing, stores nothing and reads nothing.
///
/// It is the router between rooms of its own, each with its state to itself: `ConnectionTable` (who is connected), `Admission` (who may
/// enter), `HandshakePace` (how much of that in a turn), `HubRooms` (who is where, how fast a room may be sent to), `Audiences` (who speaks
/// to many who listen), `ReadingPace` and `Forwarding` (what comes and goes, and the memory for it), `Endings` (who left, until the others
/// were told), `LivenessChecks`, `HubProbes`, `HubClock`, `HubDrain` (the end in order), `HubPeering` (who is in a room at any hub of its
/// set, notices), `PendingLooks`, `TryBacks` (who asked whether it is reached), `HubLogger`. They judge, and none knows another; what
/// follows is done here, where the sockets and timers are.
///
/// Phases: from `init`, which binds, to `close`. In between it is called by its streams (`received`, `drained`, `closed`), its
/// datagram ports, its timers (`tick` once a second while anybody is connected, `wakeReaders`, `readUnentered`, `flush`, `settle`,
/// `lookAfterDrain`), and by its owner: a session in the same process or `unisono hub`. All on the loop's thread of its environment. Every
/// call that may close a connection ends with `settle`, which tells rooms who left them. Every call of `HubPeering` that may leave
/// something to do is followed by `followPeering`; what `Audiences` leaves is done as the turn's work settles.
package final class HubServer {
  /// How long who sends most to other hubs rests while these do not get it fast enough.
  private static let congestionRest = Nanoseconds.milliseconds(50)

  private let environment: any Environment
  private var options: HubOptions
  private let logger: HubLogger
  private var limits: HubLimits { options.limits }
  private var now: HostTime { environment.now }

  private var clockState: HubClock
  private var sockets: [HubSocket] = []
  private var connections = ConnectionTable()
  private var admission: Admission
  private var rooms: HubRooms
  private var reading: ReadingPace
  private var handshakes = HandshakePace()
  private var forwarding: Forwarding
  private let sealing = SealingBuffer()
  private(set) var endings = Endings()
  private var checks = LivenessChecks()
  private var probes: HubProbes
  let peering: HubPeering
  private var looks = PendingLooks()
  private var audiences: Audiences
  private var drain = HubDrain()
  private let site: SiteServer?
  private let tryBacks: TryBacks
  private var probesAnswered: UInt64 = 0
  private var tickTimer: (any LoopTimer)?
  /// When the next turn of checks is due.
  private var tickDue = HostTime.max
  private var wakeTimer: (any LoopTimer)?
  private var handshakeTimer: (any LoopTimer)?
  /// Due within the turn in which something is to be sent.
  private var sendTimer: (any LoopTimer)?
  private var sendingIsArmed = false
  private var reportTimer: (any LoopTimer)?
  private var drainTimer: (any LoopTimer)?
  private var audienceTimer: (any LoopTimer)?
  private var onDrained: () -> Void = {}
  private var onEntry: () -> Void = {}
  private var onPeek: (ParticipantID) -> Void = { _ in }

  /// Binds at once. `identity` is the hub's signing key, nil: a fresh one. `certificate`: a set's word that the hub is one of its, by which
  /// who pins the set's id takes it; not judged here. `opening`: who may open rooms. `membership`: in a set of hubs; nil: alone.
  package init(
    environment: any Environment, options: HubOptions, identity: SigningKey? = nil, certificate: HubCertificate? = nil,
    opening: RoomOpening = .anybody, membership: SetMembership? = nil, log: @escaping (HubLog) -> Void = { _ in }
  ) throws(NetworkError) {
    self.environment = environment
    self.options = options
    logger = HubLogger(log)
    let now = environment.now
    let limits = options.limits
    admission = Admission(
      identity: identity ?? SigningKey(seed: Secret(random: environment.randomBytes)), certificate: certificate,
      opening: opening, limits: limits, now: now)
    clockState = HubClock(now: now, asleep: environment.timeAsleep, random: environment.randomBytes)
    rooms = HubRooms(limits: limits)
    audiences = Audiences(limits: limits)
    probes = HubProbes(perSecond: limits.probesPerSecond)
    reading = ReadingPace(memory: limits.inboundMemory)
    forwarding = Forwarding(memory: limits.outboundMemory)
    site = options.site.map { SiteServer($0, limits: limits, environment: environment) }
    tryBacks = TryBacks(environment: environment)
    peering = HubPeering(environment: environment, membership: membership, hub: admission.hubID, clock: clockState)
    tickTimer = environment.makeTimer { [weak self] in self?.tick() }
    wakeTimer = environment.makeTimer { [weak self] in self?.wakeReaders() }
    handshakeTimer = environment.makeTimer { [weak self] in self?.readUnentered() }
    sendTimer = environment.makeTimer { [weak self] in
      self?.sendingIsArmed = false
      self?.flush()
      self?.settle()
    }
    reportTimer = environment.makeTimer { [weak self] in
      self?.endings.reportDue()
      self?.settle()
    }
    drainTimer = environment.makeTimer { [weak self] in self?.lookAfterDrain() }
    audienceTimer = environment.makeTimer { [weak self] in
      guard let self else { return }
      self.audiences.tick(now: self.now)
      self.settle()
    }
    for address in options.advertise { _ = try HostAndPort(parsing: address) }
    do throws(NetworkError) {
      try listen()
    } catch {
      close()
      throw error
    }
    // Another hub may ask for this one's time, by the name of its clock.
    peering.open(addresses: addresses, heard: { [weak self] in self?.noticeSleep() }) { [weak self] in
      self?.followPeering()
      self?.settle()
    }
    setLoad()
  }

  // MARK: For the owner

  /// Names this hub's clock; fresh with every hub, and after this machine slept.
  package var clockID: ClockID { clockState.id }
  /// This hub's clock, exactly: it runs on this host's.
  package var clock: ClockModel { clockState.model }
  /// The hash of this hub's key, 16 bytes.
  package var hubID: [UInt8] { admission.hubID }

  /// Counters since the start, and how many rooms and connections there are now.
  package var statistics: HubStatistics {
    var statistics = HubStatistics()
    statistics.rooms = UInt64(rooms.count)
    statistics.connections = UInt64(connections.count)
    statistics.framesIn = reading.framesIn
    statistics.framesOut = forwarding.framesOut
    statistics.bytesIn = reading.bytesIn
    statistics.bytesOut = forwarding.bytesOut
    statistics.refused = endings.refused
    statistics.closedSlow = endings.closedSlow
    statistics.probes = probesAnswered
    return statistics
  }

  /// What whoever runs this hub measures it by.
  package var measures: HubMeasures {
    var measures = HubMeasures()
    measures.statistics = statistics
    (measures.entered, measures.unentered, measures.entries) = admission.counts
    measures.largestRoom = rooms.largest
    (measures.listeners, measures.audiences) = (audiences.listeners, audiences.count)
    measures.endings = endings.count
    measures.refusals = endings.refusals
    measures.resting = reading.restingCount
    measures.inboundMemory = reading.memoryUsed
    measures.outboundMemory = forwarding.memoryUsed
    measures.notices = peering.noticeCount
    measures.otherHubs = peering.otherHubs
    measures.isReady = peering.isServiceReady
    measures.visits = site?.count ?? 0
    measures.visitRequests = site?.requests ?? 0
    measures.isDraining = drain.isUnderWay
    measures.limits = limits
    return measures
  }

  /// Addresses where others reach this hub, for invites: "host:port", what serves most people first.
  package var addresses: [String] {
    var bound = options
    bound.listen = sockets.map { PeerAddress(host: $0.host, port: $0.port).description }
    return bound.addresses(localAddresses: environment.localAddresses())
  }

  /// Lines by which sessions use this hub, one for each address; with a certificate they name its set.
  package var lines: [HubLine] { addresses.map { HubLine(address: HubAddress(address: $0, hub: admission.invitedID)) } }

  /// Address where the process that runs this hub reaches it itself.
  package var ownAddress: String {
    guard let socket = sockets.first else { return "" }
    let isWildcard = socket.host == "0.0.0.0" || socket.host == "::"
    return PeerAddress(host: isWildcard ? "127.0.0.1" : socket.host, port: socket.port).description
  }

  /// Participants in a room.
  package func participants(of topic: [UInt8]) -> [ParticipantID] { rooms[topic: topic]?.members.map(\.id) ?? [] }

  /// Limits the rooms that it forwards to one; else it forwards any. A hub inside a participant's process serves that
  /// participant's rooms and no strangers', so that who comes with an invite that does not fit is told instead of left alone.
  package func serve(only topic: [UInt8]) { admission.serve(only: topic) }

  /// Adds a room to those that `serve(only:)` named.
  package func serve(also topic: [UInt8]) { admission.serve(also: topic) }

  /// Marks a room as one that the session of this process moved out of: while it is empty only `members`, who knew the session
  /// there, enter it. Nobody else may be the first in it, and believe that this is the session.
  package func retire(_ topic: [UInt8], members: Set<ParticipantID>) { admission.retire(topic, members: members) }

  /// Ends what `serve(also:)` and `retire(_:members:)` said of a room.
  package func stopServing(_ topic: [UInt8]) { admission.stopServing(topic) }

  /// Sets who is called, within the call that brings it about, when somebody entered a room (`onEntry`) and when a participant
  /// looked who is in a room without entering it (`onPeek`).
  package func observe(onEntry: @escaping () -> Void, onPeek: @escaping (ParticipantID) -> Void) {
    self.onEntry = onEntry
    self.onPeek = onPeek
  }

  /// Other limits, passes, addresses and another certificate from now on. Nobody who is in has to go: limits of a connection and of a
  /// room's rate hold for those that come. What it listens on stays.
  package func reload(
    limits: HubLimits, opening: RoomOpening, certificate: HubCertificate? = nil, advertise: [String], next: [HubAddress]
  ) {
    options.limits = limits
    options.advertise = advertise
    options.next = next
    admission.set(opening, certificate: certificate, limits: limits)
    rooms.setLimits(limits)
    audiences.setLimits(limits)
    peering.setAddresses(addresses)
    setLoad()
    site?.setLimits(limits)
    reading.setMemory(limits.inboundMemory)
    forwarding.setMemory(limits.outboundMemory)
  }

  /// Ends in order: nobody enters any more, those who are in are told to go to the next hub, and `drained` is called once they
  /// are gone or `within` is over, for its owner to close this hub.
  package func drain(within: Nanoseconds, drained: @escaping () -> Void) {
    guard !drain.isUnderWay else { return }
    onDrained = drained
    admission.shut()
    peering.drain()
    followPeering()
    let people = rooms.participants + audiences.people
    drain.begin(within: within, rooms: rooms.roomNumbers + audiences.all, members: people, now: now)
    log(.info, "about to end: \(people) participants in \(rooms.count + audiences.count) rooms are told to go to the next hub")
    drainTimer?.arm(at: now)
  }

  private func lookAfterDrain() {
    let now = now
    for room in drain.next(now: now) {
      let topic = rooms.topic(of: room) ?? audiences.topic(of: room)
      let hubs = (topic.map { peering.successors(of: $0) } ?? []) + options.next
      let frame = HubFrame.next(NextFrame(hubs: hubs, within: drain.left(now: now)))
      if rooms[room] == nil { audiences.tell(frame, everybodyIn: room) } else { broadcast(RecordText(frame), to: room) }
    }
    settle()
    guard drain.isOver(isEmpty: rooms.count == 0 && audiences.people == 0, now: now) else {
      drainTimer?.arm(at: drain.nextLook(now: now))
      return
    }
    let people = rooms.participants + audiences.people
    if people > 0 { log(.warning, "the time is over: \(people) participants have not gone, and lose their links") }
    let drained = onDrained
    onDrained = {}
    drained()
  }

  /// Closes after the participant in this process had its last word: its connection ends in the same turn as the hub does.
  func close(after participant: ParticipantID) {
    for connection in connections.all where connection.membership?.id == participant { connection.stream.receiveNow() }
    while let (room, gone) = endings.next() { report(gone, to: room) }
    close()
  }

  /// Closes everything; connections end without a word.
  package func close() {
    for socket in sockets { socket.close() }
    sockets = []
    for connection in connections.removeAll() {
      _ = connection.flush(through: sealing)
      connection.markClosed()
      connection.stream.close(.goingAway)
    }
    forwarding.removeAll()
    peering.close()
    site?.close()
    tryBacks.close()
    tickTimer?.close()
    wakeTimer?.close()
    handshakeTimer?.close()
    sendTimer?.close()
    reportTimer?.close()
    drainTimer?.close()
    audienceTimer?.close()
  }

  /// Looks whether this machine slept. If so everybody has to enter anew: that is where the clock is named, and the group
  /// carries its time over from the old one.
  func noticeSleep() {
    guard clockState.renewAfterSleep(asleep: environment.timeAsleep, random: environment.randomBytes) else { return }
    log(.info, "this machine slept: everybody enters anew, to a clock with a new name")
    peering.setClock(clockState.id)
    followPeering()
    for number in connections.numbers {
      if let connection = connections[number] { end(connection, .goingAway) }
    }
    settle()
  }

  /// `room`: the number of the one that it is about.
  private func log(_ level: HubLog.Level, _ text: String, room: UInt64? = nil) {
    let name = room.flatMap { rooms.topic(of: $0) ?? audiences.topic(of: $0) }.map { topic in
      Hash.sha256(topic).prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    logger.log(HubLog(level, text, room: name), now: now)
  }

  // MARK: Sockets

  private func listen() throws(NetworkError) {
    if options.listen.isEmpty {
      do throws(NetworkError) {
        try bind(HubOptions.everywhere)
      } catch {
        try bind(HubOptions.everywhereIPv4)
      }
    }
    for address in options.listen { try bind(address) }
  }

  private func bind(_ address: String) throws(NetworkError) {
    let socket = try HubSocket(
      on: address, environment: environment, options: options,
      accepted: { [weak self] socket, stream in
        self?.accept(stream, through: socket) ?? StreamEvents(received: { _ in }, closed: { _ in })
      },
      received: { [weak self] socket, bytes, from, at in self?.datagram(bytes, from: from, at: at, through: socket) })
    sockets.append(socket)
    if socket.udpPort == 0 {
      log(.warning, "\(address): UDP port \(socket.port) is taken; clock probes go over TCP, less exactly")
    }
  }

  private func accept(_ stream: HubStream, through socket: HubSocket) -> StreamEvents {
    let now = now
    let address = AddressKey(stream.peer.host)
    guard admission.accept(address, now: now) else {
      endings.countRefusal(.unenteredFull)
      stream.close()
      return StreamEvents(received: { _ in }, closed: { _ in })
    }
    if connections.isEmpty { armTick(at: now.adding(.seconds(1))) }
    let connection = connections.insert(stream, through: socket, address: address, limits: limits, now: now)
    // By its number: what is weakly referred to is slower to hold, and this is held for each frame.
    let number = connection.number
    stream.observe(
      moved: { [weak self] client in
        guard let self, let connection = self.connections[number] else { return false }
        return self.move(connection, to: client)
      },
      refused: { [weak self] text in
        guard let self, let connection = self.connections[number] else { return }
        self.endings.countRefusal(.upgrade)
        self.log(.debug, "\(connection.name): \(text)")
      },
      asked: { [weak self] request in
        guard let self, let connection = self.connections[number] else { return nil }
        return self.visit(request, by: connection)
      })
    return StreamEvents(
      received: { [weak self] bytes in
        guard let self, let connection = self.connections[number] else { return }
        self.received(bytes, on: connection)
      },
      drained: { [weak self] in
        guard let self, let connection = self.connections[number] else { return }
        self.flush(connection)
        if let member = connection.membership { self.audiences.drained(connection, member, now: self.now) }
        self.settle()
      },
      closed: { [weak self] _ in
        guard let self, let connection = self.connections[number] else { return }
        self.drop(connection)
        self.settle()
      })
  }

  /// A proxy said where a connection comes from; false: that address has no place.
  private func move(_ connection: HubConnection, to client: PeerAddress) -> Bool {
    let address = AddressKey(client.host)
    guard !connection.isClosed, admission.move(from: connection.address, to: address, now: now) else { return false }
    connection.move(to: address)
    return true
  }

  /// A connection wants a file: it is no participant's from now on, and has no place among theirs. nil: nor one among visits.
  private func visit(_ request: SiteRequest, by connection: HubConnection) -> StreamEvents? {
    guard let site, !connection.isClosed, site.admit(connection.address) else { return nil }
    drop(connection)
    return site.begin(request, on: connection.stream, from: connection.address)
  }

  // MARK: Reading

  private func received(_ bytes: [UInt8], on connection: HubConnection) {
    if connection.isClosed { return }
    let now = now
    reading.count(bytes: bytes.count)
    if connection.receive(bytes, now: now) { read(connection) } else { refuseSilently(connection, .noise) }
    settle()
  }

  /// Handles the frames that wait, as far as the limits allow now.
  private func read(_ connection: HubConnection) {
    let now = now
    var rest: HostTime?
    var handled = false
    do throws(RecordError) {
      while !connection.isClosed {
        rest = mustRest(connection, now: now)
        if connection.membership == nil, handshakes.isUsedUp {
          handshakes.wait(connection.number)
          break
        }
        guard rest == nil, let frame = try connection.nextFrame(now: now) else { break }
        handled = true
        reading.countFrame()
        do throws(WireError) { try handle(frame, on: connection) } catch { throw .malformed(error) }
      }
    } catch .malformed {
      closeForViolation(connection)
    } catch {
      // Somebody is on the path, or the link is used up: there is nobody to answer.
      refuseSilently(connection, .noise)
    }
    if connection.isClosed { return }
    connection.finishReading(handled: handled, rests: rest != nil, now: now)
    if let rest {
      connection.rest(now: now)
      if let wake = reading.rest(connection.number, until: rest, now: now) { wakeTimer?.arm(at: wake) }
    } else if connection.resume(now: now) {
      reading.resume(connection.number)
    }
    reading.account(connection)
    while let largest = reading.largest(of: connections) {
      log(.warning, "memory for received bytes is used up: \(largest.name) closed", room: largest.membership?.room)
      refuse(largest, .full, .memory)
    }
  }

  /// Until when `connection` may not be read; nil: it may.
  private func mustRest(_ connection: HubConnection, now: HostTime) -> HostTime? {
    guard let member = connection.membership else { return nil }
    if let rest = connection.mustRest(now: now) ?? rooms.mustRest(member.id, in: member.room, now: now) { return rest }
    if let rest = audiences.mustRest(member, now: now) { return rest }
    guard peering.isCongested(member.topic), rooms.sendsMost(member.id, in: member.room) else { return nil }
    return now.adding(Self.congestionRest)
  }

  private func wakeReaders() {
    let now = now
    for number in reading.beginWake() where reading.isRested(number, now: now) {
      if let connection = connections[number] { read(connection) }
    }
    if let wake = reading.endWake(now: now) { wakeTimer?.arm(at: wake) }
    settle()
  }

  /// What those who have not entered said in the turn before, and no more of that was handled.
  private func readUnentered() {
    for number in handshakes.beginTurn() {
      if let connection = connections[number] { read(connection) }
    }
    settle()
  }

  private func countHandshake() {
    if handshakes.countHandshake() { handshakeTimer?.arm(at: now.adding(HandshakePace.pause)) }
  }

  private func handle(_ frame: RawFrame, on connection: HubConnection) throws(WireError) {
    switch connection.stage {
    case .silent: open(frame, on: connection)
    case .challenged(let handshake): enter(frame, handshake, on: connection)
    case .entered(let member):
      let said = try HubFrame.decode(frame)
      if member.role != .member, try audiences.take(said, from: member, on: connection, now: now) { return }
      switch said {
      case .send(let to, let envelope): try forward(envelope, to: to, from: member, connection)
      case .probe(let packet): answer(packet, from: member, connection)
      case .ping(let number): write(RecordText(.pong(number)), to: connection, mayDrop: true)
      case .pong: break
      case .keep(let envelope):
        let header = try EnvelopeHeader(envelope: envelope)
        guard header.sender == member.id, header.kind.isOfRoom else { throw .range }
        peering.keep(envelope, for: member.topic, by: connection.address.keeper)
      case .leave: end(connection, .normal, left: true)
      case .tryBack(let ask): tryBack(ask, for: connection)
      case .open, .challenge, .enter, .entered, .refused, .presence, .deliver, .identity, .clocks, .next, .triedBack, .lost, .show,
        .recall, .count, .tally:
        throw .range
      case nil: break
      }
    }
  }

  // MARK: Entry

  private func open(_ frame: RawFrame, on connection: HubConnection) {
    let opening = admission.answer(
      frame, from: connection.address, clock: clockID, mayListen: mayListen, now: now,
      random: environment.randomBytes)
    switch opening {
    case .notOurs: refuseSilently(connection, .noise)
    case .refuse(let refusal, let retry, let cause): refuse(connection, refusal, cause, retry: retry)
    case .challenge(let handshake):
      countHandshake()
      connection.challenge(handshake, through: sealing)
    }
  }

  private func enter(_ frame: RawFrame, _ handshake: HubHandshake, on connection: HubConnection) {
    countHandshake()
    switch admission.prove(frame, count: connection.unenteredFrames, answering: handshake) {
    case .unknown: break
    case .refuse(let refusal, let cause): refuse(connection, refusal, cause)
    case .proved(let entry):
      guard mustLook(entry, on: connection) else { return admit(entry, on: connection) }
      looks.add(entry, of: connection.number)
      peering.look(entry.topic)
      followPeering()
    }
  }

  /// Whether other hubs are asked who is in a room, or in an audience: only where the answer decides. Else who is there follows.
  private func mustLook(_ entry: HubEntry, on connection: HubConnection) -> Bool {
    switch entry.role {
    case .member: entry.peekOnly || admission.needsPass(entry, from: connection.stream.reach) && !peering.isOpen(entry.topic)
    case .publisher: admission.needsPass(entry, from: connection.stream.reach) && !audiences.isOpen(entry.topic, now: now)
    case .listener: !audiences.isOpen(entry.topic, now: now) && (looks.isAwaited(entry.topic) || !looks.isFull)
    }
  }

  /// Somebody proved who it is, and who is in the room is known as far as it decides.
  private func admit(_ entry: HubEntry, on connection: HubConnection) {
    let isTaken = peering.isOpen(entry.topic)
    let kind = isTaken ? peering.kind(of: entry.topic) : .unknown
    let isOfAudience = entry.role == .member && kind == .audience
    let ofKind = isOfAudience ? .auth : audiences.refusal(of: entry, isRoom: kind == .room, now: now)
    if ofKind == .auth { return refuse(connection, .auth, .notAdmitted) }
    let isOpen = entry.role == .member ? isTaken : entry.role == .listener || audiences.isOpen(entry.topic, now: now)
    let refusal = admission.refusal(
      of: entry, from: connection.stream.reach, isOpen: isOpen, elsewhere: peering.openedElsewhere)
    if let refusal { return refuse(connection, refusal, refusal == .full ? .full : .notAdmitted) }
    guard entry.role == .member else {
      attend(entry, ofKind, on: connection)
      return followPass(of: entry.topic)
    }
    guard entry.peekOnly else {
      enter(entry, on: connection)
      // Also where it found no place after all.
      return followPass(of: entry.topic)
    }
    showRoom(entry, to: connection)
    onPeek(entry.participant)
  }

  /// A room may have been opened with a pass, or be over: other hubs are told.
  private func followPass(of topic: [UInt8]) {
    let isOpen = rooms.number(of: topic) != nil || audiences.isOpen(topic, now: now)
    guard let (group, count) = admission.follow(topic, isOpen: isOpen) else { return }
    peering.opened(group, rooms: count)
  }

  /// All that answer who is in a room have answered.
  private func looked(_ topic: [UInt8]) {
    for waiting in looks.remove(topic) {
      guard let connection = connections[waiting.connection], connection.membership == nil else { continue }
      admit(waiting.entry, on: connection)
    }
  }

  private func enter(_ entry: HubEntry, on connection: HubConnection) {
    let id = entry.participant
    guard takePlace(connection, as: entry.role) else { return }
    // Who left through one connection and comes back through another is told in this order.
    if let known = rooms.number(of: entry.topic) { reportNow(to: known) }
    // Here or elsewhere through a newer connection, or through one that says to be the same.
    if let newest = peering.turn(of: id, in: entry.topic), newest >= entry.turn { return refuse(connection, .replaced, nil) }
    guard peering.hasPlace(for: id, in: entry.topic, limit: limits.participantsPerRoom),
      case .entered(let room, let replaced) = rooms.enter(
        topic: entry.topic, id: id, connection: connection.number, from: connection.address, now: now)
    else { return refuse(connection, .full, .full) }
    let token = makeToken(entry.probes)
    connection.enter(
      HubConnection.Membership(room: room, topic: entry.topic, id: id, turn: entry.turn, token: token, role: .member), now: now)
    forwarding.enter(connection, room: room)
    // Before anything is written: that may end a connection, this one too.
    peering.entered(entry.topic, id, turn: entry.turn)
    if let replaced, let older = connections[replaced] {
      log(.debug, "participant \(id) came back; its older connection ends", room: room)
      refuse(older, .replaced, nil)
    }
    setLoad()
    welcome(connection, to: peering.members(of: entry.topic), turn: entry.turn, token: token)
    followPeering()
    if let notice = peering.notice(for: entry.topic) { write(RecordText(.deliver(envelope: notice)), to: connection) }
    onEntry()
    log(.debug, "participant \(id) entered a room of \(rooms[room]?.members.count ?? 0)", room: room)
  }

  /// false: it found none at the gate, and was told.
  private func takePlace(_ connection: HubConnection, as role: EntryRole) -> Bool {
    switch admission.enter(connection.address, as: role, mayListen: mayListen, now: now) {
    case .full: refuse(connection, .full, .full)
    case .tooOften(let retry): refuse(connection, .full, .entryRate, retry: retry)
    case nil:
      connection.count(as: role)
      return true
    }
    return false
  }

  /// There is something to listen to, here or at another hub.
  private var mayListen: Bool { audiences.mayListen(now: now) || peering.mayListen }

  /// Lets somebody into an audience. `refusal`: what that says of it.
  private func attend(_ entry: HubEntry, _ refusal: Audiences.Refusal?, on connection: HubConnection) {
    switch refusal {
    case .auth: return refuse(connection, .auth, .notAdmitted)
    case .notOpen: return refuse(connection, .full, .notOpen, retry: HubRefusal.notOpenRetry)
    case .replaced: return refuse(connection, .replaced, nil)
    case nil: break
    }
    let (id, topic) = (entry.participant, entry.topic)
    if let newest = peering.turn(of: id, in: topic), newest >= entry.turn { return refuse(connection, .replaced, nil) }
    if entry.role == .publisher, !peering.hasPlace(for: id, in: topic, limit: HubLimits.publishers) {
      return refuse(connection, .full, .full)
    }
    guard takePlace(connection, as: entry.role) else { return }
    guard
      entry.role == .listener
        || audiences.open(topic, by: connection.address, elsewhere: peering.audience(of: topic), rooms: rooms.count, now: now),
      let (number, older) = audiences.enter(entry, connection, now: now)
    else { return refuse(connection, .full, .full) }
    let token = makeToken(entry.probes)
    connection.enter(
      HubConnection.Membership(room: number, topic: topic, id: id, turn: entry.turn, token: token, role: entry.role), now: now)
    // That there is an audience here comes before who is in it.
    followAudiences()
    if entry.role == .publisher {
      peering.entered(topic, id, turn: entry.turn, as: .audience)
    } else if let before = older?.membership, before.role == .publisher {
      peering.gone(topic, id, turn: before.turn, left: true)
    }
    if let older { refuse(older, .replaced, nil) }
    setLoad()
    welcome(connection, to: peering.members(of: topic), turn: entry.turn, token: token)
    audiences.welcome(connection, role: entry.role, to: number, now: now)
    followPeering()
  }

  /// Shows who is in a room to one who looks for the rest of its group: it is gone again before anybody notices.
  private func showRoom(_ entry: HubEntry, to connection: HubConnection) {
    let members = peering.members(of: entry.topic)
    let entered = EnteredFrame(
      connection: UInt64(entry.turn), members: Array(members.prefix(HubLimits.membersPerFrame)), token: 0, udpPort: 0,
      frameLimit: UInt32(HubLimits.frameLength), bytesPerSecond: UInt32(clamping: limits.bytesPerSecond))
    write(RecordText(.entered(entered)), to: connection)
    end(connection, .normal)
  }

  /// Tells a newcomer who is in its room.
  private func welcome(_ connection: HubConnection, to members: [Member], turn: UInt32, token: UInt64) {
    let slice = HubLimits.membersPerFrame
    let entered = EnteredFrame(
      connection: UInt64(turn), members: Array(members.prefix(slice)), token: token,
      udpPort: connection.socket.udpPort, frameLimit: UInt32(HubLimits.frameLength),
      bytesPerSecond: UInt32(clamping: connection.place == .listening ? Int(HubLimits.listenerBytes) : limits.bytesPerSecond),
      advertised: options.advertise)
    write(RecordText(.entered(entered)), to: connection)
    if let clocks = peering.clockReport { write(RecordText(.clocks(clocks)), to: connection) }
    for start in stride(from: slice, to: members.count, by: slice) {
      let some = Array(members[start..<min(start + slice, members.count)])
      write(RecordText(.presence(joined: some, gone: [])), to: connection)
    }
  }

  private func makeToken(_ code: ProbeMAC) -> UInt64 {
    while true {
      let token = environment.randomNumber()
      if probes.add(token: token, code: code, now: now) { return token }
    }
  }

  // MARK: Sending

  private func forward(
    _ envelope: [UInt8], to: [ParticipantID]?, from member: HubConnection.Membership, _ connection: HubConnection
  ) throws(WireError) {
    let header = try EnvelopeHeader(envelope: envelope)
    guard header.sender == member.id, header.kind.isOfRoom, let room = rooms[member.room] else { throw .range }
    let text = RecordText(.deliver(envelope: envelope))
    let mayDrop = header.kind == .unordered
    let sent: Forwarding.Sent
    if let to {
      let receivers = to.compactMap { room.connection(of: $0) }.compactMap { connections[$0] }
      sent = forwarding.send(text, to: receivers, except: connection.number, mayDrop: mayDrop)
    } else {
      sent = forwarding.send(text, toRoom: member.room, except: connection.number, mayDrop: mayDrop)
    }
    follow(sent)
    let now = now
    rooms.sent(sent.count * text.recordLength, in: member.room, for: member.id, now: now)
    peering.said(member.topic, from: member.id, to: to, mayDrop: mayDrop, envelope: envelope, now: now)
  }

  // MARK: Other hubs

  /// Does what `HubPeering` left to do, in order. What comes up meanwhile is done in the same turn.
  private func followPeering() {
    guard peering.beginHandingOut() else { return }
    while let effect = peering.next() { follow(effect) }
    peering.endHandingOut()
  }

  private func follow(_ effect: HubSetEffect) {
    switch effect {
    case .joined(let topic, let member):
      guard let room = rooms.number(of: topic) else {
        if let older = audiences.joined(member, in: topic) { refuse(older, .replaced, nil) }
        return
      }
      reportNow(to: room)
      broadcast(RecordText(.presence(joined: [member], gone: [])), to: room, except: rooms[room]?.connection(of: member.id))
    case .gone(let topic, let departure):
      // While this hub drains, whoever goes without a word went to the next one, where all of the room meet: nobody is missed.
      let isTold = departure.left || !drain.isUnderWay
      guard let room = rooms.number(of: topic) else { return audiences.gone(departure, in: topic, isTold: isTold, now: now) }
      if isTold { endings.add(departure, to: room) }
    case .deliver(let topic, let envelope, let to, let mayDrop, let slot):
      guard rooms.number(of: topic) != nil else { return audiences.deliver(envelope, to: to, slot: slot, in: topic, now: now) }
      deliver(envelope, in: topic, to: to, mayDrop: mayDrop)
    case .audience(let topic, let standing, let isOld):
      audiences.learn(
        topic, standing, isOld: isOld, elsewhere: peering.audience(of: topic), isAwaited: looks.isAwaited(topic), rooms: rooms.count,
        now: now)
      // Who waits for it need not wait for others' answers.
      if looks.isAwaited(topic), audiences.isOpen(topic, now: now) { looked(topic) }
    case .counted(let topic, let count): audiences.setElsewhere(count, of: topic)
    case .hand(let topic, let envelope): audiences.hear(envelope, in: topic, now: now)
    case .clocks(let report):
      let text = RecordText(.clocks(report))
      for room in rooms.roomNumbers { broadcast(text, to: room) }
      for audience in audiences.all { audiences.tell(.clocks(report), everybodyIn: audience) }
    case .lost(let topic, let ids):
      guard let room = rooms.number(of: topic) else { return }
      log(.warning, "something that \(ids.count) at another hub said did not come", room: room)
      for start in stride(from: 0, to: ids.count, by: WireLimits.participants) {
        broadcast(RecordText(.lost(Array(ids[start..<min(start + WireLimits.participants, ids.count)]))), to: room)
      }
    case .replaced(let topic, let id, let turn):
      let known = rooms[topic: topic]?.connection(of: id).flatMap { connections[$0] } ?? audiences.connection(of: id, in: topic)
      guard let connection = known, connection.membership?.turn == turn else { return }
      log(.debug, "participant \(id) came back at another hub; its older connection ends", room: connection.membership?.room)
      refuse(connection, .replaced, nil)
    case .looked(let topic): looked(topic)
    case .log(let level, let text): log(level, text)
    case .publish, .subscribe, .unsubscribe, .flush, .reconnect, .fail: break
    }
  }

  /// Said at another hub; that one enforced the limits of who said it.
  private func deliver(_ envelope: [UInt8], in topic: [UInt8], to: [ParticipantID]?, mayDrop: Bool) {
    guard let number = rooms.number(of: topic), let room = rooms[number] else { return }
    let text = RecordText(.deliver(envelope: envelope))
    guard let to else { return follow(forwarding.send(text, toRoom: number, except: nil, mayDrop: mayDrop)) }
    let receivers = to.compactMap { room.connection(of: $0) }.compactMap { connections[$0] }
    follow(forwarding.send(text, to: receivers, mayDrop: mayDrop))
  }

  /// Sends what audiences have to say now, here and to other hubs. What comes up meanwhile is done in the same turn.
  private func followAudiences() {
    guard audiences.beginHandingOut() else { return }
    while let effect = audiences.next(now: now) { follow(effect) }
    if let wake = audiences.endHandingOut(now: now) { audienceTimer?.arm(at: wake) }
  }

  private func follow(_ effect: Audiences.Effect) {
    switch effect {
    case .deliver(let delivery):
      let sent = forwarding.send(delivery.text, to: delivery.receivers, mayDrop: delivery.mayDrop)
      audiences.omitted(delivery, for: sent.omitted)
      follow(sent)
    case .said(let topic, let id, let to, let slot, let envelope):
      peering.said(topic, from: id, to: to, mayDrop: false, slot: slot, envelope: envelope, now: now)
    case .hand(let topic, let envelope): peering.hand(topic, envelope)
    case .stand(let topic, let standing):
      peering.stand(topic, standing)
      followPeering()
    }
  }

  private func setLoad() {
    peering.setLoad(
      HubLoad(
        connections: admission.counts.entered, limit: limits.connections, listening: audiences.listeners,
        listeningLimit: limits.listeners, audiences: audiences.count))
  }

  // MARK: To members

  /// Sends a frame to everybody in a room but one.
  private func broadcast(_ text: RecordText, to room: UInt64, except number: UInt64? = nil) {
    follow(forwarding.send(text, toRoom: room, except: number))
  }

  /// false: not sent. `mayDrop`: left out for a receiver that has much waiting already.
  @discardableResult
  private func write(_ text: RecordText, to connection: HubConnection, mayDrop: Bool = false) -> Bool {
    let sent = forwarding.send(text, to: [connection], mayDrop: mayDrop)
    follow(sent)
    return sent.count > 0 && !connection.isClosed
  }

  /// Closes who does not read, and sees to it that what waits is sent.
  private func follow(_ sent: Forwarding.Sent) {
    for connection in sent.slow { closeSlow(connection, "\(connection.name) does not read: closed") }
    if forwarding.isOver { relieve() }
    if forwarding.isDue {
      flush()
    } else if forwarding.isPending, !sendingIsArmed {
      sendingIsArmed = true
      // Later in this turn: what belongs together leaves together.
      sendTimer?.arm(at: now)
    }
  }

  /// Sends what waits for the end of the turn.
  private func flush() {
    for connection in forwarding.removePending() where !connection.isClosed { flush(connection) }
    if forwarding.isOver { relieve() }
  }

  private func flush(_ connection: HubConnection) {
    let isAlive = connection.flush(through: sealing)
    forwarding.account(connection)
    if !isAlive { end(connection) }
  }

  /// Brings what waits to be sent below the budget: the largest queues go.
  private func relieve() {
    for connection in connections.all { forwarding.account(connection) }
    while let largest = forwarding.largest(of: connections) {
      closeSlow(largest, "memory for frames to send is used up: \(largest.name) closed")
    }
  }

  // MARK: Clock probes

  private func datagram(_ bytes: [UInt8], from: PeerAddress, at: HostTime, through socket: HubSocket) {
    noticeSleep()
    guard let ask = try? ProbePacket(bytes: bytes), let to = probes.judge(ask, from: from, now: now)?.to,
      let answer = probes.answer(to: ask, received: clockState.time(at: at), sent: clockState.time(at: now))
    else { return }
    socket.send(answer.bytes, to: to)
    probesAnswered += 1
  }

  private func answer(_ ask: ProbePacket, from member: HubConnection.Membership, _ connection: HubConnection) {
    noticeSleep()
    let now = now
    guard !connection.isClosed, ask.token == member.token, probes.judge(ask, from: nil, now: now) != nil,
      let answer = probes.answer(to: ask, received: clockState.time(at: now), sent: clockState.time(at: self.now)),
      write(RecordText(.probe(answer)), to: connection, mayDrop: true)
    else { return }
    probesAnswered += 1
  }

  // MARK: Trying back

  /// Only where its address is what is seen here: a WebSocket may come through a proxy.
  private func tryBack(_ ask: TryBackFrame, for connection: HubConnection) {
    guard options.triesBack, !connection.stream.isWebSocket else { return answer(ask, .declined, to: connection) }
    let host = connection.stream.peer.host
    let number = connection.number
    let begins = tryBacks.begin(ask.port, at: host, of: connection.address, for: number) { [weak self] outcome in
      guard let self, let connection = self.connections[number] else { return }
      self.sendDatagram(ask, to: connection)
      self.answer(ask, outcome, to: connection)
      self.settle()
    }
    guard begins else { return answer(ask, .busy, to: connection) }
    // Twice, as one may be lost.
    sendDatagram(ask, to: connection)
  }

  private func sendDatagram(_ ask: TryBackFrame, to connection: HubConnection) {
    let peer = PeerAddress(host: connection.stream.peer.host, port: ask.port)
    connection.socket.send(TryBackFrame.datagram(number: ask.number), to: peer)
  }

  private func answer(_ ask: TryBackFrame, _ outcome: TriedBackFrame.Outcome, to connection: HubConnection) {
    let wasTried = outcome != .busy && outcome != .declined
    let address = wasTried ? connection.stream.peer.host : ""
    write(RecordText(.triedBack(TriedBackFrame(number: ask.number, outcome: outcome, address: address))), to: connection)
  }

  // MARK: Endings

  /// It broke the protocol. Who is not in a room learns no more than that it was not admitted.
  private func closeForViolation(_ connection: HubConnection) {
    switch connection.stage {
    case .silent: refuseSilently(connection, .noise)
    case .challenged: refuse(connection, .auth, .protocolBroken)
    case .entered:
      log(.info, "\(connection.name) broke the protocol: closed", room: connection.membership?.room)
      refuse(connection, .protocolBroken, .protocolBroken)
    }
  }

  /// Not a byte: who did not speak the protocol learns nothing about what listens here.
  private func refuseSilently(_ connection: HubConnection, _ cause: RefusalCause) {
    if connection.isClosed { return }
    endings.countRefusal(cause)
    end(connection)
  }

  /// `cause` nil: nothing that whoever runs this hub counts.
  private func refuse(
    _ connection: HubConnection, _ refusal: HubRefusal, _ cause: RefusalCause?, retry: Nanoseconds? = nil
  ) {
    if connection.isClosed { return }
    let milliseconds = retry.map { UInt32(clamping: $0.adding(999_999) / .milliseconds(1)) }
    let text = cause == .draining ? HubRefusal.drainingText : cause == .notOpen ? HubRefusal.notOpenText : refusal.text
    let frame = RefusedFrame(status: refusal.rawValue, text: text, retry: milliseconds)
    if let cause { endings.countRefusal(cause) }
    if case .silent = connection.stage {
      // No client believes more than this in clear.
      if refusal == .version || refusal == .full { connection.writeInClear(.refused(frame)) }
    } else {
      write(RecordText(.refused(frame)), to: connection)
    }
    end(connection)
  }

  private func closeSlow(_ connection: HubConnection, _ text: String) {
    if connection.isClosed { return }
    log(.info, text, room: connection.membership?.room)
    endings.countSlow()
    end(connection)
  }

  /// Closes a connection, and removes it from everything. `code`: why, for those who speak WebSocket; `left`: on purpose.
  private func end(_ connection: HubConnection, _ code: WebSocketCloseCode = .policy, left: Bool = false) {
    if connection.isClosed { return }
    _ = connection.flush(through: sealing)
    drop(connection, left: left)
    connection.stream.close(code)
  }

  /// Removes a connection from everything. Its room hears of that when this turn's work settles.
  private func drop(_ connection: HubConnection, left: Bool = false) {
    if connection.isClosed { return }
    connection.markClosed()
    endings.countEnding()
    reading.account(connection)
    reading.resume(connection.number)
    forwarding.account(connection)
    tryBacks.forget(connection.number)
    connections.remove(connection)
    admission.leave(connection.address, connection.place, now: now)
    setLoad()
    guard let member = connection.membership else { return }
    probes.remove(token: member.token)
    guard member.role == .member else {
      guard audiences.leave(connection, member, now: now) else { return }
      peering.gone(member.topic, member.id, turn: member.turn, left: left)
      return followPeering()
    }
    forwarding.leave(connection, room: member.room)
    let wasHere = rooms.leave(
      room: member.room, id: member.id, connection: connection.number, from: connection.address)
    followPass(of: member.topic)
    guard wasHere else { return }
    peering.gone(member.topic, member.id, turn: member.turn, left: left)
    followPeering()
  }

  private var effort: UInt64 { forwarding.framesOut + endings.count }

  /// Tells rooms who left them, as far as one turn has time. Nothing is told before a round of checks is through, to people who
  /// are about to be closed in it.
  private func settle() {
    followAudiences()
    guard !checks.isUnderWay else { return }
    switch endings.beginReport(now: now) {
    case .wait: return
    case .later(let time): reportTimer?.arm(at: time)
    case .now:
      let before = effort
      while effort - before < Endings.effortPerTurn, let (room, gone) = endings.next() { report(gone, to: room) }
      if case .later(let time) = endings.endReport(now: now) { reportTimer?.arm(at: time) }
    }
  }

  /// Tells a room out of turn who left it.
  private func reportNow(to room: UInt64) {
    if let gone = endings.remove(of: room) { report(gone, to: room) }
  }

  private func report(_ gone: [Departure], to room: UInt64) {
    for start in stride(from: 0, to: gone.count, by: HubLimits.membersPerFrame) {
      let some = Array(gone[start..<min(start + HubLimits.membersPerFrame, gone.count)])
      broadcast(RecordText(.presence(joined: [], gone: some)), to: room)
    }
  }

  // MARK: Once a second

  /// While anybody is connected: what is late, silent or forgotten.
  private func tick() {
    noticeSleep()
    let now = now
    let late = now.subtracting(tickDue)
    if late >= HubLimits.standstill {
      for connection in connections.all { connection.excuse(late, now: now) }
    }
    checks.begin(connections.numbers)
    let before = effort
    var checked = 0
    while checked < LivenessChecks.perTurn, effort - before < Endings.effortPerTurn, let number = checks.next() {
      checked += 1
      if let connection = connections[number] { check(connection, now: now) }
    }
    guard !checks.isUnderWay else {
      // From now on: this turn may have taken longer than the pause.
      armTick(at: self.now.adding(Endings.pause))
      return
    }
    settle()
    logger.logOmissions()
    admission.sweep(now: now)
    for topic in audiences.closed(now: now) { followPass(of: topic) }
    // What was forgotten is told to other hubs.
    followAudiences()
    setLoad()
    if !connections.isEmpty || !admission.isForgetful { armTick(at: now.adding(.seconds(1))) }
  }

  private func armTick(at time: HostTime) {
    tickDue = time
    tickTimer?.arm(at: time)
  }

  private func check(_ connection: HubConnection, now: HostTime) {
    switch connection.checkLiveness(now: now) {
    case .alive: break
    case .neverEntered: refuseSilently(connection, .entryTimeout)
    case .floods:
      log(.info, "\(connection.name) sends far more than it may: closed", room: connection.membership?.room)
      refuse(connection, .full, .flood)
    case .incompleteFrame: closeForViolation(connection)
    case .silent: write(RecordText(.ping(0)), to: connection)
    case .dead:
      log(.debug, "\(connection.name) is silent: closed", room: connection.membership?.room)
      end(connection)
    }
  }
}
