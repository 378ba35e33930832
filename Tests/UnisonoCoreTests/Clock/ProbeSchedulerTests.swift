import Testing
import UnisonoBase

@Suite("When and how a hub is asked for its time")
struct ProbeSchedulerTests {
  private struct Ask: Equatable {
    var at: Nanoseconds
    var ways: ProbeWays
  }

  /// The asks during `length`, each answered 10 ms later on the ways that `answers` names.
  private func asks(
    for length: Nanoseconds, uncertainty: Nanoseconds = 1_000, hasDatagrams: Bool = true, isPlaying: Bool = false,
    isSparing: Bool = false, answers: (Nanoseconds) -> ProbeWays = { _ in .datagram }
  ) -> [Ask] {
    var scheduler = ProbeScheduler(at: .seconds(1), hasDatagrams: hasDatagrams, isSparing: isSparing)
    var asks: [Ask] = []
    while scheduler.next <= .seconds(1) + length {
      let now = scheduler.next
      let ways = scheduler.take(at: now)
      #expect(!ways.isEmpty)
      let again = scheduler.take(at: now)
      #expect(again.isEmpty, "one ask at a time")
      let at = now - .seconds(1)
      asks.append(Ask(at: at, ways: ways))
      let answered = answers(at).intersection(ways)
      if !answered.isEmpty {
        scheduler.answered(at: now + .milliseconds(10), by: answered, uncertainty: uncertainty, isPlaying: isPlaying)
      }
    }
    return asks
  }

  private func gaps(_ asks: [Ask]) -> [Nanoseconds] { zip(asks.dropFirst(), asks).map { $0.at - $1.at } }

  @Test("eight in a burst, 50 ms apart, then twice a second for half a minute")
  func burst() {
    let asks = asks(for: .seconds(29))
    #expect(asks.prefix(8).map(\.at) == (0..<8).map { Int64($0) * .milliseconds(50) })
    #expect(Set(gaps(asks).dropFirst(7)) == [.milliseconds(500)])
  }

  @Test("where the path jitters the burst has forty, and the asks thin out over two minutes")
  func longBurst() {
    let asks = asks(for: .seconds(119), uncertainty: .milliseconds(1))
    #expect(asks.prefix(40).map(\.at) == (0..<40).map { Int64($0) * .milliseconds(50) })
    for (from, until, interval) in [(2, 30, 125), (31, 60, 250), (61, 119, 500)] as [(Int64, Int64, Int64)] {
      let during = asks.filter { $0.at >= .seconds(from) && $0.at < .seconds(until) }
      #expect(Set(gaps(during)) == [.milliseconds(interval)], "between \(from) and \(until) s")
    }
  }

  @Test("F134: one of many asks as on a quiet path for half a minute, then once in five seconds at most, whatever plays and jitters")
  func sparing() {
    for (uncertainty, burst) in [(Nanoseconds.microseconds(1), 8), (.milliseconds(1), 40)] {
      let asks = asks(for: .seconds(120), uncertainty: uncertainty, isPlaying: true, isSparing: true)
      #expect(asks.prefix(burst).map(\.at) == (0..<burst).map { Int64($0) * .milliseconds(50) })
      let early = asks.filter { $0.at > Int64(burst) * .milliseconds(50) && $0.at < .seconds(30) }
      #expect(Set(gaps(early)) == [.milliseconds(500)])
      let late = gaps(asks.filter { $0.at >= .seconds(30) })
      #expect(late.allSatisfy { $0 >= .seconds(5) && $0 <= ProbeScheduler.steadyLimit })
    }
    let unanswered = asks(for: .seconds(90), isSparing: true) { $0 < .seconds(40) ? .datagram : [] }
    #expect(gaps(unanswered.filter { $0.at >= .seconds(30) }).allSatisfy { $0 >= .seconds(5) })
  }

  @Test("a path that is known well enough is asked no more than a quiet one")
  func known() {
    var scheduler = ProbeScheduler(at: 0)
    while scheduler.next < .seconds(10) {
      let now = scheduler.next
      _ = scheduler.take(at: now)
      let uncertainty = now < .seconds(5) ? Nanoseconds.milliseconds(1) : .microseconds(29)
      scheduler.answered(at: now, by: .datagram, uncertainty: uncertainty, isPlaying: true)
    }
    let last = scheduler.next
    _ = scheduler.take(at: last)
    #expect(scheduler.next == last + .milliseconds(500))
  }

  @Test("on a path of a second the burst goes on when the first answers have shown that it jitters")
  func lateBurst() {
    var scheduler = ProbeScheduler(at: 0)
    for _ in 0..<9 { _ = scheduler.take(at: scheduler.next) }
    #expect(scheduler.next > .milliseconds(800))
    scheduler.answered(at: .milliseconds(600), by: .datagram, uncertainty: .milliseconds(5), isPlaying: false)
    #expect(scheduler.next == .milliseconds(650))
  }

  @Test(
    "then rarer: every 16 s on a quiet path, every 4 s on a jittery one, each second while it plays",
    arguments: [(10, false, 16), (10, true, 16), (1_000, false, 4), (1_000, true, 1)] as [(Int64, Bool, Int64)])
  func steady(microseconds: Int64, isPlaying: Bool, seconds: Int64) {
    let asks = asks(for: .seconds(400), uncertainty: .microseconds(microseconds), isPlaying: isPlaying)
    let gaps = gaps(asks.filter { $0.at >= .seconds(120) })
    #expect(gaps.max() == .seconds(seconds))
    #expect(gaps.last == .seconds(seconds))
  }

  @Test("without answers it goes on twice a second, and never faster than a hub allows")
  func unanswered() {
    let asks = asks(for: .seconds(120), answers: { _ in [] })
    #expect(gaps(asks).dropFirst(8).allSatisfy { $0 == .milliseconds(500) })
    for (first, last) in zip(asks, asks.dropFirst(19)) { #expect(last.at - first.at >= .seconds(1)) }
  }

  @Test("F60: three datagrams without an answer, and the stream is asked as well, until one is answered again")
  func fallback() {
    let asks = asks(for: .seconds(60), answers: { $0 < .seconds(20) || $0 > .seconds(40) ? .datagram : .stream })
    let during = asks.filter { $0.at >= .seconds(20) && $0.at <= .seconds(40) }
    #expect(during.prefix(3).allSatisfy { $0.ways == .datagram })
    #expect(during.dropFirst(3).allSatisfy { $0.ways == [.datagram, .stream] })
    let before = asks.filter { $0.at < .seconds(20) }
    #expect(before.allSatisfy { $0.ways == .datagram })
    let after = asks.filter { $0.at > .seconds(40) }
    #expect(after.dropFirst().allSatisfy { $0.ways == .datagram })
  }

  @Test("F60: a hub without UDP is asked in the stream from the first ask on")
  func streamOnly() {
    let asks = asks(for: .seconds(10), hasDatagrams: false, answers: { _ in .stream })
    #expect(asks.allSatisfy { $0.ways == .stream })
  }

  @Test("a loop that was late sends one, not all that it missed")
  func lateness() {
    var scheduler = ProbeScheduler(at: 0)
    let taken = [scheduler.take(at: .seconds(5)), scheduler.take(at: .seconds(5))]
    #expect(taken == [.datagram, []])
    #expect(scheduler.next == .seconds(5) + .milliseconds(50))
  }
}
