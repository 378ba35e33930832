import UnisonoBase

/// One machine of a `VirtualNetwork`: its clock, its timers, its sockets.
final class VirtualEnvironment: Environment {
  let network: VirtualNetwork
  private(set) var host: String
  let clockOffset: Int64
  let clockDrift: Double
  /// How far this machine's calendar is ahead, hours; it begins with true time.
  var calendarError: Int64 = 0
  /// Lives as long as the machine.
  var kept: [AnyObject] = []
  /// The networks this machine is on; two machines with one in common hear each other's multicasts.
  var links: Set<String> = ["lan"]
  private(set) var multicastPorts: [VirtualMulticastPort] = []
  /// Multicasts that left for a network, a line for each.
  var sentMulticasts = 0
  private(set) var streams: [VirtualStream] = []
  /// Run after every turn of this machine, in order of registration.
  private var endOfTurn: [() -> Void] = []

  /// The last draws that may have become seeds of keys, for a test that looks into what this machine sealed.
  private(set) var seeds: [[UInt8]] = []
  private var generator: SplitMix64
  private var listeners: [UInt16: VirtualListener] = [:]
  /// Ports that are taken and not listened on yet.
  private var reserved: Set<UInt16> = []
  private var datagramPorts: [UInt16: VirtualDatagramPort] = [:]
  private var nextPort: UInt16 = 40_000
  private var isDead = false
  /// The process is gone, its machine is there: who connects is told so.
  private var refuses = false
  /// True times during which nothing ran here and the clock stood, oldest first.
  private var sleeps: [Range<Int64>] = []
  /// True time until which the process stands still.
  private var stopped = Int64.min

  init(network: VirtualNetwork, host: String, clockOffset: Int64, clockDrift: Double, generator: SplitMix64) {
    self.network = network
    self.host = host
    self.clockOffset = clockOffset
    self.clockDrift = clockDrift
    self.generator = generator
  }

  // MARK: Turns

  /// Runs `work` as a turn of its own, soon.
  func submit(_ work: @escaping () -> Void) {
    network.schedule(at: network.trueTime, on: self, work)
  }

  func onEndOfTurn(_ action: @escaping () -> Void) { endOfTurn.append(action) }

  func turn(_ work: () -> Void) {
    if isDead { return }
    work()
    for action in endOfTurn { action() }
  }

  /// SIGKILL: nothing runs here any more; the machine resets its streams and refuses new ones.
  func kill() {
    crash()
    refuses = true
  }

  /// Another network, another address: nothing comes or goes any more at the old one. `noticed`: the system says so to the
  /// streams of this machine; else nobody is told anything.
  func changeAddress(to new: String, noticed: Bool) {
    host = new
    if noticed { for stream in streams where !stream.isRouted { stream.end(NetworkError("the network changed")) } }
  }

  /// The machine sleeps from now on: nothing runs, the clock stands, and what comes waits until it wakes.
  func sleep(for length: Nanoseconds) { sleeps.append(network.trueTime..<network.trueTime.adding(length)) }

  /// The process stands still from now on, as one that was sent SIGSTOP: nothing runs, and what comes waits; the clock goes on.
  func stop(for length: Nanoseconds) { stopped = network.trueTime.adding(length) }

  /// True time at which it wakes, or goes on; nil: it does neither sleep nor stand still.
  var wakesAt: Int64? {
    let time = max(stopped, sleeps.last?.upperBound ?? .min)
    return network.trueTime < time ? time : nil
  }

  /// The process dies: nothing runs here any more. The others see resets, or nothing at all (a machine without power).
  func crash(silently: Bool = false) {
    if !silently {
      for stream in streams { stream.reset() }
    }
    vanish()
  }

  /// Nothing runs here any more; what was sent still arrives.
  func vanish() {
    isDead = true
    streams = []
    listeners = [:]
    datagramPorts = [:]
    multicastPorts = []
  }

  // MARK: Environment

  var now: HostTime { hostTime(at: network.trueTime) }

  func hostTime(at trueTime: Int64) -> HostTime {
    let awake = trueTime.subtracting(timeAsleep(at: trueTime))
    return clockOffset.adding(awake).adding(awake.scaled(by: clockDrift))
  }

