import UnisonoBase
import UnisonoCrypto
import UnisonoNearby
import UnisonoReplica
import UnisonoRuntime
import UnisonoWire

/// Measures what `unisono doctor` judges, on a loop of its own; all of it on one thread.
final class Examination {
  private static let instants = 100
  private static let instantSpacing = Nanoseconds.milliseconds(10)
  /// For a hub to let us in.
  private static let patience = Nanoseconds.seconds(10)
  private static let callSpacing = Nanoseconds.milliseconds(500)
  /// Devices call once a second.
  private static let callTime = Nanoseconds.seconds(3)

  private let loop: UVLoop

  init() throws(NetworkError) { loop = try UVLoop.polled() }

  deinit { loop.close() }

  private func run(until end: HostTime, or isOver: () -> Bool = { false }) {
    while loop.now < end, !isOver() { _ = loop.poll(maxWait: end.subtracting(loop.now)) }
  }

  /// How late instants come, one after the other, with nothing else on the loop.
  func loopPrecision() -> LoopPrecision {
    var lateness: [Int64] = []
    let due = (1...Self.instants).map { loop.now.adding(Self.instantSpacing * Int64($0)) }
    let timers = due.map { time in
      let timer = loop.makePunctualTimer { [loop] in lateness.append(max(0, loop.now.subtracting(time))) }
      timer.arm(at: time)
      return timer
    }
    run(until: loop.now.adding(.seconds(10))) { lateness.count == due.count }
    for timer in timers { timer.close() }
    return LoopPrecision(lateness: lateness)
  }

  /// Numeric addresses of this machine, loopback left out.
  var ownAddresses: [String] {
    loop.localAddresses().filter { AddressReach(of: PeerAddress(host: $0, port: 1_024).description) > .machine }
  }

  /// Calls out as devices nearby do, and listens, for three seconds.
  func multicast() -> MulticastTrial {
    var trial = MulticastTrial(links: [], returned: [], others: [])
    let own = Set(ownAddresses)
    let instance = loop.randomNumber()
    let port = loop.openMulticast(.nearby) { bytes, from, _ in
      guard let beacon = try? Beacon(bytes: bytes) else { return }
      let address = String(from.host.prefix { $0 != "%" })
      if beacon.instance == instance {
        if let link = trial.links.first(where: { $0.address == address }) { trial.returned.insert(link) }
      } else if !own.contains(address), !trial.links.contains(where: { $0.address == address }),
        trial.others.count < 100
      {
        trial.others.insert(address)
      }
    }
    defer { port.close() }
    let call = Beacon(kind: .query, instance: instance, service: "unisono.doctor")
    let end = loop.now.adding(Self.callTime)
    while loop.now < end {
      let reach = port.refresh()
      trial.links = reach.links.compactMap(MulticastTrial.link(named:))
      trial.problem = reach.problem
      port.send(call.bytes, on: reach.links)
      run(until: loop.now.adding(Self.callSpacing))
    }
    return trial
  }

  /// Listens at a port, 0: a free one, for somebody outside to try.
  func openPort(_ port: UInt16) throws(NetworkError) -> TriedPort { try TriedPort(port, on: loop) }

  /// Enters a room of its own at a hub, asks it for its time for so long, and has it try `port`; `number`: as others see that port.
  func visit(_ line: HubLine, for time: Nanoseconds, trying port: TriedPort, as number: UInt16) -> HubVisit {
    let hub = line.address
    let ask = TryBackFrame(number: port.number, port: number)
    let visitor = HubVisitor(hub, on: loop)
    let door = Door(session: loop.randomBytes(32), secret: Secret(random: loop.randomBytes))
    var passes: [[UInt8]: [UInt8]] = [:]
    if let token = line.token {
      passes[hub.hub] = token.pass(hub: hub.hub, group: loop.randomBytes(HubPass.groupLength))
    }
    let client = HubClient(
      environment: loop, addresses: [hub], door: door, identity: Identity(random: loop.randomBytes), passes: passes,
      events: HubClientEvents(
        entered: { visitor.enter($0) }, probed: { visitor.add($0) },
        triedBack: { if $0.number == ask.number { visitor.add($0) } }, lost: { end, _ in visitor.lose(end) },
        setAside: { _, end, _ in visitor.lose(end) }))
    run(until: loop.now.adding(Self.patience)) { visitor.isInside || visitor.isShutOut }
    if visitor.isInside {
      client.tryBack(ask)
      // It has as long as the hub gives it, and the way.
      let end = loop.now.adding(time)
      while loop.now < end {
        client.probe(visitor.claimProbe())
        run(until: min(end, visitor.nextProbe))
      }
      // The last answers.
      run(until: loop.now.adding(.milliseconds(500)))
      visitor.note(port, triedAs: number)
    }
    client.leave()
    run(until: loop.now.adding(.milliseconds(50)))
    client.close()
    return visitor.visit
  }
}
