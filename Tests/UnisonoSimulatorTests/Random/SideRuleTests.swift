import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica
@testable import UnisonoSimulator

/// The rules of random runs about chat, attachments, cuts and scheduled starts notice what they are for.
@Suite struct SideRuleTests {
  /// A, B and C are at X, which is an entry of the list, have written some lines and offered two attachments; nothing is on its way.
  private func room() -> SimulatedSession {
    let room = SimulatedSession(participants: ["A", "B", "C"], delay: .milliseconds(20), hubs: 2)
    room.opensChats()
    room.opensShelves()
    room.opensCues()
    room.join()
    room.gather(on: "X")
    for person in room.people { person.writes(2, letters: 20) }
    room.a.offers(4)
    room.b.offers(5)
    room.run(for: .seconds(5))
    return room
  }

  private func broken(_ room: SimulatedSession) -> Set<String> {
    let check = InvariantCheck(room: room, script: Script(seed: 1, profile: .mixed, specs: [], steps: []))
    check.checkOffers(of: room.participants)
    for participant in room.participants { check.checkCountdown(of: participant) }
    check.checkSide()
    return Set(room.violations.map(\.invariant))
  }

  @Test("(w) (o) (x) (s) hold of three who write, offer and fetch while nothing goes wrong")
  func whole() {
    let room = room()
    #expect(broken(room) == [])
    for person in room.people {
      #expect(person.chatEntries.count == 6)
      #expect(person.participant.files?.contents[AttachmentContent.value(4).id] == AttachmentContent.bytes(4))
    }
  }

  @Test("(w) a host that was not told a line, or told it twice, is noticed", arguments: [true, false])
  func told(isTwice: Bool) {
    let room = room()
    if isTwice {
      room.participants[1].chat?.told.append(room.a.chatEntries[0])
    } else {
      room.participants[1].chat?.told.removeAll { $0.id.author == room.a.id }
    }
    #expect(broken(room) == ["w"])
  }

  @Test("(copies) a host that was not told what differs of another's copy, or of an older one, is noticed", arguments: [true, false])
  func copies(isOld: Bool) {
    let room = room()
    let entry = EntryID(high: 1, low: 1)
    room.a.adds("X", as: entry)
    for (person, size) in zip(room.people, [1, 1, 2] as [UInt64]) { person.has(Copy(duration: .seconds(60), size: size), of: entry) }
    room.run(for: .seconds(2))
    func broken() -> Set<String> {
      let check = InvariantCheck(room: room, script: Script(seed: 1, profile: .mixed, specs: [], steps: []))
      for one in room.participants {
        check.checkCopies(of: one, among: room.participants, RegisterReading(of: one, in: room))
      }
      return Set(room.violations.map(\.invariant))
    }
    #expect(room.participants.allSatisfy { $0.history.copies.count == 2 })
    #expect(broken() == [])
    if isOld {
      room.participants[0].history.copies.removeAll()
    } else {
      room.participants[0].history.copies[0].value.difference.duration = true
    }
    #expect(broken() == ["copies"])
  }

  @Test("G95: whoever sleeps while others write is told what they wrote once it knows group time again")
  func asleepMeanwhile() {
    let room = SimulatedSession(participants: ["A", "B"], delay: .milliseconds(20))
    room.a.measuresClock()
    room.opensChats()
    room.join()
    room.gather(on: "X")
    room.a.sleep(for: .seconds(24))
    room.run(for: .seconds(20))
    room.b.writes(3, letters: 20)
    room.run(for: .seconds(12))
    #expect(room.a.chatEntries.count == 3)
  }

  @Test("(w) a line that nobody has any more, and one that only some have, are noticed")
  func lost() {
    let room = room()
    for participant in room.participants { participant.chat?.chat = ChatHost(of: participant.id).chat }
    #expect(broken(room) == ["w"])
    let apart = self.room()
    apart.partition(["A", "B"], ["C"])
    apart.c.writes(1, letters: 5)
    apart.a.writes(1, letters: 5)
    #expect(broken(apart).contains("w"))
  }

  @Test("(o) an offer that one does not have, and one that was taken back, are noticed", arguments: [true, false])
  func offers(isTakenBack: Bool) {
    let room = room()
    let key = RegisterKey.attachment(AttachmentSlot(author: room.a.id, number: 0))
    let offered = room.participants[2].coordination.facts.registers[key]
    if isTakenBack {
      room.c.takesBack(4)
      room.run(for: .seconds(2))
      room.participants[2].coordination.replace(key, with: offered)
    } else {
      room.participants[2].coordination.replace(key, with: nil)
    }
    let check = InvariantCheck(room: room, script: Script(seed: 1, profile: .mixed, specs: [], steps: []))
    check.checkOffers(of: room.participants)
    #expect(room.violations.map(\.invariant) == ["o"])
  }

