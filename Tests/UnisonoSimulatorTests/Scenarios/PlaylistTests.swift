import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoSimulator

@Suite struct PlaylistTests {
  private func id(_ number: UInt64) -> EntryID { EntryID(high: number << 40, low: number) }

  /// Items of everybody's list, if all have the same; else each one's.
  private func programme(_ room: SimulatedSession) -> [String] {
    let lists = room.people.filter(\.hasJoined).map { $0.programme.map(\.description) }
    return Set(lists).count == 1 ? lists[0] : lists.map { $0.joined(separator: " ") }
  }

  /// Where all are; nil: they are not at one entry.
  private func current(_ room: SimulatedSession) -> EntryID? {
    let entries = Set(room.people.map(\.currentEntry))
    return entries.count == 1 ? entries.first ?? nil : nil
  }

  /// A, B and C are on everybody's list.
  private func room(_ setting: Setting) -> SimulatedSession {
    let room = setting.paused()
    for (number, item) in (["A", "B", "C"] as [ItemID]).enumerated() {
      room.a.adds(item, as: id(UInt64(number + 1)))
      room.run(for: .milliseconds(200))
    }
    room.run(for: .seconds(1))
    return room
  }

  @Test("G21: two put something between the same two at the same time: both stay, in one order for all", arguments: Setting.all)
  func inserts(_ setting: Setting) {
    let room = room(setting)
    #expect(programme(room) == ["A", "B", "C"])
    room.a.adds("D", as: id(4), before: id(2))
    room.b.adds("E", as: id(5), before: id(2))
    room.run(for: .seconds(2))
    let items = programme(room)
    #expect(items.count == 5 && items.first == "A" && items.suffix(2) == ["B", "C"] && Set(items[1...2]) == ["D", "E"])
    // And there is room between these two as well.
    room.b.adds("F", as: id(6), before: room.b.playlist.lines[2].id)
    room.run(for: .seconds(2))
    #expect(programme(room)[2] == "F")
  }

  @Test("G22: one moves what another removes at the same time: it is gone, for all", arguments: Setting.all)
  func moveAndRemoval(_ setting: Setting) {
    let room = room(setting)
    room.a.edits(.remove(id(1)))
    room.b.edits(.move(id(1), before: nil))
    room.run(for: .seconds(2))
    #expect(programme(room) == ["B", "C"])
    room.b.adds("A", as: id(1))
    room.run(for: .seconds(2))
    #expect(programme(room) == ["B", "C"])
    #expect(room.b.history.refusals.last?.value.operation == .addEntry)
  }

  @Test("G23: two move one entry to different places at once: it is at one of them, once, for all", arguments: Setting.all)
  func moves(_ setting: Setting) {
    let room = room(setting)
    room.a.edits(.move(id(2), before: id(1)))
    room.b.edits(.move(id(2), before: nil))
    room.run(for: .seconds(2))
    #expect([["B", "A", "C"], ["A", "C", "B"]].contains(programme(room)))
  }

  @Test("G24: who comes later has the list and the entry that the group is at, and is told of both at once")
  func late() throws {
    let room = SimulatedSession(seed: 4, participants: ["A", "B", "C"], delay: .milliseconds(30))
    room.join(["A", "B"])
    for number in 1...40 as ClosedRange<UInt64> { room.a.adds(ItemID("film \(number)"), as: id(number)) }
    room.b.edits(.select(id(7)))
    room.run(for: .seconds(3))
    #expect(room.b.history.refusals.map(\.value.status) == [.notFound])
    room.b.edits(.select(id(7)))
    room.run(for: .seconds(2))
    room.join(["C"])
    room.run(for: .seconds(1))
    #expect(programme(room).count == 40)
    #expect(room.c.currentEntry == id(7))
    let change = try #require(room.c.history.playlistChanges.first?.value)
    #expect(change.entries && change.current && change.originator == room.b.id && !change.isByEnd)
    #expect(room.c.history.playlistChanges.count == 1)
  }

  @Test("G24: who edits the list before it knows the group's time is not refused: it is done once that is known")
  func early() {
    let room = SimulatedSession(seed: 5, participants: ["A", "B"], delay: .milliseconds(30))
    room.b.synchronises(after: .seconds(2))
    room.join(["A"])
    room.a.adds("A", as: id(1))
    room.enter("B")
    room.run(for: .seconds(1))
    #expect(room.b.hasJoined)
    room.b.adds("B", as: id(2))
    room.b.adds("C", as: id(3), before: id(2))
    #expect(room.b.programme == ["A"])
    room.run(for: .seconds(5))
    #expect(programme(room) == ["A", "C", "B"] && room.b.history.refusals.isEmpty)
  }

