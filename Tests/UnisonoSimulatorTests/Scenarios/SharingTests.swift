import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica
@testable import UnisonoSimulator

/// A network that a group shares something over: one of the settings, or three at ends of a kind of path.
struct SharingNetwork: CustomTestStringConvertible, Sendable {
  var setting: Setting
  var path: NetworkPath?

  static let all =
    Setting.crowds.map { Self(setting: $0) }
    + NetworkPath.all.map { Self(setting: Setting(participants: 3, delay: 0, seed: 7), path: $0) }

  var testDescription: String { path.map { "three at \($0.name)" } ?? setting.testDescription }

  /// All but the last one are there, on item X, with a chat and a shelf each; the last one has not come yet.
  func roomWithoutLast() -> SimulatedSession {
    let room = setting.empty()
    if let path { for person in room.people { person.changeLink { $0 = LinkQuality(path) } } }
    room.opensChats()
    room.opensShelves()
    room.join(room.people.dropLast().map(\.name))
    for person in room.people.dropLast() { person.transition(to: "X") }
    room.run(for: .seconds(6))
    return room
  }

  /// All are there.
  func whole() -> SimulatedSession {
    let room = roomWithoutLast()
    comes(to: room)
    return room
  }

  func comes(to room: SimulatedSession) {
    guard let late = room.people.last else { return }
    room.join([late.name])
    late.transition(to: "X")
    room.run(for: .seconds(20))
  }
}

/// What is shared beside the transport, over every network, also with who comes later.
@Suite struct SharingTests {
  private func last(_ room: SimulatedSession) -> Person { room[room.names.last ?? ""] }

  private func told(_ person: Person) -> [ChatEntry.ID] { person.participant.chat?.told.map(\.id) ?? [] }

  @Test("G15 G16: all hear what is said, in one order; who comes later is told all of it, once", arguments: SharingNetwork.all)
  func chat(_ network: SharingNetwork) {
    let room = network.roomWithoutLast()
    let (here, late) = (Array(room.people.dropLast()), last(room))
    for person in here { person.writes(3, letters: 20) }
    room.run(for: .seconds(10))
    let said = room.a.chatEntries
    #expect(said.count == 3 * here.count)
    network.comes(to: room)
    for person in room.people {
      #expect(person.chatEntries == said)
      #expect(told(person).count == said.count && Set(told(person)) == Set(said.map(\.id)))
    }
    late.writes(1, letters: 5)
    room.run(for: .seconds(10))
    #expect(room.people.allSatisfy { $0.chatEntries.last?.id.author == late.id })
    #expect(room.violations.isEmpty)
  }

  @Test("G16: who comes after more was said than is kept gets the newest 200", arguments: SharingNetwork.all)
  func muchChat(_ network: SharingNetwork) {
    let room = network.roomWithoutLast()
    for _ in 0..<13 {
      for person in [room.a, room.b] { person.writes(9, letters: 60) }
      room.run(for: .seconds(10))
    }
    network.comes(to: room)
    for person in room.people { #expect(person.chatEntries == room.a.chatEntries && person.chatEntries.count == 200) }
    #expect(told(last(room)) == room.a.chatEntries.map(\.id))
  }

  @Test("G38 G39: a file reaches who wants it; its author gone, who came later gets it from another", arguments: SharingNetwork.all)
  func attachment(_ network: SharingNetwork) {
    let room = network.roomWithoutLast()
    let late = last(room)
    func has(_ person: Person) -> Bool {
      person.participant.files?.contents[AttachmentContent.value(4).id] == AttachmentContent.bytes(4)
    }
    room.a.offers(4)
    room.run(for: .seconds(10))
    room.b.fetches(4)
    room.run(for: .seconds(30))
    #expect(has(room.b))
    network.comes(to: room)
    #expect(late.attachments.offers.map(\.value) == [AttachmentContent.value(4)])
    room.a.leave()
    room.run(for: .seconds(5))
    late.fetches(4)
    room.run(for: .seconds(60))
    #expect(has(late))
    #expect(room.violations.isEmpty)
  }

  @Test("G21 G24: two edit the list at once, and nothing is lost; who comes later has the same", arguments: SharingNetwork.all)
  func playlist(_ network: SharingNetwork) {
    let room = network.roomWithoutLast()
    func id(_ number: UInt64) -> EntryID { EntryID(high: number << 40, low: number) }
    room.a.adds("A", as: id(1))
    room.run(for: .seconds(4))
    room.a.adds("B", as: id(2), before: id(1))
    room.b.adds("C", as: id(3), before: id(1))
    room.run(for: .seconds(6))
    network.comes(to: room)
    for person in room.people {
      #expect(person.programme == room.a.programme && Set(person.programme) == ["A", "B", "C"] && person.programme.last == "A")
    }
    #expect(room.violations.isEmpty)
  }

  @Test("G32: of two copies that differ both hosts are told what differs, and of two alike that too", arguments: SharingNetwork.all)
  func copies(_ network: SharingNetwork) {
    let room = network.whole()
    let entry = EntryID(high: 1, low: 1)
    room.a.adds("X", as: entry)
    room.run(for: .seconds(4))
    for person in room.people {
      person.has(Copy(duration: .seconds(60), size: person.id == room.b.id ? 2 : 1), of: entry)
    }
    room.run(for: .seconds(6))
    for person in room.people {
      let news = person.participant.history.copies.map(\.value)
      #expect(news.count == room.people.count - 1)
      for one in news { #expect(one.difference.isNone == (one.participant != room.b.id && person.id != room.b.id)) }
    }
  }

  @Test("G7 G9 G13: a start waits for who is not ready, goes on without it by name, or after the limit", arguments: SharingNetwork.all)
  func ready(_ network: SharingNetwork) {
    for way in 0...2 {
      let room = network.whole()
      room.a.setStartPolicy(StartPolicy(waiting: .first, limit: .seconds(60)))
      room.run(for: .seconds(4))
      for person in room.people.dropLast() { person.says(.ready) }
      room.run(for: .seconds(4))
      room.a.play()
      room.run(for: .seconds(20))
      #expect(room.nonePlays)
      #expect(room.people.allSatisfy { $0.view.waitingFor == [WaitingFor(participant: last(room).id, reason: "not-ready")] })
      switch way {
      case 0: last(room).says(.ready)
      case 1: room.b.start(without: [last(room)])
      default: room.run(for: .seconds(45))
      }
      room.run(for: .seconds(10))
      #expect(room.allPlay)
      #expect(room.violations.isEmpty)
    }
  }

  @Test("G6 G11: a jump is taken back by another one; the group pauses for who leaves", arguments: SharingNetwork.all)
  func undoAndLeave(_ network: SharingNetwork) {
    let room = network.whole()
    room.a.setStartPolicy(StartPolicy(waiting: .none, leaving: .pause))
    room.a.play()
    room.run(for: .seconds(10))
    #expect(room.allPlay)
    room.a.seek(to: .seconds(600))
    room.run(for: .seconds(10))
    #expect(room.players.allSatisfy { $0.position > .seconds(600) })
    room.b.undoJump()
    room.run(for: .seconds(10))
    #expect(room.players.allSatisfy { $0.position < .seconds(60) })
    let leaver = last(room)
    leaver.leave()
    room.run(for: .seconds(10))
    for person in room.people.dropLast() {
      let timing = person.history.timing.last?.value
      #expect(!person.player.isPlaying && timing?.cause == .left && timing?.originator == leaver.id)
    }
    #expect(room.violations.isEmpty)
  }
}