  @Test("(x) other bytes, a load without an end, and what cannot be fetched are noticed", arguments: [0, 1, 2])
  func loads(kind: Int) {
    let room = room()
    room.c.fetches(5)
    room.run(for: .seconds(5))
    switch kind {
    case 0: room.participants[2].files?.loads[0].end = .loaded([1])
    case 1: room.participants[2].files?.loads[0].end = nil
    default:
      // B says that it gives it, and has nothing any more.
      for participant in room.participants { participant.files?.contents[AttachmentContent.value(4).id] = nil }
    }
    #expect(broken(room) == ["x"])
  }

  @Test("(s) a host that is left counting down is noticed")
  func countdown() {
    let room = room()
    room.a.schedulesStart(of: "X", in: .seconds(60))
    room.run(for: .seconds(5))
    #expect(room.b.history.schedules.last?.value.kind == .set)
    room.run(for: .seconds(60))
    #expect(broken(room) == [])
    let early = self.room()
    early.a.schedulesStart(of: "X", in: .seconds(600))
    early.run(for: .seconds(5))
    #expect(broken(early) == ["s"])
  }

  @Test("(v) a group that plays on in a range that it leaves out is noticed, unless somebody sought it", arguments: [true, false])
  func skips(isSought: Bool) {
    let room = room()
    let entry = EntryID(high: 1 << 40, low: 1)
    room.a.adds("X", as: entry, ranges: [SkipRange(begin: .seconds(10), end: .seconds(600), kind: .intro)])
    room.run(for: .milliseconds(500))
    room.a.edits(.select(entry))
    room.a.play()
    if isSought {
      room.run(for: .seconds(2))
      room.a.seek(to: .seconds(20))
    }
    room.run(for: .seconds(40))
    let participant = room.participants[1]
    let check = InvariantCheck(room: room, script: Script(seed: 1, profile: .mixed, specs: [], steps: []))
    check.checkSkips(of: participant, RegisterReading(of: participant, in: room))
    #expect(room.violations.isEmpty)
    let statement = Statement(
      key: .skipPolicy, author: room.a.id, policy: .none, time: room.groupTime, value: .skipPolicy(SkipPolicy(kinds: [.intro])))
    participant.coordination.replace(.skipPolicy, with: statement)
    check.checkSkips(of: participant, RegisterReading(of: participant, in: room))
    #expect(room.violations.map(\.invariant) == (isSought ? [] : ["v"]))
  }

  /// A and B slept as their hub died, and guessed group time at another; they play into a range, at whose end B's player is not.
  private func roomThatGuessed() -> SimulatedSession {
    let room = SimulatedSession(seed: 5, participants: ["A", "B"], delay: .milliseconds(20), hubs: 2)
    room.join()
    room.gather(on: "X")
    for person in room.people { person.sleep(for: .seconds(40)) }
    room.run(for: .seconds(2))
    room.hubDies()
    room.run(for: .seconds(60))
    room.b.changePlayer { $0.ignores = [.seek] }
    let entry = EntryID(high: 1 << 40, low: 1)
    room.a.adds("X", as: entry, ranges: [SkipRange(begin: .seconds(10), end: .seconds(600), kind: .intro)])
    room.a.setSkipPolicy([.intro])
    room.run(for: .milliseconds(500))
    room.a.edits(.select(entry))
    room.a.play()
    return room
  }

  private func checkOutcomes(_ room: SimulatedSession) {
    let check = InvariantCheck(room: room, script: Script(seed: 1, profile: .mixed, specs: [], steps: []))
    for participant in room.participants { check.checkOutcome(of: participant, RegisterReading(of: participant, in: room)) }
  }

  @Test("(i) lets a group wait at the end of a range as long as its own time says, however far that is from the first hub's clock")
  func waitsByOwnTime() throws {
    let room = roomThatGuessed()
    let participant = room.participants[0]
    #expect(room.run(atMost: .seconds(20)) { _ in participant.coordination.view.timing.status == .waiting })
    #expect(room.run(atMost: .seconds(20)) { _ in participant.coordination.view.timing.status == .playing })
    #expect(room.run(atMost: .seconds(20)) { _ in participant.coordination.view.timing.status == .waiting })
    room.run(for: .seconds(2))
    let hold = try #require(participant.coordination.facts.registers[.continuation("X")])
    let deadline = try #require(RegisterReading(of: participant, in: room).skipDeadline(on: "X"))
    #expect(room.groupTime > deadline + .seconds(20))
    checkOutcomes(room)
    #expect(room.violations.isEmpty)
    room.run(for: .seconds(20))
    #expect(participant.coordination.view.timing.status == .playing)
    checkOutcomes(room)
    #expect(room.violations.isEmpty)
    // Who waits on is noticed.
    participant.coordination.replace(.continuation("X"), with: hold)
    checkOutcomes(room)
    #expect(room.violations.map(\.invariant) == ["i"])
  }