  @Test("G25: both sides of a net that fell apart edit the list: when it is whole, nothing is lost, and nothing is there twice")
  func partition() {
    let room = SimulatedSession(seed: 3, participants: ["A", "B", "C", "D"], delay: .milliseconds(20), hubs: 2)
    room.join()
    room.gather(on: "X")
    for number in 1...3 as ClosedRange<UInt64> { room.a.adds(ItemID("\(number)"), as: id(number)) }
    room.run(for: .seconds(2))
    room.partition(["A", "B"], ["C", "D"])
    room.run(for: .seconds(5))
    room.a.adds("a", as: id(10), before: id(2))
    room.a.edits(.remove(id(3)))
    room.c.adds("c", as: id(11), before: id(2))
    room.c.edits(.move(id(3), before: id(1)))
    room.d.edits(.move(id(1), before: nil))
    room.run(for: .seconds(10))
    room.heal()
    room.run(for: .seconds(30))
    let items = programme(room)
    #expect(items.sorted() == ["1", "2", "a", "c"] && items.last == "1")
  }

  @Test("G26: when all have played the current entry to its end, the group goes on to the next one, once", arguments: Setting.all)
  func end(_ setting: Setting) throws {
    let room = setting.joined()
    for person in room.people { person.has(.cut(end: .seconds(4))) }
    room.gather(on: "X")
    room.a.adds("X", as: id(1))
    room.a.adds("Y", as: id(2))
    room.a.adds("Z", as: id(3))
    room.run(for: .seconds(1))
    room.b.edits(.select(id(1)))
    room.run(for: .seconds(1))
    #expect(current(room) == id(1))
    room.a.play()
    room.run(for: .seconds(9))
    #expect(current(room) == id(2))
    for person in room.people {
      let moves = person.history.playlistChanges.filter(\.value.current)
      #expect(moves.map(\.value.isByEnd) == [false, true])
      #expect(moves.last?.value.originator == ParticipantID.none)
    }
    // The second has not been played: nothing goes on by itself.
    room.run(for: .seconds(20))
    #expect(current(room) == id(2))
    for person in room.people { person.transition(to: "Y", proposing: Proposal(rate: 1, itemTime: 0)) }
    room.run(for: .seconds(12))
    #expect(current(room) == id(3))
    for person in room.people { person.transition(to: "Z", proposing: Proposal(rate: 1, itemTime: 0)) }
    room.run(for: .seconds(12))
    #expect(current(room) == id(3))
  }

  @Test(
    "G26: by policy, or where the current entry is not what plays, nobody goes on at the end",
    arguments: [ActionAtEnd.pause, .none])
  func stays(_ action: ActionAtEnd) {
    let room = Setting(participants: 3, delay: 20).joined()
    for person in room.people { person.has(.cut(end: .seconds(4))) }
    room.gather(on: "X")
    room.a.setActionAtEnd(action)
    room.a.adds("X", as: id(1))
    room.a.adds("Y", as: id(2))
    room.run(for: .seconds(1))
    room.a.edits(.select(id(1)))
    room.a.play()
    room.run(for: .seconds(10))
    #expect(current(room) == id(1))
    room.a.setActionAtEnd(.advance)
    room.a.edits(.select(id(2)))
    room.a.seek(to: 0)
    room.run(for: .seconds(10))
    #expect(current(room) == id(2))
  }

  @Test("G26: who was to write it dies at the end: another one goes on in its place")
  func keeperDies() {
    let room = Setting(participants: 3, delay: 20).joined()
    for person in room.people { person.has(.cut(end: .seconds(4))) }
    room.gather(on: "X")
    room.a.adds("X", as: id(1))
    room.a.adds("Y", as: id(2))
    room.run(for: .seconds(1))
    room.a.edits(.select(id(1)))
    room.a.play()
    room.run(for: .seconds(3))
    room.a.vanish(hubNoticesAfter: .seconds(2))
    room.run(for: .seconds(20))
    #expect(room.b.currentEntry == id(2) && room.c.currentEntry == id(2))
  }

  @Test("G27: everybody presses Next at once: the group goes on by one; each one after the other: by as many", arguments: Setting.all)
  func next(_ setting: Setting) {
    let room = room(setting)
    room.b.edits(.next(follows: id(1)))
    room.a.edits(.select(id(1)))
    room.run(for: .seconds(1))
    #expect(room.b.history.refusals.map(\.value.status) == [.notFound] && current(room) == id(1))
    for person in room.people { person.edits(.next(follows: id(1))) }
    room.run(for: .seconds(2))
    #expect(current(room) == id(2))
    // It is done already: nothing happens, and nothing is refused.
    room.b.edits(.next(follows: id(1)))
    room.run(for: .seconds(1))
    #expect(current(room) == id(2) && room.b.history.refusals.count == 1)
    room.b.edits(.next(follows: nil))
    room.run(for: .seconds(1))
    #expect(current(room) == id(3))
    room.b.edits(.next(follows: nil))
    room.run(for: .seconds(1))
    #expect(current(room) == id(3) && room.b.history.refusals.last?.value.status == .notFound)
  }

