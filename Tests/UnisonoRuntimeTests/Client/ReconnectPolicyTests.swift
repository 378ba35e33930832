import Testing
import UnisonoBase

@testable import UnisonoRuntime

@Suite("When a client tries again")
struct ReconnectPolicyTests {
  private func wait(_ next: ReconnectPolicy.Next) -> Nanoseconds? {
    if case .connect(_, let after) = next { after } else { nil }
  }

  private func index(_ next: ReconnectPolicy.Next) -> Int? {
    if case .connect(let index, _) = next { index } else { nil }
  }

  @Test("waits double from 0.1 s to 10 s and stay within both, whatever the dice")
  func backOff() {
    for random in [0, 0.5, 0.999] {
      let policy = Box(ReconnectPolicy(addresses: 1))
      let waits = (0..<12).compactMap { _ in wait(policy.value.next(after: .failed, random: random)) }
      #expect(waits.count == 12)
      #expect(waits.allSatisfy { $0 >= .milliseconds(100) && $0 <= .seconds(10) })
      #expect(waits == waits.sorted())
      #expect(waits[0] < .milliseconds(150))
      #expect(waits[11] >= .seconds(7))
    }
  }

  @Test("waits stay within both for ever, for any number of addresses")
  func bounded() {
    var dice = SplitMix64(seed: 3)
    for addresses in [1, 2, 3, 7, 16] {
      var policy = ReconnectPolicy(addresses: addresses)
      for _ in 0..<20_000 {
        let next = policy.next(after: .failed, random: Double.random(in: 0..<1, using: &dice))
        guard case .connect(let index, let wait) = next else {
          Issue.record("stopped")
          return
        }
        #expect((0..<addresses).contains(index) && wait >= .milliseconds(100) && wait <= .seconds(10))
      }
    }
  }

  @Test("addresses are tried in turn, quickly; a turn through all of them counts as one try, and its end waits")
  func turns() {
    let policy = Box(ReconnectPolicy(addresses: 3))
    let order = (0..<6).map { _ in policy.value.next(after: .failed, random: 0.5) }
    #expect(order.compactMap(index) == [1, 2, 0, 1, 2, 0])
    #expect(order.prefix(3).compactMap(wait) == [.milliseconds(100), .milliseconds(100), .milliseconds(100)])
    #expect(order.suffix(3).compactMap(wait) == [.milliseconds(100), .milliseconds(100), .milliseconds(200)])
    let many = (0..<60).map { _ in wait(policy.value.next(after: .failed, random: 0.5)) ?? 0 }
    #expect(many.filter { $0 > .milliseconds(100) }.count == 20)
    #expect(many.last == .seconds(10))
  }

  @Test("a link that was up is first tried again where it was, quickly")
  func sameAddressFirst() {
    let policy = Box(ReconnectPolicy(addresses: 2))
    for _ in 0..<9 { _ = policy.value.next(after: .failed, random: 0.5) }
    let before = policy.value.current
    policy.value.entered()
    #expect(
      policy.value.next(after: .failed, wasEntered: true, random: 0.5)
        == .connect(index: before, after: .milliseconds(100)))
    #expect(policy.value.next(after: .failed, random: 0.5) == .connect(index: 1 - before, after: .milliseconds(100)))
  }

  @Test("refused for good stops; a wrong hub means the next address at once, but never in a tight circle")
  func outcomes() {
    let policy = Box(ReconnectPolicy(addresses: 2))
    #expect(policy.value.next(after: .fatal, random: 0.5) == .stop)
    #expect(policy.value.next(after: .wrongHub, random: 0.5) == .connect(index: 1, after: 0))
    #expect(policy.value.next(after: .wrongHub, random: 0.5) == .connect(index: 0, after: .milliseconds(100)))
    let alone = Box(ReconnectPolicy(addresses: 1))
    #expect(wait(alone.value.next(after: .wrongHub, random: 0.5)) == .milliseconds(100))
  }

  @Test("a full hub is asked again when it said, unless there is another")
  func full() {
    let alone = Box(ReconnectPolicy(addresses: 1))
    #expect(alone.value.next(after: .full(retry: .seconds(3)), random: 0.5) == .connect(index: 0, after: .seconds(3)))
    #expect(
      alone.value.next(after: .full(retry: .seconds(3_000)), random: 0.5) == .connect(index: 0, after: .seconds(10)))
    let two = Box(ReconnectPolicy(addresses: 2))
    #expect(
      two.value.next(after: .full(retry: .seconds(3)), random: 0.5) == .connect(index: 1, after: .milliseconds(100)))
  }
}
