import Testing

@testable import UnisonoRuntime

@Suite("From where an address can be reached")
struct AddressReachTests {
  @Test(
    "F45: this machine alone",
    arguments: ["127.0.0.1:7400", "127.8.9.1:1", "0.0.0.0:7400", "[::1]:7400", "[::]:1", "localhost:7400", "Ann.LOCALHOST:1"])
  func machine(_ address: String) { #expect(AddressReach(of: address) == .machine) }

  @Test(
    "F45: a private network",
    arguments: [
      "10.0.0.7:7400", "172.16.0.1:1", "172.31.255.254:1", "192.168.1.5:7400", "169.254.3.4:1", "100.64.0.1:1",
      "100.127.0.1:1", "[fe80::1]:7400", "[fe80::1%eth0]:7400", "[febf::1]:1", "[fd00:1::7]:7400", "[fc00::1]:1",
      "[::ffff:192.168.1.5]:7400", "television:7400", "television.local:7400", "tv.lan:1", "tv.home.arpa:1", "Hub.Internal.:1",
    ])
  func network(_ address: String) { #expect(AddressReach(of: address) == .network) }

  @Test(
    "F45: anywhere",
    arguments: [
      "192.0.2.7:7400", "172.15.0.1:1", "172.32.0.1:1", "192.169.0.1:1", "100.63.0.1:1", "100.128.0.1:1", "[2001:db8::7]:7400",
      "[::ffff:192.0.2.7]:7400", "[fec0::1]:1", "hub.example.org:7400", "local.example.org:7400",
    ])
  func anywhere(_ address: String) { #expect(AddressReach(of: address) == .anywhere) }

  @Test("F45: what is no address is reached from nowhere else", arguments: ["", "7400", "hub.example.org", "[fe80::1:7400"])
  func none(_ address: String) { #expect(AddressReach(of: address) == .machine) }
}
