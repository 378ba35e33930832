import Synchronization
import UnisonoBase

/// A network in memory on virtual time: machines, paths between them, streams and datagrams. One thread, one seed, one run.
///
///     let network = VirtualNetwork(seed: 7)
///     let a = network.machine(), b = network.machine(clockOffset: .seconds(50), clockDrift: 40e-6)
///     network.setPath(a, b, VirtualPath(delay: .milliseconds(50), jitter: .milliseconds(20)))
///     #expect(network.run(atMost: .seconds(5)) { client.isJoined })
final class VirtualNetwork {
  /// True time, ns; machines see it through their own clocks. Any thread may read it.
  var trueTime: Int64 { time.load(ordering: .relaxed) }
  /// Used where no path was set between two machines; a machine to itself has no delay.
  var defaultPath = VirtualPath()
  /// Names that machines can connect to beside their numeric addresses.
  var names: [String: VirtualEnvironment] = [:]
  private(set) var machines: [VirtualEnvironment] = []
  /// Whether machines keep the last draws that may have become seeds of keys, for a test that looks into what they sealed.
  var keepsDraws = false

  private let time = Atomic<Int64>(0)

  private struct Event {
    var time: Int64
    var machine: VirtualEnvironment?
    /// nil: in any case.
    var isWanted: (() -> Bool)?
    var run: () -> Void
  }
  private struct Pair: Hashable {
    var from: ObjectIdentifier
    var to: ObjectIdentifier
  }

  /// Latest first, so that the next one is taken from the end; equal times stay in the order in which they were asked for.
  private var events: [Event] = []
  private var generator: SplitMix64
  private var paths: [Pair: VirtualPath] = [:]
  private var accessLinks: [ObjectIdentifier: SimulatedLink] = [:]
  private var cuts: Set<Pair> = []
  private var waitingForHeal: [(Pair, () -> Void)] = []

  init(seed: UInt64 = 1) { generator = SplitMix64(seed: seed) }

  /// A new machine with an address of its own. `clockOffset` ns at true time 0, `clockDrift` ns per ns.
  func machine(clockOffset: Int64 = .seconds(1_000), clockDrift: Double = 0) -> VirtualEnvironment {
    let index = machines.count + 1
    let made = VirtualEnvironment(
      network: self, host: "10.0.\(index / 250).\(index % 250)", clockOffset: clockOffset, clockDrift: clockDrift,
      generator: SplitMix64(seed: generator.next()))
    machines.append(made)
    return made
  }

  // MARK: Running

  /// Runs for `length` of true time.
  func run(for length: Int64) {
    let end = trueTime + length
    while step(before: end) {}
    arrive(at: end)
  }

  /// Nothing happens until then.
  func arrive(at time: Int64) { self.time.store(max(time, trueTime), ordering: .relaxed) }

  /// Runs until `condition` holds; false when it did not within `length` of true time.
  func run(atMost length: Int64, until condition: () -> Bool) -> Bool {
    let end = trueTime + length
    while !condition() {
      guard step(before: end) else {
        arrive(at: end)
        return condition()
      }
    }
    return true
  }

  /// Runs what comes next, up to `end`; false: nothing does.
  func step(before end: Int64) -> Bool {
    guard let next = events.last, next.time <= end else { return false }
    events.removeLast()
    arrive(at: next.time)
    // A timer that was armed anew or given up wakes nobody: a turn of its machine would arm another.
    guard next.isWanted?() ?? true else { return true }
    if let wakes = next.machine?.wakesAt {
      schedule(at: wakes, on: next.machine, isWanted: next.isWanted, next.run)
    } else if let machine = next.machine {
      machine.turn(next.run)
    } else {
      next.run()
    }
    return true
  }

  /// Runs `action` on `machine` (nil: nobody's turn) at a true time, if it is still wanted then (nil: it is).
  func schedule(
    at time: Int64, on machine: VirtualEnvironment?, isWanted: (() -> Bool)? = nil, _ action: @escaping () -> Void
  ) {
    let event = Event(time: max(time, trueTime), machine: machine, isWanted: isWanted, run: action)
    var low = 0
    var high = events.count
    while low < high {
      let middle = (low + high) / 2
      if events[middle].time > event.time { low = middle + 1 } else { high = middle }
    }
    events.insert(event, at: low)
  }

