import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoSimulator

@Suite struct AttachmentOfferTests {
  private func value(_ number: UInt8) -> AttachmentValue {
    AttachmentValue(
      id: AttachmentID([UInt8](repeating: number, count: 32)) ?? .none, name: "\(number).vtt", type: "text/vtt", size: 1_000)
  }

  private func offer(_ number: UInt8, by person: Person, in place: UInt8 = 0) {
    person.offersAttachment(value(number), in: AttachmentSlot(author: person.id, number: place))
  }

  private func names(_ person: Person) -> [String] { person.attachments.offers.map(\.value.name) }

  @Test("G35: what members offer is known to all in one order, and to who comes later", arguments: Setting.crowds)
  func offered(_ setting: Setting) {
    let room = setting.empty()
    let late = room.people.last!
    room.join(room.people.dropLast().map(\.name))
    room.gather(on: "X")
    offer(1, by: room.a)
    offer(2, by: room.b)
    offer(3, by: room.a, in: 7)
    room.run(for: .seconds(3))
    let shown = names(room.a)
    #expect(Set(shown) == ["1.vtt", "2.vtt", "3.vtt"] && names(room.b) == shown)
    room.join([late.name])
    room.run(for: .seconds(5))
    #expect(late.hasJoined && names(late) == shown)
    #expect(room.violations.isEmpty)
  }

  @Test("G36: an author takes its own back, who may command anybody's; who may not is refused, and it stays")
  func takenBack() {
    let room = SimulatedSession(
      seed: 3, participants: ["A", "B", "C"], delay: .milliseconds(20), jitter: .milliseconds(4), control: .perRole)
    room.join()
    room.gather(on: "X")
    room.a.setRole(of: room.c, to: .viewer)
    room.run(for: .seconds(1))
    offer(1, by: room.b)
    offer(2, by: room.c)
    offer(3, by: room.c, in: 1)
    room.run(for: .seconds(1))
    room.c.takesBackAttachment(in: AttachmentSlot(author: room.b.id, number: 0))
    #expect(room.c.history.refusals.map(\.value.status) == [.denied])
    room.c.takesBackAttachment(in: AttachmentSlot(author: room.c.id, number: 1))
    room.b.takesBackAttachment(in: AttachmentSlot(author: room.c.id, number: 0))
    room.run(for: .seconds(1))
    for person in room.people { #expect(names(person) == ["1.vtt"]) }
    #expect(room.violations.isEmpty)
  }

  @Test("G36: who takes something back leaves what its author offered in the same place since, seen or not")
  func takenBackTwice() {
    let room = SimulatedSession(seed: 9, participants: ["A", "B", "C"], delay: .milliseconds(200))
    room.join()
    room.gather(on: "X")
    offer(1, by: room.b)
    room.run(for: .seconds(2))
    let place = AttachmentSlot(author: room.b.id, number: 0)
    room.b.takesBackAttachment(in: place)
    room.run(for: .milliseconds(100))
    offer(2, by: room.b)
    room.run(for: .milliseconds(100))
    // Neither of the two has come to it.
    #expect(names(room.c) == ["1.vtt"])
    room.c.takesBackAttachment(in: place)
    room.run(for: .seconds(2))
    for person in room.people { #expect(names(person) == ["2.vtt"]) }
    #expect(room.violations.isEmpty)
  }

  @Test("G36: who was demoted while it took something back has not: all come to the same")
  func demoted() {
    let room = SimulatedSession(
      seed: 5, participants: ["A", "B", "C", "D"], delay: .milliseconds(30), jitter: .milliseconds(20), control: .perRole)
    room.join()
    room.gather(on: "X")
    offer(1, by: room.c)
    room.run(for: .seconds(2))
    room.b.takesBackAttachment(in: AttachmentSlot(author: room.c.id, number: 0))
    room.a.setRole(of: room.b, to: .viewer)
    room.run(for: .seconds(90))
    let shown = names(room.a)
    for person in room.people { #expect(names(person) == shown) }
    #expect(room.violations.isEmpty)
  }

  @Test("G37: both sides of a partition offer and take back: afterwards all have the same", arguments: 1...5 as ClosedRange<UInt64>)
  func partition(seed: UInt64) {
    let room = SimulatedSession(seed: seed, participants: ["A", "B", "C", "D"], delay: .milliseconds(20), jitter: .milliseconds(5), hubs: 2)
    room.join()
    room.gather(on: "X")
    offer(1, by: room.a)
    offer(2, by: room.c)
    room.run(for: .seconds(2))
    room.partition(["A", "B"], ["C", "D"])
    room.run(for: .seconds(20))
    offer(3, by: room.b)
    offer(4, by: room.d)
    room.b.takesBackAttachment(in: AttachmentSlot(author: room.c.id, number: 0))
    room.run(for: .seconds(5))
    room.heal()
    room.converge()
    room.run(for: .seconds(60))
    #expect(Set(names(room.a)) == ["1.vtt", "3.vtt", "4.vtt"])
    for person in room.people { #expect(names(person) == names(room.a), "\(person.name)") }
    #expect(room.violations.isEmpty)
  }

  @Test("G35: of who is gone 64 offers are kept, those that were first, the same everywhere")
  func gone() {
    let names = ["A", "B", "C", "D", "E", "F", "G"]
    let room = SimulatedSession(seed: 7, participants: names, delay: .milliseconds(10))
    room.join()
    room.gather(on: "X")
    for (index, person) in room.people.dropFirst(2).enumerated() {
      for place in 0..<16 as Range<UInt8> { offer(UInt8(16 * index) + place, by: person, in: place) }
      room.run(for: .seconds(1))
    }
    for person in room.people.dropFirst(2) { person.leave() }
    room.run(for: .seconds(60))
    #expect(room.a.attachments.all.count == 64 && room.a.attachments == room.b.attachments)
    #expect(self.names(room.a) == (0..<64).map { "\($0).vtt" })
    #expect(room.violations.isEmpty)
  }

  @Test("G63: what is offered under a policy that nobody else heard of is told to who comes later")
  func unknownPolicy() {
    let room = SimulatedSession(seed: 9, participants: ["A", "B", "C"], delay: .milliseconds(20), control: .perRole)
    room.join(["A", "B"])
    room.gather(on: "X")
    room.a.readsTogether(within: .milliseconds(10))
    room.a.setRole(of: room.b, to: .host)
    offer(1, by: room.a)
    room.a.setRole(of: room.b, to: .member)
    room.run(for: .seconds(2))
    #expect(names(room.b) == ["1.vtt"])
    room.a.leave()
    room.run(for: .seconds(1))
    room.join(["C"])
    room.run(for: .seconds(1))
    #expect(names(room.c) == ["1.vtt"])
    #expect(room.violations.isEmpty)
  }
}
