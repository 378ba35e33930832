import UnisonoBase
import UnisonoReplica
import UnisonoRuntime
import UnisonoWire

/// Who visits a hub for `unisono doctor`: it measures the hub's clock as a session does, and writes down how that goes.
final class HubVisitor {
  private let loop: UVLoop
  private var clock: RemoteClock?
  private var entered: HostTime = 0
  private var answer: TriedBackFrame?
  private(set) var visit: HubVisit
  private(set) var isShutOut = false

  init(_ hub: HubAddress, on loop: UVLoop) {
    self.loop = loop
    visit = HubVisit(address: hub.address)
  }

  var isInside: Bool { visit.isEntered }

  func enter(_ entry: RoomEntry) {
    // Once only: a visit is short, and the history one of one link.
    guard !visit.isEntered else { return }
    visit.isEntered = true
    visit.datagramPort = entry.udpPort
    entered = loop.now
    clock = RemoteClock(at: entered, hasDatagrams: entry.udpPort != 0)
  }

  func lose(_ end: HubLinkEnd) {
    guard !visit.isEntered else { return }
    visit.refusal = end.reason
    if case .lost = end { return }
    isShutOut = true
  }

  /// An address that is none is not shown: whoever runs the hub writes it.
  func add(_ answer: TriedBackFrame) {
    if answer.address.isEmpty || PeerAddress.isNumeric(answer.address) { self.answer = answer }
  }

  /// What came of the hub's trying this port.
  func note(_ port: TriedPort, triedAs number: UInt16) {
    visit.trial = OutsideTrial(
      port: number, outcome: answer?.outcome, address: answer?.address ?? "", hasStreamCome: port.hasStreamCome,
      hasDatagramCome: visit.datagramPort == 0 || !port.takesDatagrams ? nil : port.hasDatagramCome)
  }

  var nextProbe: HostTime { max(clock?.scheduler.next ?? .max, loop.now.adding(.milliseconds(1))) }

  func claimProbe() -> ProbeWays {
    guard let ways = clock?.takeProbe(at: loop.now) else { return [] }
    if ways.contains(.datagram) { visit.datagramsAsked += 1 }
    return ways
  }

  func add(_ sample: ProbeSample) {
    if sample.isDatagram { visit.datagramsAnswered += 1 }
    let times = ClockSample(asked: sample.t1, received: sample.t2, replied: sample.t3, answered: sample.t4)
    guard clock?.add(times, by: sample.way, at: loop.now, isPlaying: false) == true, let clock, let model = clock.filter.model else { return }
    visit.roundTrip = clock.filter.roundTrip
    visit.bounds.append(HubVisit.Bound(after: loop.now.subtracting(entered), error: model.error(at: loop.now)))
  }
}