  // MARK: Paths and faults

  /// Sets the path in both directions.
  func setPath(_ a: VirtualEnvironment, _ b: VirtualEnvironment, _ path: VirtualPath) {
    setPath(from: a, to: b, path)
    setPath(from: b, to: a, path)
  }

  func setPath(from: VirtualEnvironment, to: VirtualEnvironment, _ path: VirtualPath) {
    paths[pair(from, to)] = path
  }

  /// Nothing passes in either direction: datagrams are lost, streams stand still until `heal`.
  func cut(_ a: VirtualEnvironment, _ b: VirtualEnvironment) {
    cuts.insert(pair(a, b))
    cuts.insert(pair(b, a))
  }

  func heal(_ a: VirtualEnvironment, _ b: VirtualEnvironment) {
    cuts.remove(pair(a, b))
    cuts.remove(pair(b, a))
    letPass()
  }

  /// How a machine is connected to all others; paths that are set count before it.
  func setAccessLink(_ link: SimulatedLink, of machine: VirtualEnvironment) {
    accessLinks[ObjectIdentifier(machine)] = link
    letPass()
  }

  private func letPass() {
    let waiting = waitingForHeal
    waitingForHeal = []
    for (pair, action) in waiting {
      if isPassable(pair) { action() } else { waitingForHeal.append((pair, action)) }
    }
  }

  private func isPassable(_ pair: Pair) -> Bool {
    if cuts.contains(pair) { return false }
    return pair.from == pair.to || !(accessLinks[pair.from]?.isDown ?? false || accessLinks[pair.to]?.isDown ?? false)
  }

  /// Every stream between the two ends at once with an error on both sides, as after a reset.
  func breakStreams(_ a: VirtualEnvironment, _ b: VirtualEnvironment) {
    for stream in a.streams where stream.remoteMachine === b { stream.reset() }
    for stream in b.streams where stream.remoteMachine === a { stream.reset() }
  }

  // MARK: For machines

  func find(_ host: String, from machine: VirtualEnvironment) -> VirtualEnvironment? {
    if host == "127.0.0.1" || host == "::1" || host == "localhost" { return machine }
    return names[host] ?? machines.first { $0.host == host }
  }

  func path(from: VirtualEnvironment, to: VirtualEnvironment) -> VirtualPath {
    if from === to { return VirtualPath(delay: 0) }
    let pair = pair(from, to)
    if let path = paths[pair] { return path }
    guard let out = accessLinks[pair.from] ?? accessLinks[pair.to].map({ _ in SimulatedLink() }) else { return defaultPath }
    return out.path(to: accessLinks[pair.to] ?? SimulatedLink())
  }

  /// One passage, drawn from the path; nil: lost. Streams are never lost, only late.
  func passage(from: VirtualEnvironment, to: VirtualEnvironment, losing: Bool) -> Int64? {
    let path = path(from: from, to: to)
    if losing {
      if !isPassable(pair(from, to)) { return nil }
      if path.loss > 0, Double.random(in: 0..<1, using: &generator) < path.loss { return nil }
    }
    let jitter = path.jitter > 0 ? Int64.random(in: -path.jitter...path.jitter, using: &generator) : 0
    return max(0, path.delay + jitter)
  }

  /// Runs `action` now, or when the cut between the two is healed.
  func whenPassable(from: VirtualEnvironment, to: VirtualEnvironment, _ action: @escaping () -> Void) {
    let pair = pair(from, to)
    if isPassable(pair) { action() } else { waitingForHeal.append((pair, action)) }
  }

  private func pair(_ from: VirtualEnvironment, _ to: VirtualEnvironment) -> Pair {
    Pair(from: ObjectIdentifier(from), to: ObjectIdentifier(to))
  }
}

/// One direction between two machines. Delay ns one way, evenly spread over +- jitter ns; loss (datagrams only) 0...1.
struct VirtualPath {
  var delay: Int64 = .microseconds(200)
  var jitter: Int64 = 0
  var loss: Double = 0
}
