import Testing

@testable import UnisonoCrypto

@Suite struct RoomReplayTests {
  @Test("P5: each recorded frame again, ordered or not: dropped and counted, and nobody hears it twice")
  func everyFrameAgain() {
    var hub = RecordedRoom()
    let creator = hub.make("creator", isCreator: true)
    let guest = hub.make("guest")
    hub.enter(creator)
    hub.enter(guest)
    let said = (UInt8(1)...6).map { hub.say([$0], from: creator, unordered: $0.isMultiple(of: 2)) }
    let before = hub.heard(by: guest)
    #expect(before.count == 6)
    for envelope in said {
      let effects = hub.replay(envelope, to: guest)
      #expect(effects.refusals == [.replay])
      #expect(effects.heard.isEmpty)
    }
    #expect(hub.heard(by: guest) == before)
    // And the newest word still gets through.
    hub.say([7], from: creator)
    #expect(hub.heard(by: guest).last == [7])
  }
}
