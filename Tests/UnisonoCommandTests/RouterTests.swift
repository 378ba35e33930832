import Testing
import UnisonoRuntime

@testable import unisono_cli

@Suite struct RouterTests {
  @Test("F98: what the router's words say is taken as it is")
  func words() {
    #expect(RouterWord("address upnp 45.80.0.1") == .address(way: "upnp", "45.80.0.1"))
    #expect(
      RouterWord("open nat-pmp 45.80.0.1 41239 tcp+udp 3600")
        == .open(RouterPort(way: "nat-pmp", address: "45.80.0.1", port: 41_239, hasDatagrams: true)))
    #expect(
      RouterWord("open upnp 45.80.0.1 1024 tcp 0")
        == .open(RouterPort(way: "upnp", address: "45.80.0.1", port: 1_024, hasDatagrams: false)))
    #expect(RouterWord("address pcp 45.80.0.1") == .address(way: "pcp", "45.80.0.1"))
    #expect(RouterWord("none NAT-PMP: the router refuses") == .refused("NAT-PMP: the router refuses"))
    #expect(RouterWord("lost the router does not answer") == .lost("the router does not answer"))
    #expect(RouterWord("closed") == .closed)
  }

  @Test(
    "F98: addresses that are none, ports that no invite leads to and other words are passed over",
    arguments: [
      "", " ", "open", "open upnp 45.80.0.1 1023 tcp 0", "open upnp 45.80.0.1 65536 tcp 0",
      "open upnp 0.0.0.0 4711 tcp 0",
      "open upnp evil.example 4711 tcp 0", "open upnp 45.80.0.1/x 4711 tcp 0", "open upnp ::1 4711 tcp 0",
      "open ssh 45.80.0.1 4711 tcp 0",
      "open upnp 45.80.0.1 4711 sctp 0", "open upnp 45.80.0.1 4711 tcp", "address upnp", "address upnp 256.1.1.1",
      "closed now", "OPEN",
    ])
  func others(_ line: String) {
    #expect(RouterWord(line) == nil)
  }

  @Test("F98: a port behind another router is said to lead nowhere")
  func behindAnother() {
    var port = RouterPort(way: "upnp", address: "45.80.0.1", port: 4_711, hasDatagrams: true)
    #expect(
      port.sentence.contains("TCP and UDP to 45.80.0.1:4711")
        && port.sentence.hasSuffix("nobody has tried it from outside yet"))
    (port.address, port.hasDatagrams) = ("100.64.0.1", false)
    #expect(
      port.reach == .network && port.sentence.contains("lets TCP to")
        && port.sentence.contains("another router is before it"))
  }
}
