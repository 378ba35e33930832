import Testing
import UnisonoBase
import UnisonoReplica

@testable import UnisonoCoordination

@Suite("What others may have sent to them by asking")
struct AnswerBudgetTests {
  private static let asker = ParticipantID(high: 9, low: 9)

  /// About a hundred kilobytes.
  private var poster: Statement {
    Statement(
      key: .activity, author: ParticipantID(high: 1, low: 1), policy: .none, time: 1,
      value: .activity(Activity(type: 0, identifier: "a", payload: [UInt8](repeating: 1, count: 100_000))))
  }

  @Test("Z80: one that asks 150 times a second is sent 4 MiB at once and 64 KiB a second, and the log says so once a minute")
  func bytes() {
    var answers = AnswerBudget()
    var (sent, lines) = (0, 0)
    for question in 0..<(150 * 90) {
      let now = Int64(question) * .seconds(1) / 150
      if let refusal = answers.spend([poster], on: Self.asker, now: now) { lines += refusal.count } else { sent += 100_512 }
    }
    #expect(sent <= 4_194_304 + 90 * 65_536 && sent > 4_194_304 + 80 * 65_536)
    #expect(lines == 2)
    // Others have budgets of their own.
    let ofAnother = answers.spend([poster], on: ParticipantID(high: 8, low: 8), now: .seconds(90))
    #expect(ofAnother == nil)
  }

  @Test("Z80: the same question within 2 s is not answered, another one is; of lists one in 5 s is compared")
  func repetition() {
    var answers = AnswerBudget()
    let (rate, position) = ([RegisterKey.rate("X")], [RegisterKey.position("X")])
    let asked: [([RegisterKey], HostTime)] = [
      (rate, 0), (rate, .seconds(2) - 1), (position, .seconds(1)), (rate, .seconds(1)), ([], .seconds(1)), ([], .seconds(1)),
    ]
    let admitted = asked.map { answers.admits($0.0, of: Self.asker, now: $0.1) }
    #expect(admitted == [true, false, true, true, true, true])
    let exchanges = [0, .seconds(5) - 1, .seconds(5)].map { answers.admitsExchange(with: Self.asker, now: $0) }
    #expect(exchanges == [true, false, true])
  }

  @Test("Z80: policies that are asked for again and again, beside another register each time, count as well")
  func levels() {
    let terms = PolicyTerms(
      control: .everyone, owners: [Self.asker], removed: Set((1...256).map { ParticipantID(high: UInt64($0), low: 1) }))
    let level = PolicyLevel(
      author: Self.asker, basis: .none, time: 1, terms: terms, sign: { _ in [UInt8](repeating: 0, count: 64) },
      hash: { _ in [UInt8](repeating: 0, count: 32) })
    var answers = AnswerBudget()
    var sent = 0
    while sent < 10_000, answers.spend([], levels: [level], on: Self.asker, now: 0) == nil { sent += 1 }
    #expect(level.bytes.count > 4_096 && sent == 4_194_304 / level.bytes.count)
  }

  @Test("Z80: an exchange without budget asks back, and sends no registers")
  func exchange() {
    var answers = AnswerBudget()
    while answers.spend([poster], on: Self.asker, now: 0) == nil {}
    let back = Intent.send(.want([.activity]), to: Self.asker)
    let bounded = answers.bounded([.send(.update([poster]), to: Self.asker), back], to: Self.asker, now: 0)
    #expect(bounded.count == 1)
    if case .send(.want(let keys), _) = bounded.first { #expect(keys == [.activity]) } else { Issue.record("it does not ask back") }
  }

  @Test("Z80: lists of registers that nobody has are asked after for 4 MiB, and then 64 KiB a second; registers go out all the same")
  func questions() {
    var answers = AnswerBudget()
    let names = (0..<1_000).map { RegisterKey.rate(ItemID(String(repeating: "x", count: 1_000) + "\($0)")) }
    let question = Intent.send(.want(names), to: Self.asker)
    var asked = 0
    for exchange in 0..<60 as Range<Int64> {
      let bounded = answers.bounded([question], to: Self.asker, now: .seconds(5) * exchange)
      asked += bounded.count
    }
    // Each of them is about a mebibyte.
    #expect((20...24).contains(asked))
    let told = answers.bounded([.send(.update([poster]), to: Self.asker)], to: Self.asker, now: .seconds(300))
    #expect(told.count == 1)
  }
}
