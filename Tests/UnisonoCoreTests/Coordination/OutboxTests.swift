import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

@Suite struct OutboxTests {
  private let author = ParticipantID(high: 1, low: 0)

  private func said(_ key: RegisterKey, at time: GroupTime) -> Statement {
    Statement(
      key: key, author: author, policy: RuleHarness.policy, time: time,
      value: .position(PositionValue(rank: .command, position: 0)))
  }

  private func drain(_ outbox: inout Outbox, at now: HostTime, group: Int = 2, item: ItemID = "X") -> [Statement] {
    outbox.drain(now: now, group: group, isFirst: { $0.item.map { $0 == item } ?? true }, stands: { _ in true })
      .statements
  }

  @Test("of each register the newest goes, in the order of writing")
  func newest() {
    var outbox = Outbox()
    for time in 1...1_000 as ClosedRange<Int64> {
      outbox.put(said(.position("X"), at: time))
      outbox.put(said(.rate("X"), at: time))
    }
    outbox.put(said(.position("X"), at: 2_000))
    #expect(drain(&outbox, at: 0).map(\.time) == [1_000, 2_000])
    #expect(outbox.isEmpty && outbox.wake == nil)
  }

  @Test("the first messages go at once, then one in 50 ms, and after a pause at once again")
  func pace() {
    var outbox = Outbox()
    var sent: [HostTime] = []
    for now in stride(from: 0 as HostTime, to: .seconds(10), by: 5_000_000) {
      outbox.put(said(.position("X"), at: now + 1))
      if !drain(&outbox, at: now).isEmpty { sent.append(now) }
    }
    #expect(sent.prefix(Outbox.burst) == (0..<Outbox.burst).map { .milliseconds(Int64($0) * 5) }[...])
    #expect(sent.count <= Outbox.burst + 200 && sent.count >= 200)
    // What waits says when it may go, and goes then.
    let wake = outbox.wake
    #expect(wake.map { $0 <= .seconds(10) + .milliseconds(50) } == true)
    #expect(drain(&outbox, at: wake ?? 0).count == 1)
    outbox.put(said(.position("X"), at: .seconds(100)))
    #expect(drain(&outbox, at: .seconds(20)).count == 1)
  }

  @Test("in a large group everybody speaks more seldom: 256 together say what one can check")
  func largeGroup() {
    var outbox = Outbox()
    var count = 0
    for now in stride(from: 0 as HostTime, to: .seconds(60), by: 10_000_000) {
      outbox.put(said(.position("X"), at: now + 1))
      if !drain(&outbox, at: now, group: 256).isEmpty { count += 1 }
    }
    #expect(count <= Outbox.burst + 60 * 4)
  }

  @Test("of too many statements what concerns the current item goes first, and an item's are not torn apart")
  func manyItems() {
    var outbox = Outbox()
    for number in 0..<1_000 {
      let item = ItemID("item \(number)")
      outbox.put(said(.rate(item), at: Int64(number)))
      outbox.put(said(.position(item), at: Int64(number)))
    }
    outbox.put(said(.participant(author), at: 5))
    outbox.put(said(.rate("X"), at: 6))
    outbox.put(said(.position("X"), at: 7))
    var now: HostTime = 0
    let first = drain(&outbox, at: now)
    #expect(first.count <= Outbox.statementBurst)
    #expect(first.map(\.key).contains(.participant(author)))
    #expect(Set(first.map(\.key)).isSuperset(of: [.rate("X"), .position("X")]))
    var seen = first
    var rounds = 0
    while let wake = outbox.wake, rounds < 1_000 {
      now = wake
      let some = drain(&outbox, at: now)
      let items = Dictionary(grouping: some.compactMap(\.key.item), by: { $0 })
      #expect(items.values.allSatisfy { $0.count == 2 })
      seen += some
      rounds += 1
    }
    #expect(Set(seen.map(\.key)).count == 2_003 && outbox.isEmpty)
    // Fewer than half of what the others check of one sender.
    #expect(Double(seen.count - Outbox.statementBurst) / (Double(now) / 1e9) < 200)
  }

  @Test("what is in no register any more is not said; what is said last is said whole")
  func fallen() {
    var outbox = Outbox()
    outbox.put(said(.rate("X"), at: 1))
    outbox.put(said(.rate("Y"), at: 2))
    let load = outbox.drain(now: 0, group: 2, isFirst: { _ in true }, stands: { $0.time == 2 })
    #expect(load.statements.map(\.time) == [2] && outbox.isEmpty)
    for number in 0..<Outbox.burst {
      outbox.put(said(.rate("X"), at: Int64(number) + 10))
      _ = drain(&outbox, at: 0)
    }
    outbox.put(said(.rate("X"), at: 100))
    outbox.putPolicy()
    #expect(drain(&outbox, at: 0).isEmpty && outbox.wake != nil)
    let all = outbox.drainAll()
    #expect(all.policy && all.statements.map(\.time) == [100] && outbox.isEmpty)
  }
}
