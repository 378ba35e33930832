import Testing

@testable import UnisonoBase

@Suite("A remote clock")
struct RemoteClockTests {
  /// Runs the clock over a path for a while, from host time `start`.
  private func run(
    _ clock: inout RemoteClock, _ path: JitterPath, for length: Nanoseconds, _ packets: inout JitterPath.Packets,
    mayStep: Bool, offset: Int64 = 0, _ seen: (HostTime, SlewedClock) -> Void = { _, _ in }
  ) {
    let end = clock.scheduler.next + length
    while clock.scheduler.next < end {
      let asked = clock.scheduler.next
      _ = clock.takeProbe(at: asked)
      var sample = path.exchange(at: asked, &packets)
      sample.received += offset
      sample.replied += offset
      clock.add(sample, by: .datagram, at: sample.answered, mayStep: mayStep)
      if let published = clock.published { seen(sample.answered, published) }
    }
  }

  @Test("F60: while something plays over a jittery way, published time only runs forwards and stays within its bound")
  func playing() {
    let path = JitterPath.wan.drifting(60e-6)
    var packets = JitterPath.Packets(generator: SplitMix64(seed: 9))
    var clock = RemoteClock(at: 0)
    var last = Int64.min
    run(&clock, path, for: .seconds(400), &packets, mayStep: false) { host, published in
      let remote = published.remote(at: host)
      #expect(remote > last)
      #expect(abs(remote - path.remote(at: host)) <= published.error(at: host))
      last = remote
    }
    #expect(clock.filter.count > 64)
  }

  @Test("F60: another link to the same clock keeps what is known of it, and measures the new path with a burst")
  func anotherLink() throws {
    var packets = JitterPath.Packets(generator: SplitMix64(seed: 4))
    var clock = RemoteClock(at: 0)
    run(&clock, .lan, for: .seconds(60), &packets, mayStep: false)
    let (count, published) = (clock.filter.count, clock.published)
    clock.linkChanged(at: .seconds(70), hasDatagrams: false)
    #expect(clock.filter.count == count && clock.published == published)
    let ways = [clock.takeProbe(at: .seconds(70)), clock.takeProbe(at: .seconds(70))]
    #expect(ways == [.stream, []])
    #expect(clock.scheduler.next == .seconds(70) + .milliseconds(50))
  }

  @Test("an impossible answer changes nothing")
  func impossible() {
    var clock = RemoteClock(at: 0)
    let isTaken = clock.add(
      ClockSample(asked: 5, received: 0, replied: 0, answered: 4), by: .datagram, at: 4, mayStep: true)
    #expect(!isTaken)
    #expect(clock.published == nil && clock.filter.model == nil)
  }
}
