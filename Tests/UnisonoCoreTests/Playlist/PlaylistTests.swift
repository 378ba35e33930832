import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

@Suite struct PlaylistTests {
  private let author = ParticipantID(high: 1, low: 1)

  private func id(_ number: UInt64) -> EntryID { EntryID(high: number &* 0x9E37_79B9_7F4A_7C15, low: number) }

  private func entry(_ number: Int, title: String = "") -> PlaylistEntry {
    PlaylistEntry(place: .spread(number), item: "X", added: GroupTime(number), title: title)
  }

  private func statement(_ id: EntryID, _ entry: PlaylistEntry, at time: GroupTime, by author: ParticipantID? = nil) -> Statement {
    Statement(
      key: .playlistEntry(id), author: author ?? self.author, policy: .none, time: time, value: .playlistEntry(entry))
  }

  private func store() -> RegisterStore { RegisterStore(policies: PolicyOrder(origin: .none)) }

  /// As a participant merges: what is too much is forgotten at once.
  private func merge(_ statements: [Statement], into registers: inout RegisterStore) {
    for statement in statements {
      registers.merge(statement)
      for id in registers.playlist.excess { registers.remove(.playlistEntry(id)) }
    }
  }

  @Test("F86: between any two places there is one, thousands of times at the ends, hundreds in one gap")
  func places() throws {
    var all = [try #require(PlaylistPlace.between(nil, nil, salt: 7))]
    for number in 0..<2_000 { all.append(try #require(PlaylistPlace.between(all.last, nil, salt: UInt8(truncatingIfNeeded: number)))) }
    for number in 0..<2_000 { all.insert(try #require(PlaylistPlace.between(nil, all.first, salt: UInt8(truncatingIfNeeded: number))), at: 0) }
    #expect(zip(all, all.dropFirst()).allSatisfy { $0 < $1 })
    var (left, right) = (all[0], all[1])
    var count = 0
    while let middle = PlaylistPlace.between(left, right, salt: 3) {
      #expect(left < middle && middle < right)
      if count.isMultiple(of: 2) { left = middle } else { right = middle }
      count += 1
      try #require(count < 10_000)
    }
    #expect(count > 200)
  }

  @Test("F86: whatever bytes two places have, what goes between them does, and none ends in a 0")
  func anyPlaces() {
    var random = SplitMix64(seed: 86)
    for _ in 0..<20_000 {
      let places = (0..<2).compactMap { _ -> PlaylistPlace? in
        let length = Int.random(in: 1...4, using: &random)
        return PlaylistPlace((0..<length).map { _ in [0, 1, 2, 0xFE, 0xFF].randomElement(using: &random) ?? 0 })
      }.sorted()
      guard places.count == 2, places[0] < places[1] else { continue }
      let salt = UInt8.random(in: 0...255, using: &random)
      for (left, right) in [(places[0], places[1]), (nil, places[0]), (places[1], nil)] as [(PlaylistPlace?, PlaylistPlace?)] {
        let middle = PlaylistPlace.between(left, right, salt: salt)
        #expect(middle != nil && middle?.bytes.last != 0)
        if let middle, let left { #expect(left < middle) }
        if let middle, let right { #expect(middle < right) }
      }
    }
    #expect(PlaylistPlace([]) == nil && PlaylistPlace([1, 0]) == nil && PlaylistPlace([UInt8](repeating: 1, count: 65)) == nil)
  }

  @Test("F86: of too many entries the oldest stay, of too many removals the latest, in whatever order they come")
  func limits() {
    let living = (1...1_030).map { statement(id(UInt64($0)), entry($0), at: 10_000 + GroupTime($0)) }
    let removed = (2_001...2_540).map { statement(id(UInt64($0)), entry($0).removed, at: 10_000 + GroupTime($0)) }
    var random = SplitMix64(seed: 5)
    for _ in 0..<4 {
      var registers = store()
      merge((living + removed).shuffled(using: &random), into: &registers)
      let kept = Set((1...1_000).map { id(UInt64($0)) })
      #expect(Set(registers.playlist.lines.map { $0.id }) == kept)
      #expect(registers.statements.count == 1_000 + Playlist.removals)
      #expect(registers[.playlistEntry(id(2_028))] == nil && registers[.playlistEntry(id(2_029))] != nil)
    }
  }

  @Test("F86: all entries together have so many bytes: what is added beyond goes, whoever hears of it first")
  func weight() {
    let long = String(repeating: "x", count: 255)
    let heavy = (1...300).map { number -> Statement in
      var entry = entry(number, title: long)
      entry.addresses = [String](repeating: String(repeating: "a", count: 2_000), count: 1)
      return statement(id(UInt64(number)), entry, at: 10_000 + GroupTime(number))
    }
    var random = SplitMix64(seed: 6)
    var lists: [[EntryID]] = []
    for _ in 0..<3 {
      var registers = store()
      // What goes in one order may be there again in another: those who differ exchange what they have until they do not.
      for _ in 0..<2 { merge(heavy.shuffled(using: &random), into: &registers) }
      lists.append(registers.playlist.lines.map { $0.id })
    }
    #expect(lists[0].count < 300 && lists[0].count > 150)
    #expect(lists[0] == (1...UInt64(lists[0].count)).map(id))
    #expect(lists[1] == lists[0] && lists[2] == lists[0])
  }

  @Test("F86: a removal beats a move made at the same time, or later by somebody who had not heard of it")
  func removal() {
    let first = statement(id(1), entry(1), at: 10)
    let gone = statement(id(1), entry(1).removed, at: 20)
    var moved = entry(1)
    moved.place = .spread(9)
    let move = statement(id(1), moved, at: 30, by: ParticipantID(high: 2, low: 2))
    for order in [[first, gone, move], [move, gone, first], [gone, move], [move, first, gone]] {
      var registers = store()
      merge(order, into: &registers)
      #expect(registers.playlist.lines.isEmpty)
      #expect(registers.playlistEntry(id(1))?.isRemoved == true)
    }
  }

  @Test("F86: of two steps from one command the first counts; a command made since beats any number of steps")
  func current() {
    func current(_ entry: UInt64, at time: GroupTime, base: GroupTime? = nil, step: UInt32 = 0) -> Statement {
      Statement(
        key: .playlistCurrent, author: author, policy: .none, time: time,
        value: .playlistCurrent(
          PlaylistCurrent(entry: id(entry), base: base.map { Stamp(time: $0, author: author) }, step: step)))
    }
    let command = current(1, at: 10)
    let step = current(2, at: 20, base: 10, step: 1)
    let late = current(3, at: 60, base: 10, step: 1)
    let jump = current(9, at: 50)
    let far = current(4, at: 70, base: 10, step: 4_000)
    for (statements, winner) in [([command, step], 2), ([late, step, command], 2), ([jump, late, step, far], 9), ([far, late], 4)] as [([Statement], UInt64)] {
      for order in [statements, statements.reversed()] {
        var registers = store()
        for statement in order { registers.merge(statement) }
        #expect(registers.playlistCurrent?.value.entry == id(winner))
      }
    }
  }

  @Test("F87: the same hash is the same copy; another size or hash at the same length is another container")
  func copies() throws {
    let film = Copy(duration: .seconds(5_400), size: 1_000, hash: [UInt8](repeating: 1, count: 32))
    var other = film
    #expect(CopyDifference(film, other)?.isNone == true)
    other.duration += .seconds(20)
    #expect(CopyDifference(film, other)?.isNone == true)
    other.hash = [UInt8](repeating: 2, count: 32)
    let longer = try #require(CopyDifference(film, other))
    #expect(longer.duration && longer.hash && !longer.size && !longer.isContainer)
    other.duration = film.duration + .milliseconds(900)
    other.size = 2_000
    let container = try #require(CopyDifference(film, other))
    #expect(!container.duration && container.size && container.hash && container.isContainer)
    #expect(CopyDifference(film, Copy()) == nil)
    #expect(CopyDifference(Copy(duration: .seconds(5)), Copy(size: 3)) == nil)
    #expect(try #require(CopyDifference(film, Copy(size: 999))).isContainer == false)
  }
}
