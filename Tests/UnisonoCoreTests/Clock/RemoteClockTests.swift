import Testing

@testable import UnisonoBase

@Suite("A remote clock")
struct RemoteClockTests {
  /// Runs the clock over a path for a while; `seen` is given what those see who slew it.
  private func run(
    _ clock: inout RemoteClock, _ path: JitterPath, for length: Nanoseconds, _ packets: inout JitterPath.Packets,
    isPlaying: Bool, offset: Int64 = 0, _ seen: (HostTime, SlewedClock) -> Void = { _, _ in }
  ) {
    let end = clock.scheduler.next + length
    var slewed: SlewedClock?
    while clock.scheduler.next < end {
      let asked = clock.scheduler.next
      _ = clock.takeProbe(at: asked)
      var sample = path.exchange(at: asked, &packets)
      sample.received += offset
      sample.replied += offset
      clock.add(sample, by: .datagram, at: sample.answered, isPlaying: isPlaying)
      guard let model = clock.filter.model else { continue }
      slewed = slewed ?? SlewedClock(model)
      slewed?.adopt(model, at: sample.answered, mayStep: !isPlaying)
      if let slewed { seen(sample.answered, slewed) }
    }
  }

  @Test("F60: while something plays over a jittery way, published time only runs forwards and stays within its bound")
  func playing() {
    let path = JitterPath.wan.drifting(60e-6)
    var packets = JitterPath.Packets(generator: SplitMix64(seed: 9))
    var clock = RemoteClock(at: 0)
    var last = Int64.min
    run(&clock, path, for: .seconds(400), &packets, isPlaying: true) { host, published in
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
    run(&clock, .lan, for: .seconds(60), &packets, isPlaying: true)
    let (count, model) = (clock.filter.count, clock.filter.model)
    clock.linkChanged(at: .seconds(70), hasDatagrams: false)
    #expect(clock.filter.count == count && clock.filter.model == model && model != nil)
    let ways = [clock.takeProbe(at: .seconds(70)), clock.takeProbe(at: .seconds(70))]
    #expect(ways == [.stream, []])
    #expect(clock.scheduler.next == .seconds(70) + .milliseconds(50))
  }

  @Test("an impossible answer changes nothing")
  func impossible() {
    var clock = RemoteClock(at: 0)
    let isTaken = clock.add(
      ClockSample(asked: 5, received: 0, replied: 0, answered: 4), by: .datagram, at: 4, isPlaying: false)
    #expect(!isTaken)
    #expect(clock.filter.count == 0 && clock.filter.model == nil)
  }
}