  /// A sends to three places of X, which all play past two of them.
  private func roomOfCues() -> SimulatedSession {
    let room = room()
    room.a.play()
    room.run(for: .seconds(2))
    for (number, place) in ([5, 9, 600] as [Int64]).enumerated() { room.a.sends(UInt64(number), to: "X", at: .seconds(place)) }
    room.run(for: .seconds(12))
    return room
  }

  private func brokenCues(_ room: SimulatedSession) -> [String] {
    let check = InvariantCheck(room: room, script: Script(seed: 1, profile: .mixed, specs: [], steps: []))
    for participant in room.participants { check.checkCues(of: participant) }
    return room.violations.map(\.invariant)
  }

  @Test("(n) holds of three who play past two of three places, and get these two")
  func cues() {
    let room = roomOfCues()
    #expect(brokenCues(room) == [] && room.b.cuesTold == [0, 1] && room.c.cuesTold == [0, 1] && room.a.cuesTold == [])
  }

  @Test("(n) a message that comes twice, early, in spite of no room, or not at all is noticed", arguments: 0...3)
  func wrongCues(kind: Int) {
    let room = roomOfCues()
    switch kind {
    case 0: room.participants[1].cues?.arrivals[0].told.append(0)
    case 1: room.participants[1].cues?.arrivals[0].told = [.milliseconds(20)]
    case 2: room.participants[1].cues?.arrivals[0].isDropped = true
    default: room.participants[1].cues?.arrivals[0].told = []
    }
    #expect(brokenCues(room) == ["n"])
  }

  @Test("(v) a host that is told of ranges where there are none is noticed")
  func skipCount() {
    let room = room()
    room.a.adds("X", as: EntryID(high: 1 << 40, low: 1), ranges: [SkipRange(begin: .seconds(2), end: .seconds(60), kind: .recap)])
    room.a.setSkipPolicy([.recap])
    room.run(for: .milliseconds(500))
    room.a.edits(.select(EntryID(high: 1 << 40, low: 1)))
    room.a.play()
    room.run(for: .seconds(10))
    let check = InvariantCheck(room: room, script: Script(seed: 1, profile: .mixed, specs: [], steps: []))
    check.checkSkipCount(of: room.participants[1])
    #expect(room.violations.map(\.invariant) == ["v"])
  }

  @Test("(y) who plays a range of its own and does not say so is noticed, as is who says so and is in none", arguments: 0...2)
  func interstitials(wrong: Int) {
    let room = room()
    if wrong != 1 { room.b.sees([20...60]) }
    room.a.seek(to: .seconds(15))
    room.run(for: .seconds(2))
    room.a.play()
    room.run(for: .seconds(20))
    let participant = room.participants[1]
    if wrong == 1 { participant.interstitials["X"] = [InterstitialRange(start: .seconds(20), end: .seconds(60))] }
    if wrong == 2 { participant.interstitials = [:] }
    let check = InvariantCheck(room: room, script: Script(seed: 1, profile: .mixed, specs: [], steps: []))
    check.checkInterstitials(of: participant)
    #expect(room.violations.map(\.invariant) == (wrong == 0 ? [] : ["y"]))
  }

  @Test("(b) who stands at a place of another cut than its own is noticed, at its own it is not", arguments: [true, false])
  func cut(isWrong: Bool) {
    let room = room()
    let entry = EntryID(high: 1 << 40, low: 1)
    room.a.adds("X", as: entry)
    room.run(for: .milliseconds(500))
    room.a.edits(.select(entry))
    room.a.seek(to: .seconds(600))
    room.run(for: .seconds(2))
    room.b.isAhead(by: .seconds(200))
    room.run(for: .seconds(2))
    room.a.play()
    room.run(for: .seconds(2))
    room.a.pause()
    room.run(for: .seconds(20))
    let participant = room.participants[1]
    if isWrong {
      let host = participant.clock.host(at: room.now)
      participant.player.wander(to: Line(at: participant.player.position(at: host) - .seconds(200), rate: 0, since: host))
    }
    let check = InvariantCheck(room: room, script: Script(seed: 1, profile: .mixed, specs: [], steps: []))
    check.checkPositions(of: room.participants, on: "X", RegisterReading(of: participant, in: room))
    #expect(room.violations.map(\.invariant) == (isWrong ? ["b"] : []))
  }
}
