import Testing
import UnisonoBase
import UnisonoReplica

@testable import UnisonoCrypto
@testable import UnisonoRuntime

@Suite("Word that a session was ended, by when it was said")
struct WordOfEndTests {
  /// Group time is 1,000 s ahead of host time, known to 1 ms; the session began here at 50 s.
  private static let clock = ClockModel(hostTime: 0, remoteTime: .seconds(1_000), errorBound: .milliseconds(1))
  private static let begun = Nanoseconds.seconds(1_050)

  private func said(at time: GroupTime) -> EndNotice {
    EndNotice(
      levels: [],
      end: Statement(key: .end, author: ParticipantID(high: 1, low: 1), policy: PolicyStack.origin, time: time, value: .end),
      signingKey: SigningKey(seed: Secret(random: { [UInt8](repeating: 7, count: $0) })).publicKey)
  }

  private func made(isContinued: Bool = false, isTimeKnown: Bool = true) -> WordOfEnd {
    var made = WordOfEnd(now: .seconds(50))
    if isContinued {
      made.goesOn()
      made.metGroup()
    }
    if isTimeKnown { made.measured(Self.clock, now: .seconds(60)) }
    return made
  }

  @Test("6.11: what was said since the session began here counts, once; what is older is of another day", arguments: [false, true])
  func time(isContinued: Bool) {
    var word = made(isContinued: isContinued)
    word.heard(said(at: Self.begun))
    #expect(word.judge(isUnopposed: false)?.end.time == Self.begun)
    #expect(word.judge(isUnopposed: true) == nil)
    for isAlone in [false, true] {
      word.heard(said(at: Self.begun - .milliseconds(2)))
      #expect(word.judge(isUnopposed: isAlone) == nil)
    }
  }

  @Test("6.11: while group time is not known it waits, or for an empty room")
  func unknown() {
    var word = made(isTimeKnown: false)
    word.heard(said(at: Self.begun))
    #expect(word.judge(isUnopposed: false) == nil)
    #expect(word.judge(isUnopposed: true) != nil)
    word.heard(said(at: Self.begun))
    word.measured(nil, now: .seconds(60))
    #expect(word.judge(isUnopposed: false) == nil)
    word.measured(Self.clock, now: .seconds(60))
    #expect(word.judge(isUnopposed: false) != nil)
  }

  @Test("6.11: of an author that knew no time it counts, but not for who goes on from another day", arguments: [false, true])
  func timeless(isContinued: Bool) {
    var word = made(isContinued: isContinued)
    word.heard(said(at: 2))
    #expect((word.judge(isUnopposed: false) == nil) == isContinued)
  }

  @Test("8.25: who goes on from another day believes none until it met somebody")
  func awaiting() {
    var word = WordOfEnd(now: .seconds(50))
    word.goesOn()
    word.measured(Self.clock, now: .seconds(60))
    word.heard(said(at: Self.begun))
    #expect(word.judge(isUnopposed: true) == nil)
    word.metGroup()
    #expect(word.judge(isUnopposed: true) == nil)
    word.heard(said(at: Self.begun))
    #expect(word.judge(isUnopposed: true) != nil)
  }
}
