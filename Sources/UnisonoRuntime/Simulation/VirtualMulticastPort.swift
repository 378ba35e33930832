import UnisonoBase

/// A place in a multicast group of a `VirtualNetwork`: all machines that share a link with this one, itself included.
final class VirtualMulticastPort: MulticastPort {
  /// The machine itself: other applications on it are reached without any network.
  static let loopback = "lo"

  let group: MulticastGroup
  private let machine: VirtualEnvironment
  private var joined: Set<String> = []
  private var received: (([UInt8], PeerAddress, HostTime) -> Void)?

  init(
    machine: VirtualEnvironment, group: MulticastGroup, received: @escaping ([UInt8], PeerAddress, HostTime) -> Void
  ) {
    self.machine = machine
    self.group = group
    self.received = received
  }

  func refresh() -> MulticastReach {
    joined = machine.links.union([Self.loopback])
    return MulticastReach(links: joined, problem: machine.links.isEmpty ? "no network interface is up" : nil)
  }

  func send(_ bytes: [UInt8], on links: Set<String>) {
    machine.sentMulticasts += links.contains { machine.links.contains($0) } ? 1 : 0
    for link in links where joined.contains(link) {
      let isLoopback = link == Self.loopback
      guard isLoopback || machine.links.contains(link) else { continue }
      for other in isLoopback ? [machine] : machine.network.machines where other !== machine || isLoopback {
        guard let passage = machine.network.passage(from: machine, to: other, losing: true) else { continue }
        let from = PeerAddress(host: machine.ownAddress(towards: other), port: group.port)
        machine.network.schedule(at: machine.network.trueTime.adding(passage), on: other) { [group] in
          for port in other.multicastPorts where port.group == group && port.joined.contains(link) {
            port.received?(bytes, from, other.now)
          }
        }
      }
    }
  }

  func close() {
    received = nil
    machine.remove(self)
  }
}