  @Test("G28: one chooses an entry while another goes on: the choice counts, whoever hears of what first", arguments: Setting.all)
  func choice(_ setting: Setting) {
    let room = room(setting)
    room.a.edits(.select(id(1)))
    room.run(for: .seconds(1))
    room.b.edits(.next(follows: id(1)))
    room.a.edits(.select(id(3)))
    room.run(for: .seconds(2))
    #expect(current(room) == id(3))
  }

  @Test("G29: the list takes 1,000 entries; whose entry came as one too many at once is told, and all have the same thousand")
  func limit() {
    let room = SimulatedSession(seed: 9, participants: ["A", "B", "C"], delay: .milliseconds(20))
    room.join()
    room.gather(on: "X")
    for number in 1...998 as ClosedRange<UInt64> { room.a.adds("X", as: id(number)) }
    room.run(for: .seconds(20))
    #expect(room.c.playlist.lines.count == 998)
    for number in 1...3 as ClosedRange<UInt64> {
      room.a.adds("a", as: id(10_000 + number))
      room.b.adds("b", as: id(20_000 + number))
    }
    room.run(for: .seconds(30))
    #expect(programme(room).count == 1_000)
    let full = [room.a, room.b].map { $0.history.refusals.count { $0.value.status == .full } }
    #expect(full[0] + full[1] == 4, "\(full)")
    room.c.adds("c", as: id(30_000))
    room.run(for: .seconds(1))
    #expect(room.c.history.refusals.map(\.value.status) == [.full])
  }

  @Test("G29: a list is full to the last bytes, and moves need longer places: all have the same list, and are at rest")
  func fullOfBytes() throws {
    let room = Setting(participants: 3, delay: 20).paused()
    let place = try #require(PlaylistPlace([0x80]))
    for number in 1...300 as ClosedRange<UInt64> {
      let address = String(repeating: "a", count: number > 245 ? 1 : 2_000)
      let entry = PlaylistEntry(place: place, item: "X", added: 0, addresses: [address])
      room.a.edits(.add(id(number), entry: entry, before: nil))
    }
    room.run(for: .seconds(10))
    #expect(room.a.history.refusals.last?.value.status == .full)
    let count = room.b.playlist.lines.count
    for number in 0..<80 as Range<UInt64> {
      room.b.edits(.move(id(1 + number % 8), before: id(20)))
      room.run(for: .milliseconds(20))
    }
    room.run(for: .seconds(30))
    #expect(programme(room).count <= count && programme(room).count >= count - 4)
    #expect(Set(room.people.map { $0.playlist.lines.map(\.id) }).count == 1)
    let before = room.now
    room.run(for: .seconds(30))
    for person in room.people {
      for case .update(let statements) in person.updates(since: before) {
        #expect(!statements.contains { if case .playlistEntry = $0.key { true } else { false } })
      }
    }
  }