  var timeAsleep: Nanoseconds { timeAsleep(at: network.trueTime) }

  var calendarHour: UInt32 { UInt32(clamping: (network.trueTime / .seconds(3_600)).adding(calendarError)) }

  private func timeAsleep(at time: Int64) -> Nanoseconds {
    sleeps.reduce(0) { $0 + max(0, min($1.upperBound, time) - $1.lowerBound) }
  }

  func randomBytes(_ count: Int) -> [UInt8] {
    let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    if network.keepsDraws, count == 32 { seeds = seeds.suffix(63) + [bytes] }
    return bytes
  }

  func perform(_ work: @escaping @Sendable () -> Void, then: @escaping () -> Void) {
    work()
    submit(then)
  }

  func makeTimer(_ fire: @escaping () -> Void) -> any LoopTimer { VirtualTimer(machine: self, fire: fire) }

  func connect(to address: String, _ events: StreamEvents) -> any ByteStream {
    let target: HostAndPort
    do throws(NetworkError) {
      target = try HostAndPort(parsing: address)
    } catch {
      return failing(events, error)
    }
    guard let remote = network.find(target.host, from: self) else {
      return failing(events, NetworkError("cannot find \(target.host)"))
    }
    nextPort += 1
    let stream = VirtualStream(
      machine: self, remote: remote, local: PeerAddress(host: ownAddress(towards: remote), port: nextPort),
      peer: PeerAddress(host: remote.ownAddress(towards: self), port: target.port), events: events)
    streams.append(stream)
    if remote.refuses {
      network.whenPassable(from: self, to: remote) {
        stream.shipBack { stream.refuse("\(self.host) cannot reach \(address): refused") }
      }
      return stream
    }
    stream.ship { [self] in
      remote.arrive(at: target.port, from: stream) { stream.refuse("\(self.host) cannot reach \(address): refused") }
    }
    return stream
  }

  func listen(
    on address: String, accepted: @escaping (any ByteStream) -> StreamEvents
  ) throws(NetworkError) -> any StreamListener {
    let wanted = try HostAndPort(parsing: address)
    let isReserved = reserved.remove(wanted.port) != nil
    let port = try isReserved ? wanted.port : freePort(wanted.port, address) { isTaken($0) }
    let listener = VirtualListener(port: port, accepted: accepted) { [weak self] in self?.listeners[port] = nil }
    listeners[port] = listener
    return listener
  }

  /// Takes a port for the next `listen`; the address with its number.
  func reserveListener(on address: String) throws(NetworkError) -> String {
    let wanted = try HostAndPort(parsing: address)
    let port = try freePort(wanted.port, address) { isTaken($0) }
    reserved.insert(port)
    return PeerAddress(host: wanted.host, port: port).description
  }

  private func isTaken(_ port: UInt16) -> Bool { listeners[port] != nil || reserved.contains(port) }

  func openDatagrams(
    on address: String, received: @escaping ([UInt8], PeerAddress, HostTime) -> Void
  ) throws(NetworkError) -> any DatagramPort {
    let wanted = try HostAndPort(parsing: address)
    let port = try freePort(wanted.port, address) { datagramPorts[$0] != nil }
    let made = VirtualDatagramPort(machine: self, port: port, received: received)
    datagramPorts[port] = made
    return made
  }

  func localAddresses() -> [String] { [host, "127.0.0.1"] }

  func openMulticast(
    _ group: MulticastGroup, received: @escaping ([UInt8], PeerAddress, HostTime) -> Void
  ) -> any MulticastPort {
    let port = VirtualMulticastPort(machine: self, group: group, received: received)
    multicastPorts.append(port)
    return port
  }

  // MARK: For the other parts of the network

  func ownAddress(towards other: VirtualEnvironment) -> String { other === self ? "127.0.0.1" : host }

  func datagramPort(_ port: UInt16) -> VirtualDatagramPort? { datagramPorts[port] }

  func remove(_ port: VirtualDatagramPort) {
    if datagramPorts[port.port] === port { datagramPorts[port.port] = nil }
  }

  func remove(_ port: VirtualMulticastPort) { multicastPorts.removeAll { $0 === port } }

