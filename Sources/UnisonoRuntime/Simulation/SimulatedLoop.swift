import Synchronization
import UnisonoBase

/// The loop of a simulated context: a machine of a `Simulation`.
package final class SimulatedLoop: ContextLoop, @unchecked Sendable {
  private struct Mailbox {
    var work: [@Sendable () -> Void] = []
    var ending: (teardown: @Sendable () -> Void, completion: @Sendable () -> Void)?
    var isClosed = false
  }

  private let machine: VirtualEnvironment
  private let simulation: Simulation
  private let mailbox = Mutex(Mailbox())

  init(machine: VirtualEnvironment, simulation: Simulation) {
    self.machine = machine
    self.simulation = simulation
  }

  // MARK: Any thread

  package var now: HostTime { machine.now }
  package var isOnLoopThread: Bool { simulation.isOnThread }

  @discardableResult
  package func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
    let isTaken = mailbox.withLock { box in
      if box.isClosed { return false }
      box.work.append(work)
      return true
    }
    if isTaken { simulation.mailCame() }
    return isTaken
  }

  package func wake() { submit {} }

  package func perform(_ work: @escaping @Sendable () -> Void) -> Bool {
    if simulation.isOnThread {
      guard !mailbox.withLock({ $0.isClosed }) else { return false }
      work()
      return true
    }
    guard submit(work) else { return false }
    // Only what was submitted here: others' callbacks come inside `advance` alone.
    simulation.exclusively { takeMail() }
    return true
  }

  package func belongs(to simulation: Simulation) -> Bool { simulation === self.simulation }

  package func setLink(_ link: SimulatedLink) { simulation.setLink(link, of: machine) }

  package func reserveListener(on address: String) throws(NetworkError) -> String {
    try simulation.exclusively { () throws(NetworkError) in try machine.reserveListener(on: address) }
  }

  /// Datagrams of a port are nobody's before they are asked for.
  package func reserveDatagrams(on address: String) throws(NetworkError) -> String { address }

  package func close(teardown: @escaping @Sendable () -> Void, completion: @escaping @Sendable () -> Void) {
    let isFirst = mailbox.withLock { box in
      if box.isClosed { return false }
      box.isClosed = true
      box.ending = (teardown, completion)
      return true
    }
    guard isFirst else { return }
    simulation.mailCame()
    // Inside a callback it is done before `advance` returns.
    if !simulation.isOnThread { simulation.exclusively { takeMail() } }
  }

  package func randomBytes(_ count: Int) -> [UInt8] { simulation.exclusively { machine.randomBytes(count) } }

  // MARK: On the loop

  /// Runs what was submitted as a turn, and the end if that was asked for.
  func takeMail() {
    let (work, ending) = mailbox.withLock { box in
      defer { (box.work, box.ending) = ([], nil) }
      return (box.work, box.ending)
    }
    if !work.isEmpty { machine.turn { for item in work { item() } } }
    guard let ending else { return }
    ending.teardown()
    machine.vanish()
    simulation.forget(self)
    ending.completion()
  }

  package func onEndOfTurn(_ action: @escaping () -> Void) { machine.onEndOfTurn(action) }

  package func makePunctualTimer(_ fire: @escaping () -> Void) -> any LoopTimer { machine.makeTimer(fire) }

  // MARK: Environment

  package var timeAsleep: Nanoseconds { machine.timeAsleep }
  /// The calendar begins with host time.
  package var calendarHour: UInt32 { UInt32(clamping: now / .seconds(3_600)) }
  package func makeTimer(_ fire: @escaping () -> Void) -> any LoopTimer { machine.makeTimer(fire) }
  package func localAddresses() -> [String] { machine.localAddresses() }

  package func perform(_ work: @escaping @Sendable () -> Void, then: @escaping () -> Void) { machine.perform(work, then: then) }

  package func connect(to address: String, _ events: StreamEvents) -> any ByteStream { machine.connect(to: address, events) }

  package func listen(
    on address: String, accepted: @escaping (any ByteStream) -> StreamEvents
  ) throws(NetworkError) -> any StreamListener { try machine.listen(on: address, accepted: accepted) }

  package func openDatagrams(
    on address: String, received: @escaping (_ bytes: [UInt8], _ from: PeerAddress, _ at: HostTime) -> Void
  ) throws(NetworkError) -> any DatagramPort { try machine.openDatagrams(on: address, received: received) }

  package func openMulticast(
    _ group: MulticastGroup, received: @escaping (_ bytes: [UInt8], _ from: PeerAddress, _ at: HostTime) -> Void
  ) -> any MulticastPort { machine.openMulticast(group, received: received) }
}