  @Test("G29: a member sends 3,000 entries: all keep the same thousand, and what they play is not disturbed")
  func flood() {
    let room = Setting(participants: 3, delay: 20).playing()
    let before = room.now
    for start in stride(from: UInt64(0), to: 3_000, by: 100) {
      let statements = (start..<start + 100).map { number -> Statement in
        let entry = PlaylistEntry(place: .spread(Int(number % 7)), item: "Z", added: GroupTime(number))
        return Statement(
          key: .playlistEntry(id(number + 1)), author: room.c.id, policy: .none, time: room.groupTime, value: .playlistEntry(entry))
      }
      for person in [room.a, room.b] { person.receive(.update(statements), from: room.c) }
      room.run(for: .milliseconds(50))
    }
    room.run(for: .seconds(30))
    #expect(room.a.playlist.lines.count == 1_000)
    #expect(room.a.playlist.lines.map(\.id) == room.b.playlist.lines.map(\.id))
    #expect(room.allPlay && room.spread <= inStep)
    for name in room.names { #expect(room.player(name).commands(since: before).isEmpty) }
  }

  @Test("G30: who may not command changes nothing of the list, and is told; nothing is sent")
  func denied() {
    let room = SimulatedSession(seed: 2, participants: ["A", "B"], delay: .milliseconds(20), control: .hostsOnly)
    room.join()
    room.gather(on: "X")
    room.b.adds("B", as: id(1))
    room.b.edits(.select(id(1)))
    room.run(for: .seconds(2))
    #expect(programme(room) == [] && current(room) == nil)
    #expect(room.b.history.refusals.map(\.value.status) == [.denied, .denied])
    let forged = Statement(
      key: .playlistEntry(id(1)), author: room.b.id, policy: .none, time: room.groupTime,
      value: .playlistEntry(PlaylistEntry(place: .spread(0), item: "B", added: 0)))
    room.a.receive(.update([forged]), from: room.b)
    room.run(for: .seconds(1))
    #expect(room.a.programme == [])
  }

  @Test("G31: the current entry is removed: the group stays, and what comes next is what stood behind it", arguments: Setting.all)
  func removedCurrent(_ setting: Setting) {
    let room = room(setting)
    room.a.edits(.select(id(2)))
    room.run(for: .seconds(1))
    room.b.edits(.remove(id(2)))
    room.run(for: .seconds(1))
    #expect(current(room) == id(2) && programme(room) == ["A", "C"])
    room.b.edits(.next(follows: nil))
    room.run(for: .seconds(1))
    #expect(current(room) == id(3))
  }

  @Test("G32: two have different copies: both are told once what differs, and again when it is something else", arguments: Setting.all)
  func copies(_ setting: Setting) throws {
    let room = room(setting)
    let film = Copy(duration: .seconds(5_400), size: 700, hash: [UInt8](repeating: 1, count: 32))
    var cut = film
    cut.duration += .seconds(30)
    cut.hash = [UInt8](repeating: 2, count: 32)
    room.a.has(film, of: id(1))
    room.run(for: .seconds(1))
    for person in room.people { #expect(person.history.copies.isEmpty) }
    room.b.has(cut, of: id(1))
    room.run(for: .seconds(8))
    for (person, other, copy) in [(room.a, room.b, cut), (room.b, room.a, film)] {
      let news = try #require(person.history.copies.first?.value)
      #expect(news.participant == other.id && news.copy == copy && news.entry == id(1))
      #expect(news.difference.duration && news.difference.hash && !news.difference.size)
      #expect(person.history.copies.count == 1)
    }
    room.b.has(film, of: id(1))
    room.run(for: .seconds(2))
    for person in [room.a, room.b] { #expect(person.history.copies.last?.value.difference.isNone == true) }
    room.b.has(cut, of: id(2))
    room.run(for: .seconds(2))
    for person in [room.a, room.b] { #expect(person.history.copies.count == 2) }
  }

  @Test("G33: who chose an entry while apart does not take the group along, if it was long ago; what it added stays")
  func apart() {
    let room = SimulatedSession(seed: 1, participants: ["A", "B", "C"], delay: .milliseconds(20), hubs: 2)
    room.join()
    room.gather(on: "X")
    for number in 1...3 as ClosedRange<UInt64> { room.a.adds(ItemID("\(number)"), as: id(number)) }
    room.run(for: .seconds(2))
    room.a.edits(.select(id(1)))
    room.run(for: .seconds(2))
    room.partition(["A", "B"], ["C"])
    room.run(for: .seconds(5))
    room.c.edits(.select(id(3)))
    room.c.adds("c", as: id(9))
    room.run(for: .seconds(30))
    #expect(room.c.currentEntry == id(3) && room.a.currentEntry == id(1))
    room.heal()
    room.run(for: .seconds(30))
    #expect(current(room) == id(1))
    #expect(programme(room) == ["1", "2", "3", "c"])
  }

  @Test("G34: under another policy the list is confirmed by one, and who made it need not be there; nobody hears of it")
  func policy() throws {
    let room = Setting(participants: 4, delay: 20).paused()
    for number in 1...300 as ClosedRange<UInt64> { room.b.adds("B", as: id(number)) }
    room.run(for: .seconds(5))
    room.b.edits(.select(id(3)))
    room.run(for: .seconds(1))
    let told = room.d.history.playlistChanges.count
    let before = room.now
    room.run(for: .milliseconds(1))
    room.b.leave()
    room.a.setRole(of: room.c, to: .viewer)
    room.a.setControl(.hostsOnly)
    room.run(for: .seconds(20))
    var confirmations: [String: Int] = [:]
    for person in room.people {
      for case .update(let statements) in person.updates(since: before) {
        for case .playlistEntry in statements.map(\.key) { confirmations[person.name, default: 0] += 1 }
      }
    }
    // Twice at most: one policy follows the other at once.
    #expect(confirmations.count == 1 && (300...600).contains(confirmations["A"] ?? 0), "\(confirmations["A"] ?? 0)")
    #expect(room.d.history.playlistChanges.count == told)
    #expect(room.d.programme.count == 300 && room.d.currentEntry == id(3))
  }
}
