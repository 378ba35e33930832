import CUV
import UnisonoBase

/// A multicast group on all links of this machine, IPv4 and IPv6.
final class UVMulticastPort: MulticastPort {
  private let loop: UVLoop
  private let group: MulticastGroup
  private var received: (([UInt8], PeerAddress, HostTime) -> Void)?
  private var ipv4: UVMulticastSocket?
  private var ipv6: UVMulticastSocket?
  private var links: [LocalLink] = []

  init(
    loop: UVLoop, group: MulticastGroup, received: @escaping ([UInt8], PeerAddress, HostTime) -> Void
  ) {
    self.loop = loop
    self.group = group
    self.received = received
  }

  deinit { close() }

  func refresh() -> MulticastReach {
    guard received != nil else { return MulticastReach(links: [], problem: "closed") }
    var failure: NetworkError?
    do throws(NetworkError) {
      if ipv4 == nil { ipv4 = try open(group.ipv4) }
    } catch {
      failure = error
    }
    do throws(NetworkError) {
      if ipv6 == nil { ipv6 = try open(group.ipv6) }
    } catch {
      // A machine without IPv6 is no fault.
      if ipv4 == nil { failure = error }
    }
    let present = LocalLink.all()
    let reached = (ipv4?.refresh(present) ?? []).union(ipv6?.refresh(present) ?? [])
    links = reached.sorted { $0.name < $1.name }
    var problem: String?
    if !links.contains(where: { !$0.isLoopback }) {
      problem = failure?.message ?? "no network interface is up that takes multicast"
    }
    return MulticastReach(links: Set(links.map(\.name)), problem: problem)
  }

  func send(_ bytes: [UInt8], on names: Set<String>) {
    for link in links where names.contains(link.name) { (link.isIPv6 ? ipv6 : ipv4)?.send(bytes, on: link) }
  }

  func close() {
    received = nil
    ipv4?.close()
    ipv6?.close()
  }

  private func open(_ address: String) throws(NetworkError) -> UVMulticastSocket {
    try UVMulticastSocket(loop: loop, group: address, port: group.port) { [weak self] bytes, from, at in
      self?.received?(bytes, from, at)
    }
  }
}
