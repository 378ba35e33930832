import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

@Suite("What is kept of a chat")
struct ChatLogTests {
  /// Not SHA-256, but different bytes have different ones.
  private static let hash: @Sendable ([UInt8]) -> [UInt8] = { bytes in
    let sum = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return (0..<32).map { UInt8(truncatingIfNeeded: (sum &* UInt64($0 + 1)) >> 24) }
  }

  private func author(_ number: UInt8) -> ParticipantID { ParticipantID(bytes: [UInt8](repeating: number, count: 16)) ?? .none }

  private func entry(_ number: UInt64, by author: UInt8, at time: Int64, _ text: String, length: Int = 100) -> ChatEntry {
    var entry = ChatEntry(id: ChatEntry.ID(author: self.author(author), number: number), time: time, text: text)
    let body = Array("\(author) \(number) \(time) \(text)".utf8)
    entry.signed = SignedStatement(
      body: body + [UInt8](repeating: 0, count: max(0, length - body.count)), signature: [UInt8](repeating: 1, count: 64))
    return entry
  }

  @Test("G17 G20: whatever the order that words come in, the same is kept", arguments: 1...20 as ClosedRange<UInt64>)
  func union(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var all = (1...300 as ClosedRange<UInt64>).map {
      entry($0, by: UInt8($0 % 5), at: Int64.random(in: 0...200, using: &random), "line", length: 40 + Int($0))
    }
    all += all[0..<40].map { entry($0.id.number, by: UInt8($0.id.number % 5), at: $0.time, "other", length: 40 + Int($0.id.number)) }
    var logs: [ChatLog] = []
    for _ in 0..<4 {
      var log = ChatLog(hash: Self.hash)
      for one in all.shuffled(using: &random) { _ = log.merge(one) }
      logs.append(log)
    }
    #expect(logs.allSatisfy { $0.entries == logs[0].entries })
    #expect(logs[0].entries.count == WireLimits.chatEntries)
    #expect(logs[0].entries == logs[0].entries.sorted(by: ChatEntry.precedes))
  }

  @Test(
    "G60: long and short words, more than is kept, come in any order: all keep the same, and hear each once",
    arguments: 1...30 as ClosedRange<UInt64>)
  func bytesInAnyOrder(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let all = (1...160 as ClosedRange<UInt64>).map { (number: UInt64) -> ChatEntry in
      let length = Bool.random(using: &random) ? 60 : Int.random(in: 1_000...3_200, using: &random)
      return entry(number, by: UInt8(number % 5), at: Int64(number), "line", length: length)
    }
    var logs = [ChatLog](repeating: ChatLog(hash: Self.hash), count: 4)
    var told = [[ChatEntry.ID]](repeating: [], count: 4)
    func tell(_ entry: ChatEntry, to index: Int) { if logs[index].merge(entry) { told[index].append(entry.id) } }
    for one in all { for index in 0..<4 where index == Int(one.id.number % 4) || Bool.random(using: &random) { tell(one, to: index) } }
    for _ in 0..<12 {
      let (from, to) = (Int.random(in: 0..<4, using: &random), Int.random(in: 0..<4, using: &random))
      for one in logs[from].entries.shuffled(using: &random) { tell(one, to: to) }
    }
    for from in 0..<4 { for to in 0..<4 { for one in logs[from].entries { tell(one, to: to) } } }
    for from in 0..<4 { for to in 0..<4 { for one in logs[from].entries { tell(one, to: to) } } }
    var whole = ChatLog(hash: Self.hash)
    for one in all { _ = whole.merge(one) }
    for (log, told) in zip(logs, told) {
      #expect(log.entries == whole.entries)
      #expect(Set(told).count == told.count)
    }
    let bytes = whole.entries.reduce(0) { $0 + $1.signed.body.count + $1.signed.signature.count }
    #expect(bytes <= WireLimits.chatBytes && bytes > WireLimits.chatNewerBytes)
  }

  @Test("no more is kept than 128 KiB, the newest")
  func bytes() {
    var log = ChatLog(hash: Self.hash)
    for number in 1...150 as ClosedRange<UInt64> { _ = log.merge(entry(number, by: 1, at: Int64(number), "x", length: 2_936)) }
    #expect(log.entries.count == 43 && log.entries.last?.id.number == 150)
    let isOldestBack = log.merge(entry(1, by: 1, at: 1, "x", length: 2_936))
    #expect(!isOldestBack)
  }

  @Test("ten in any ten seconds, and the time until which there may be none")
  func pace() {
    var pace = ChatPace(limit: ChatPace.entries)
    let first = (0..<10 as Range<Int64>).map { pace.spend(now: .milliseconds(500 * $0)) }
    #expect(first == [HostTime?](repeating: nil, count: 10))
    let (eleventh, later) = (pace.spend(now: .seconds(5)), pace.spend(now: .seconds(10)))
    #expect(eleventh == .seconds(10) && later == nil)
  }
}
