import Testing
import UnisonoBase
import UnisonoCoordination

/// What waits for its place in an item (wire 8.19), by a playback that the test moves.
@Suite struct CuedMessagesTests {
  private static let film: ItemID = "film"
  private var cues = CuedMessages<UInt8>()
  private var now: HostTime = .seconds(100)

  private mutating func add(_ number: UInt8, at place: Nanoseconds, of item: ItemID = film, by sender: UInt64 = 1) -> [UInt8] {
    let message = CuedMessages<UInt8>.Message(
      sender: ParticipantID(high: sender, low: 0), item: item, itemTime: place, content: number, size: 1, arrived: now)
    return cues.hasRoom(for: message) ? numbers(cues.add(message, now: now)) : []
  }

  private func numbers(_ messages: [CuedMessages<UInt8>.Message]) -> [UInt8] { messages.compactMap(\.content) }

  private mutating func follow(_ position: Nanoseconds, rate: Double = 1, item: ItemID = film) -> [UInt8] {
    numbers(cues.follow(OwnPlayback(item: item, line: Line(at: position, rate: rate, since: now)), now: now))
  }

  /// As the loop does: wakes when there is something to do, and not otherwise.
  private mutating func run(_ length: Nanoseconds, rate: Double = 1, from position: Nanoseconds) -> [(UInt8, HostTime)] {
    let (begin, end) = (now, now + length)
    var came: [(UInt8, HostTime)] = []
    while let wake = cues.nextWake, wake <= end {
      now = max(now, wake)
      let here = position + Nanoseconds(Double(now - begin) * rate)
      came += follow(here, rate: rate).map { ($0, now - begin) }
    }
    now = end
    return came
  }

  @Test("G57: each comes when playback is at its place, in the order of their places, within 10 us")
  mutating func inOrder() {
    #expect(follow(0) == [])
    #expect(add(2, at: .seconds(20)) == [] && add(1, at: .seconds(10)) == [])
    let came = run(.seconds(30), from: 0)
    #expect(came.map(\.0) == [1, 2])
    #expect((came[0].1 - .seconds(10)).magnitude < 10_000 && (came[1].1 - .seconds(20)).magnitude < 10_000)
    #expect(cues.count == 0)
  }

  @Test("G57: a jump over the place does not deliver; sent back, playback meets it, once")
  mutating func jumps() {
    _ = follow(0)
    _ = add(1, at: .seconds(10))
    #expect(follow(.seconds(60)) == [])
    #expect(run(.seconds(5), from: .seconds(60)).isEmpty)
    #expect(follow(.seconds(8)) == [])
    #expect(run(.seconds(5), from: .seconds(8)).map(\.0) == [1])
    #expect(follow(.seconds(8)) == [])
    #expect(run(.seconds(5), from: .seconds(8)).isEmpty)
  }

  @Test("G57: playback that is put there and stands is there; one that runs backwards passes it, too")
  mutating func standsAndBackwards() {
    _ = follow(0, rate: 0)
    _ = add(1, at: .seconds(10))
    _ = add(2, at: .seconds(5))
    #expect(follow(.seconds(10), rate: 0) == [1])
    #expect(follow(.seconds(9), rate: -1) == [])
    #expect(run(.seconds(6), rate: -1, from: .seconds(9)).map(\.0) == [2])
  }

  @Test("G57: playback that turns round where it is meets what it had left behind")
  mutating func turnsRound() {
    _ = follow(.seconds(20))
    _ = add(1, at: .seconds(10))
    _ = add(2, at: .seconds(30))
    #expect(follow(.seconds(20), rate: -1) == [])
    let came = run(.seconds(15), rate: -1, from: .seconds(20))
    #expect(came.map(\.0) == [1])
    #expect(follow(.seconds(5)) == [])
    #expect(run(.seconds(30), from: .seconds(5)).map(\.0) == [2])
  }

  @Test("G57: one that is a little late comes at once, one whose place is long past waits")
  mutating func late() {
    _ = follow(.seconds(100))
    now += .seconds(10)
    #expect(add(1, at: .seconds(109)) == [1])
    #expect(add(2, at: .seconds(107)) == [])
    #expect(run(.seconds(10), from: .seconds(110)).isEmpty)
    #expect(follow(.seconds(106)) == [])
    #expect(run(.seconds(2), from: .seconds(106)).map(\.0) == [2])
  }

  @Test("G57: a correction of the line jumps over nothing, and delivers nothing twice")
  mutating func corrections() {
    _ = follow(.seconds(9))
    _ = add(1, at: .milliseconds(10_050))
    now += .seconds(1)
    #expect(follow(.milliseconds(10_080)) == [1])
    #expect(follow(.milliseconds(10_000)) == [])
    #expect(run(.seconds(1), from: .milliseconds(10_000)).isEmpty)
  }

  @Test("G57: one sent to where a correction of the line has put playback back comes when that is there again")
  mutating func setBack() {
    _ = follow(.seconds(20))
    now += .milliseconds(50)
    // It is paused a little behind where it has come to, and goes on from there.
    #expect(follow(.seconds(20), rate: 0) == [] && add(1, at: .seconds(20) + .milliseconds(5)) == [])
    now += .seconds(5)
    #expect(follow(.seconds(20)) == [])
    #expect(run(.seconds(1), from: .seconds(20)).map(\.0) == [1])
    #expect(cues.count == 0)
  }

  @Test("G57: at another item it waits; a start that is to come is no motion yet")
  mutating func otherItem() {
    _ = follow(0, item: "other")
    _ = add(1, at: .seconds(1))
    #expect(run(.seconds(5), from: 0).isEmpty)
    let start = OwnPlayback(item: Self.film, line: Line(at: 0, rate: 1, since: now + .seconds(3)))
    #expect(numbers(cues.follow(start, now: now)) == [])
    #expect((cues.nextWake ?? 0) - now - .seconds(4) <= 10_000 && (cues.nextWake ?? 0) - now >= .seconds(4))
  }

  @Test("G58: a flood of one sender keeps nobody else out; what waits is over after twelve hours")
  mutating func bounds() {
    _ = follow(0)
    for number in 0..<200 { _ = add(UInt8(number), at: .seconds(1_000 + Int64(number))) }
    #expect(cues.count == CueLimits.perSender)
    _ = add(1, at: .seconds(5), by: 2)
    #expect(cues.count == CueLimits.perSender + 1)
    // Where one came out there is room for another one.
    #expect(follow(.seconds(1_000)) == [0])
    _ = add(200, at: .seconds(2_000))
    #expect(cues.count == CueLimits.perSender + 1)
    for sender in UInt64(3)..<100 { for _ in 0..<64 { _ = add(0, at: .seconds(9_000), by: sender) } }
    #expect(cues.count == CueLimits.most)
    now += CueLimits.life + 1
    _ = follow(0, rate: 0)
    #expect(cues.count == 0)
    #expect(cues.nextWake == nil)
  }
}
