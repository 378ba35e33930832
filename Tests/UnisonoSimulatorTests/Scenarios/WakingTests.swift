import Testing
import UnisonoCoordination
import UnisonoSimulator

/// What a player is told, and what its person does, from waking until group time is known again.
@Suite struct WakingTests {
  private func room() -> SimulatedSession {
    let room = SimulatedSession(seed: 5, participants: ["A", "B", "C"], delay: .milliseconds(20))
    room.join()
    room.gather(on: "X")
    return room
  }

  @Test(
    "2.10: C moves, alone, to an item that plays by its proposal, and sleeps while it returns or meets the others: it plays on from where it stood",
    arguments: Array(stride(from: 0, to: 230, by: 10)))
  func sleepsInMeeting(milliseconds: Int) {
    let room = room()
    room.c.loseLink(backAfter: .seconds(3))
    room.run(for: .seconds(1))
    room.c.transition(to: "Y", proposing: Proposal(rate: 1, itemTime: .seconds(1_500)))
    let began = room.now
    room.run(for: .seconds(2) + .milliseconds(Int64(milliseconds)))
    // What it is told while its clock is not known yet is judged when that is.
    room.c.synchronises(after: .milliseconds(1_200))
    room.c.sleep(for: .seconds(11))
    room.run(for: .seconds(14))
    #expect(room.player("C").isPlaying)
    #expect((room.player("C").position - .seconds(1_489) - (room.now - began)).length <= inStep)
    room.b.transition(to: "Y")
    room.run(for: .seconds(2))
    #expect((room.player("B").position - room.player("C").position).length <= inStep)
  }

  @Test(
    "4: A wakes and opens an item at once, without a link yet or with one: it plays on from where A opened it",
    arguments: [true, false])
  func opensAnItemOnWaking(isLinked: Bool) {
    let room = room()
    room.b.play()
    room.run(for: .seconds(2))
    room.a.synchronises(after: .milliseconds(500))
    if !isLinked { room.a.loseLink(backAfter: .seconds(20)) }
    room.a.sleep(for: .seconds(10))
    room.run(for: .seconds(10))
    room.a.transition(to: "Y", proposing: Proposal(rate: 1, itemTime: .seconds(100)))
    let began = room.now
    for _ in 0..<150 {
      room.run(for: .milliseconds(100))
      #expect((room.player("A").position - .seconds(100) - (room.now - began)).length <= inStep)
    }
    room.b.transition(to: "Y")
    room.run(for: .seconds(2))
    #expect((room.player("A").position - .seconds(100) - (room.now - began)).length <= inStep)
    #expect((room.player("B").position - room.player("A").position).length <= inStep)
  }

  @Test(
    "4: A, alone on an item that nobody else has, wakes without a link and plays: the link does not move it when it comes"
  )
  func playsOnWakingWithoutLink() {
    let room = room()
    room.a.loseLink(backAfter: .seconds(20))
    room.run(for: .milliseconds(10))
    room.a.transition(to: "Y", proposing: Proposal(rate: 0, itemTime: .seconds(100)))
    room.a.sleep(for: .seconds(10))
    room.run(for: .seconds(11))
    room.a.play()
    room.run(atMost: .seconds(5)) { $0.player("A").isPlaying }
    let began = room.player("A").position - room.now
    for _ in 0..<150 {
      room.run(for: .milliseconds(100))
      #expect((room.player("A").position - room.now - began).length <= inStep)
    }
    #expect(room.a.hasLink && room.player("A").isPlaying)
    room.b.transition(to: "Y")
    room.run(for: .seconds(2))
    #expect((room.player("B").position - room.player("A").position).length <= inStep)
  }

  @Test("4: A wakes, sought and then opens another item before its clock is known: the seek was for the item before")
  func seeksAndGoesOnWaking() {
    let room = room()
    room.a.synchronises(after: .milliseconds(500))
    room.a.sleep(for: .seconds(10))
    room.run(for: .seconds(10))
    room.a.seek(to: .seconds(700))
    room.run(for: .milliseconds(20))
    room.a.transition(to: "Y", proposing: Proposal(rate: 0, itemTime: .seconds(100)))
    room.run(for: .seconds(2))
    #expect(room.player("A").position == .seconds(100))
    #expect(room.a.groupPosition == .seconds(100))
  }

  @Test("4: A wakes, pauses, and loses its link before its clock is known: it pauses for itself")
  func losesLinkOnWaking() {
    let room = room()
    room.b.play()
    room.run(for: .seconds(2))
    room.a.synchronises(after: .milliseconds(500))
    room.a.sleep(for: .seconds(10))
    room.run(for: .seconds(10) + .milliseconds(20))
    room.a.pause()
    room.run(for: .milliseconds(100))
    #expect(room.player("A").isPlaying)
    room.a.loseLink(hubNoticesAfter: .seconds(1))
    room.run(for: .milliseconds(20))
    #expect(!room.player("A").isPlaying)
  }

  @Test(
    "2.10: A slept for twelve minutes on an item that everybody else left and forgot: its player is where its item is")
  func sleepsForLong() {
    let room = room()
    room.b.play()
    room.run(for: .seconds(2))
    room.a.synchronises(after: .milliseconds(1_200))
    room.a.sleep(for: .seconds(720))
    for person in [room.b, room.c] { person.transition(to: "Y") }
    room.run(for: .seconds(730))
    #expect(room.player("A").isPlaying)
    #expect((room.player("A").position - room.a.groupPosition).length <= inStep)
    room.b.transition(to: "X")
    room.run(for: .seconds(2))
    #expect((room.player("B").position - room.player("A").position).length <= inStep)
  }

  @Test(
    "4: A, with nobody else in the session, sleeps while it plays: on waking it plays on from where it stood",
    arguments: [(false, Int64(10)), (false, 60), (true, 10), (true, 60)])
  func sleepsAlone(othersLeft: Bool, seconds: Int64) {
    let names = othersLeft ? ["A", "B", "C"] : ["A"]
    let room = SimulatedSession(seed: 5, participants: names, delay: .milliseconds(20))
    room.join()
    room.gather(on: "X")
    room.a.play()
    room.run(for: .seconds(2))
    if othersLeft { for person in [room.b, room.c] { person.leave() } }
    room.run(for: .seconds(3))
    room.a.synchronises(after: .milliseconds(1_200))
    let before = room.player("A").position
    room.a.sleep(for: .seconds(seconds))
    room.run(for: .seconds(seconds))
    let woke = room.now
    for _ in 0..<150 {
      room.run(for: .milliseconds(100))
      #expect((room.player("A").position - before - (room.now - woke)).length <= inStep)
    }
    #expect((room.player("A").position - room.a.groupPosition).length <= inStep)
  }

  @Test("4: who maps its hub's clock on waking does in that turn what follows: its stall ended while time was in doubt")
  func knowsTimeWithinTheTurn() {
    let outcome = RandomRun.run(seed: 4_369, profile: .faulty)
    #expect(outcome.violations.isEmpty, "\(outcome.violations.map(\.description).joined(separator: "; "))")
  }
}
