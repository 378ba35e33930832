/// One end of a stream between two virtual machines: in order, delayed, with a window, so that a reader who stops slows
/// the writer down as TCP does.
final class VirtualStream: ByteStream {
  /// What "the kernel" takes on one direction before the writer has to wait: both socket buffers together.
  static let window = 256 * 1_024

  let machine: VirtualEnvironment
  let local: PeerAddress
  let peer: PeerAddress
  var events: StreamEvents?
  var isOpen = false
  var remoteMachine: VirtualEnvironment { remote }

  private let remote: VirtualEnvironment
  private weak var other: VirtualStream?
  private(set) var isOver = false
  private var isReading = true
  private var queue: [UInt8] = []
  private var unacknowledged = 0
  private var lastArrival: Int64 = 0
  private var drainIsOwed = false
  /// Arrived and not yet handed over, because reading is off.
  private var inbox: [() -> Void] = []

  init(
    machine: VirtualEnvironment, remote: VirtualEnvironment, local: PeerAddress, peer: PeerAddress,
    events: StreamEvents?
  ) {
    self.machine = machine
    self.remote = remote
    self.local = local
    self.peer = peer
    self.events = events
  }

  // MARK: ByteStream

  var queuedBytes: Int { queue.count }

  func write(_ bytes: [UInt8]) {
    if isOver || bytes.isEmpty { return }
    queue += bytes
    drainIsOwed = true
    push()
  }

  func setReading(_ reading: Bool) {
    isReading = reading
    if reading { machine.submit { [weak self] in self?.empty() } }
  }

  func close() {
    if isOver { return }
    let ending = other
    if isOpen { push() }
    over()
    if let ending { ship { ending.arrived { ending.end(nil) } } }
  }

  // MARK: For the network

  /// The accepted end knows the connecting one, and the other way round.
  func join(_ stream: VirtualStream) {
    other = stream
    stream.other = self
  }

  func open() {
    if isOver { return }
    isOpen = true
    events?.opened()
    push()
  }

  /// In the virtual network what has come was told of.
  func receiveNow() {}

  func refuse(_ why: String) { end(NetworkError(why, isRefusal: true)) }

  /// Both sides see an error, at once and in turns of their own.
  func reset() {
    let both = [self, other]
    for stream in both {
      guard let stream else { continue }
      stream.machine.submit { stream.end(NetworkError("the connection was reset")) }
    }
  }

  func end(_ error: NetworkError?) {
    if isOver { return }
    let closed = events?.closed
    over()
    closed?(error)
  }

  /// Carries `action` to the other machine, behind everything that was sent before.
  func ship(_ action: @escaping () -> Void) {
    let network = machine.network
    let passage = network.passage(from: machine, to: remote, losing: false) ?? 0
    lastArrival = max(lastArrival, network.trueTime.adding(passage))
    network.schedule(at: lastArrival, on: nil) { [self, machine, remote] in
      guard isRouted else { return }
      network.whenPassable(from: machine, to: remote) { network.schedule(at: network.trueTime, on: remote, action) }
    }
  }

  /// Carries `action` from the other machine to this one.
  func shipBack(_ action: @escaping () -> Void) {
    let network = machine.network
    let passage = network.passage(from: remote, to: machine, losing: false) ?? 0
    network.schedule(at: network.trueTime.adding(passage), on: machine, action)
  }

  // MARK: Inside

  /// Both machines still have the addresses that the stream was made between.
  var isRouted: Bool {
    [(local, machine), (peer, remote)].allSatisfy { $0.host == "127.0.0.1" || $0.host == $1.host }
  }

  private func over() {
    isOver = true
    events = nil
    queue = []
    inbox = []
    machine.remove(self)
  }

  private func push() {
    guard isOpen, !isOver else { return }
    let count = min(queue.count, Self.window - unacknowledged)
    if count > 0, let other {
      let segment = Array(queue.prefix(count))
      queue.removeFirst(count)
      unacknowledged += count
      ship { [weak self] in
        other.arrived {
          other.events?.received(segment)
          self?.shipBack { self?.acknowledge(count) }
        }
      }
    }
    if queue.isEmpty, drainIsOwed {
      machine.submit { [weak self] in
        guard let self, self.queue.isEmpty, self.drainIsOwed, !self.isOver else { return }
        self.drainIsOwed = false
        self.events?.drained()
      }
    }
  }

  private func acknowledge(_ count: Int) {
    unacknowledged -= count
    push()
  }

  private func arrived(_ action: @escaping () -> Void) {
    if isOver { return }
    if isReading, inbox.isEmpty { action() } else { inbox.append(action) }
  }

  private func empty() {
    while isReading, !isOver, !inbox.isEmpty { inbox.removeFirst()() }
  }
}
