import Testing

@testable import UnisonoRuntime

@Suite("The gate before entry")
struct EntryGateTests {
  private let home = AddressKey("10.0.0.7")

  @Test("an address has places for 16 that have not entered, all together for 256")
  func places() {
    let gate = Box(EntryGate(limits: HubLimits(), now: 0))
    #expect((0..<20).filter { _ in gate.value.accept(home, now: 0) }.count == 16)
    var others = 0
    for host in 0..<40 {
      for _ in 0..<16 where gate.value.accept(AddressKey("10.1.0.\(host)"), now: 0) { others += 1 }
    }
    #expect(others == 240)
    gate.value.leave(home, .unentered, now: 0)
    #expect(gate { $0.accept(AddressKey("10.9.9.9"), now: 0) })
    #expect(!gate { $0.accept(AddressKey("10.9.9.9"), now: 0) })
  }

  @Test("an address may try 20 times at once and then 5 times a second; others are not touched by that")
  func attempts() {
    let gate = Box(EntryGate(limits: HubLimits(), now: 0))
    #expect((0..<100).filter { _ in gate.value.attempt(home, now: 0) == nil }.count == 20)
    #expect(gate.value.attempt(home, now: 0) == .tooOften(retry: .milliseconds(200)))
    #expect(gate.value.attempt(AddressKey("10.0.0.8"), now: 0) == nil)
    #expect(gate.value.attempt(home, now: .milliseconds(200)) == nil)
  }

  @Test("all addresses together may try 200 times a second")
  func attemptsInAll() {
    let gate = Box(EntryGate(limits: HubLimits(), now: 0))
    var admitted = 0
    for host in 0..<50 {
      for _ in 0..<20 where gate.value.attempt(AddressKey("10.2.0.\(host)"), now: 0) == nil { admitted += 1 }
    }
    #expect(admitted == 200)
  }

  @Test("entered connections are bounded for an address and in all")
  func entered() {
    var limits = HubLimits()
    limits.connectionsPerAddress = 2
    limits.connections = 3
    let gate = Box(EntryGate(limits: limits, now: 0))
    func enter(_ key: AddressKey) -> Bool { gate.value.accept(key, now: 0) && gate.value.enter(key, now: 0) }
    #expect(enter(home) && enter(home) && !enter(home))
    #expect(gate.value.attempt(home, now: 0) == .full)
    let other = AddressKey("10.0.0.8")
    #expect(enter(other) && !enter(other))
    gate.value.leave(home, .entered, now: 0)
    #expect(enter(other))
  }

  @Test("Z67: all addresses of a /48, or of a /24, have four shares of each limit; others enter meanwhile")
  func prefixes() {
    let gate = Box(EntryGate(limits: HubLimits(), now: 0))
    for flooder in [{ "2001:db8:7:\(String($0, radix: 16))::1" }, { "203.0.113.\($0 % 256)" }] as [(Int) -> String] {
      var accepted = 0
      for number in 0..<65_536 where gate.value.accept(AddressKey(flooder(number)), now: 0) { accepted += 1 }
      #expect(accepted == 64)
      var tried = 0
      for number in 0..<65_536 where gate.value.attempt(AddressKey(flooder(number)), now: 0) == nil { tried += 1 }
      #expect(tried == 80)
    }
    let other = AddressKey("198.51.100.7")
    #expect(gate { $0.accept(other, now: 0) && $0.attempt(other, now: 0) == nil && $0.enter(other, now: 0) })
    // A local network is one prefix by its nature.
    let local = (0..<60).filter { gate.value.accept(AddressKey("192.168.1.\($0)"), now: 0) }
    #expect(local.count == 60)
  }

  @Test("a table that is over three quarters full takes nothing more from a prefix that has a 64th of it")
  func crowded() {
    let gate = Box(EntryGate(limits: HubLimits(), now: 0))
    let many = (0..<193).filter { gate.value.accept(AddressKey("10.3.\($0).1"), now: 0) }
    #expect(many.count == 193)
    let accepted = (0..<16).filter { gate.value.accept(AddressKey("203.0.113.\($0)"), now: 0) }
    #expect(accepted.count == 4)
    #expect(gate { $0.accept(AddressKey("198.51.100.7"), now: 0) })
  }

  @Test("under a flood from ever new addresses those that nothing is known about are forgotten as fast as others come")
  func flood() {
    let gate = Box(EntryGate(limits: HubLimits(), now: 0))
    var largest = 0
    for number in 0..<50_000 {
      let now = Int64(number) * .microseconds(100)
      let key = AddressKey("10.\(number / 62_500).\(number / 250 % 250).\(number % 250)")
      _ = gate.value.accept(key, now: now)
      _ = gate.value.attempt(key, now: now)
      gate.value.leave(key, .unentered, now: now)
      largest = max(largest, gate.value.count)
    }
    // 10,000 come in a second, and one that tried is as it was 0.2 s later.
    #expect((2_000...5_000).contains(largest))
    for second in 6...20 { gate.value.sweep(now: .seconds(Int64(second))) }
    #expect(gate.value.count == 0)
  }

  @Test("an address is forgotten when nothing is known about it any more")
  func sweep() {
    let gate = Box(EntryGate(limits: HubLimits(), now: 0))
    _ = gate.value.accept(home, now: 0)
    _ = gate.value.attempt(home, now: 0)
    gate.value.leave(home, .unentered, now: 0)
    gate.value.sweep(now: 0)
    #expect(gate.value.count == 1)
    gate.value.sweep(now: .seconds(1))
    #expect(gate.value.count == 0)
  }

  @Test(
    "one address is an IPv4 address, mapped or not, or a /64",
    arguments: [
      ("10.0.0.7", "10.0.0.7", true), ("10.0.0.7", "10.0.0.8", false), ("::ffff:10.0.0.7", "10.0.0.7", true),
      ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::9", true), ("2001:db8:1:2::9", "2001:db8:1:3::9", false),
      ("2001:db8::1", "2001:db8:0:0:7::1", true), ("fe80::1%eth0", "fe80::2%eth0", true), ("::1", "fe80::1", false),
    ])
  func keys(_ one: String, _ other: String, _ same: Bool) {
    #expect((AddressKey(one) == AddressKey(other)) == same)
  }
}