  func remove(_ stream: VirtualStream) { streams.removeAll { $0 === stream } }

  private func arrive(at port: UInt16, from stream: VirtualStream, refused: @escaping () -> Void) {
    // A machine without power says nothing at all, and who gave up meanwhile needs no answer.
    if isDead || stream.isOver { return }
    guard let listener = listeners[port] else { return stream.shipBack(refused) }
    let inner = VirtualStream(
      machine: self, remote: stream.machine, local: stream.peer, peer: stream.local, events: nil)
    streams.append(inner)
    inner.join(stream)
    // As with TCP: the connection stands before the listener's owner sees it, who may close it at once.
    inner.isOpen = true
    inner.ship { stream.open() }
    let events = listener.accepted(inner)
    if !inner.isOver { inner.events = events }
  }

  private func failing(_ events: StreamEvents, _ error: NetworkError) -> VirtualStream {
    let nowhere = PeerAddress(host: host, port: 0)
    let stream = VirtualStream(machine: self, remote: self, local: nowhere, peer: nowhere, events: events)
    submit { stream.end(error) }
    return stream
  }

  private func freePort(
    _ wanted: UInt16, _ address: String, isTaken: (UInt16) -> Bool
  ) throws(NetworkError) -> UInt16 {
    if wanted != 0 {
      if isTaken(wanted) { throw NetworkError("cannot listen on \(address): address already in use") }
      return wanted
    }
    repeat { nextPort += 1 } while isTaken(nextPort)
    return nextPort
  }
}

final class VirtualTimer: LoopTimer {
  private let machine: VirtualEnvironment
  private var fire: (() -> Void)?
  private var arming = 0
  private var armedAt: HostTime?

  init(machine: VirtualEnvironment, fire: @escaping () -> Void) {
    self.machine = machine
    self.fire = fire
  }

  func arm(at time: HostTime?) {
    guard armedAt == nil || armedAt != time else { return }
    arming += 1
    armedAt = time
    guard let time, fire != nil else { return }
    let mine = arming
    // Never early: the clock of the machine must have reached `time`.
    var due = machine.network.trueTime
    let missing = time.subtracting(machine.now)
    if missing > 0 { due = due.adding(missing.scaled(by: 1 / (1 + machine.clockDrift))) }
    while due < .max, machine.hostTime(at: due) < time { due += 1 }
    let isWanted = { [weak self] in self?.arming == mine }
    machine.network.schedule(at: due, on: machine, isWanted: isWanted) { [weak self] in
      guard let self else { return }
      self.armedAt = nil
      // The machine slept meanwhile, and its clock stood.
      if self.machine.now < time { return self.arm(at: time) }
      self.fire?()
    }
  }

  func close() {
    arming += 1
    armedAt = nil
    fire = nil
  }
}

final class VirtualListener: StreamListener {
  let port: UInt16
  let accepted: (any ByteStream) -> StreamEvents
  private let onClose: () -> Void

  init(port: UInt16, accepted: @escaping (any ByteStream) -> StreamEvents, onClose: @escaping () -> Void) {
    self.port = port
    self.accepted = accepted
    self.onClose = onClose
  }

  func close() { onClose() }
}

final class VirtualDatagramPort: DatagramPort {
  let port: UInt16
  private let machine: VirtualEnvironment
  private var received: (([UInt8], PeerAddress, HostTime) -> Void)?

  init(machine: VirtualEnvironment, port: UInt16, received: @escaping ([UInt8], PeerAddress, HostTime) -> Void) {
    self.machine = machine
    self.port = port
    self.received = received
  }

  func send(_ bytes: [UInt8], to peer: PeerAddress) {
    let network = machine.network
    guard received != nil, let remote = network.find(peer.host, from: machine),
      let passage = network.passage(from: machine, to: remote, losing: true)
    else { return }
    let from = PeerAddress(host: machine.ownAddress(towards: remote), port: port)
    network.schedule(at: network.trueTime.adding(passage), on: remote) {
      remote.datagramPort(peer.port)?.received?(bytes, from, remote.now)
    }
  }

  func close() {
    received = nil
    machine.remove(self)
  }
}
