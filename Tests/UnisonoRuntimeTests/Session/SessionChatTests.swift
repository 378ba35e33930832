import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoCrypto
@testable import UnisonoReplica
@testable import UnisonoRuntime
@testable import UnisonoWire

@Suite("What the members of a session say")
struct SessionChatTests {
  private func say(_ player: SessionPlayer, _ texts: String...) {
    for text in texts { player.say(text) }
  }

  private func kept(_ player: SessionPlayer) -> [String] { player.engine.chatEntries.map(\.entry.text) }

  /// Seals a message of the chat as only this player can.
  private func send(_ message: InnerMessage, by player: SessionPlayer, to other: SessionPlayer? = nil) {
    player.do { engine in
      engine.perform { $0.send(message, to: other.map { [$0.id] }, now: player.machine.now) }
    }
  }

  private func signed(_ entry: ChatEntry, by signer: SessionPlayer) -> SignedStatement {
    ChatSignature.sign(
      ChatEntryBody.encode(entry), session: signer.engine.origin.session, author: signer.engine.identity.signing)
  }

  private func groupTime(_ world: SessionWorld, _ player: SessionPlayer) throws -> GroupTime {
    try #require(player.groupTime(at: world.network.trueTime))
  }

  @Test("G15: what is said reaches all in its order, with what was on and where it was")
  func said() throws {
    let world = SessionWorld(seed: 151)
    let all = try world.playing(3, path: .lan)
    say(all[0], "look")
    world.network.run(for: .seconds(1))
    say(all[2], "where?", "ah\nthere")
    all[1].do { $0.react("🎉") }
    world.network.run(for: .seconds(1))
    for player in all {
      #expect(kept(player) == ["look", "where?", "ah\nthere"])
      #expect(player.chat.count { !$0.isReaction } == 3 && player.chat.allSatisfy { !$0.isHistory })
      let first = try #require(player.chat.first)
      #expect(first.entry.id == ChatEntry.ID(author: all[0].id, number: 1) && first.entry.name == "Ann")
      #expect(first.entry.item == "film" && first.hostTime != nil)
      #expect(try #require(first.entry.itemTime) > .milliseconds(500))
      let reaction = try #require(player.chat.first { $0.isReaction })
      #expect(reaction.entry.text == "🎉" && reaction.entry.id.author == all[1].id && reaction.entry.item == "film")
      #expect(try #require(reaction.entry.itemTime) > .milliseconds(1_400))
    }
    #expect(all.allSatisfy { $0.engine.statistics.messagesRefused == 0 })
  }

  @Test("G16: who comes later gets what was said once, in order, and with it nothing twice")
  func lateJoiner() throws {
    let world = SessionWorld(seed: 152)
    let all = try world.joined(3, path: .lan)
    for number in 1...9 {
      say(all[number % 3], "line \(number)")
      world.network.run(for: .milliseconds(700))
    }
    let late = try world.guest(of: all[0], named: "Zoe", path: .lan)
    late.do { $0.join() }
    #expect(world.network.run(atMost: .seconds(5)) { late.chat.count == 9 })
    say(all[0], "welcome")
    world.network.run(for: .seconds(60))
    #expect(late.chat.map(\.entry.text) == (1...9).map { "line \($0)" } + ["welcome"])
    #expect(late.chat.map(\.isHistory) == [Bool](repeating: true, count: 9) + [false])
    #expect(late.chat.last?.entry.name == "Ann")
    #expect(all.allSatisfy { $0.chat.count == 10 && kept($0) == kept(late) })
    #expect((all + [late]).allSatisfy { $0.engine.statistics.messagesRefused == 0 })
  }

  @Test("G17: both sides of a partition come to the same chat, and each hears what the other said once")
  func partition() throws {
    let world = SessionWorld(seed: 153)
    let all = try world.joined(4, path: .lan)
    say(all[0], "together")
    world.network.run(for: .seconds(1))
    let (left, right) = (Array(all[0...1]), Array(all[2...3]))
    world.split(left, right)
    world.network.run(for: .seconds(40))
    for number in 1...3 {
      say(left[number % 2], "left \(number)")
      say(right[number % 2], "right \(number)")
      world.network.run(for: .seconds(2))
    }
    world.mend(left, right)
    #expect(world.network.run(atMost: .seconds(240)) { all.allSatisfy { kept($0).count == 7 } })
    world.network.run(for: .seconds(60))
    #expect(all.allSatisfy { kept($0) == kept(all[0]) && $0.chat.count == 7 })
    #expect(left.allSatisfy { $0.chat.count { $0.isHistory } == 3 } && right.allSatisfy { $0.chat.count { $0.isHistory } == 3 })
  }

  @Test("G18: a flood in the chat is cut off, told once, and delays nobody's play")
  func flood() throws {
    let world = SessionWorld(seed: 154)
    let all = try world.playing(3, path: .lan)
    let busy = all[1]
    let time = try groupTime(world, busy)
    for number in 1...60 as ClosedRange<UInt64> {
      let entry = ChatEntry(
        id: ChatEntry.ID(author: busy.id, number: number), time: time.adding(Int64(number)), text: "spam \(number)")
      send(.chat(signed(entry, by: busy)), by: busy)
      send(.reaction(Reaction("!")), by: busy)
    }
    for player in all { player.forgetCommands() }
    all[0].do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    #expect(world.network.run(atMost: .milliseconds(300)) { all.allSatisfy { $0.commands.last?.kind == .pause } })
    world.network.run(for: .seconds(3))
    for honest in [all[0], all[2]] {
      #expect(honest.chat.count { !$0.isReaction } == 20 && honest.chat.count { $0.isReaction } == 40)
      let told = try #require(honest.ignored.first)
      #expect(honest.ignored.count == 1 && told.part == .chat && !told.byOther && told.participant == busy.id)
      #expect(honest.isJoined && honest.people.count == 3)
    }
    say(all[2], "ignore it")
    world.network.run(for: .seconds(1))
    #expect(all.allSatisfy { $0.chat.last?.entry.text == "ignore it" })
  }

  @Test("G19: words that a teller made up are refused and named; true ones beside them are taken")
  func forged() throws {
    let world = SessionWorld(seed: 155)
    let all = try world.joined(3, path: .lan)
    let (host, other, liar) = (all[0], all[1], all[2])
    say(other, "true")
    world.network.run(for: .seconds(1))
    let time = try groupTime(world, liar)
    let false1 = ChatEntry(id: ChatEntry.ID(author: other.id, number: 2), time: time, text: "false")
    let nobody = try #require(ParticipantID(bytes: [UInt8](repeating: 7, count: 16)))
    let stranger = ChatEntry(id: ChatEntry.ID(author: nobody, number: 1), time: time, text: "nobody")
    let own = ChatEntry(id: ChatEntry.ID(author: liar.id, number: 1), time: time, text: "mine")
    // A digest that nobody has: the others ask.
    send(.chatDigest([UInt8](repeating: 9, count: 32)), by: liar)
    world.network.run(for: .milliseconds(15))
    let told = [signed(false1, by: liar), signed(stranger, by: liar), signed(own, by: liar)]
    for _ in 0..<20 {
      send(.chatHistory(told), by: liar)
      world.network.run(for: .milliseconds(5))
    }
    // Said by another than the sender, and live.
    send(.chat(signed(false1, by: liar)), by: liar)
    world.network.run(for: .seconds(5))
    #expect(kept(host) == ["true", "mine"] || kept(host) == ["true"])
    for honest in [host, other] {
      #expect(!honest.chat.contains { ["false", "nobody"].contains($0.entry.text) })
      #expect(honest.engine.statistics.messagesRefused > 0)
      #expect(honest.logs.contains { $0.contains("\(liar.id)") && $0.contains("\(other.id)") && $0.contains("did not say") })
    }
  }

  @Test("G20: words of the future are not taken, two under one number are one, the same for all")
  func judged() throws {
    let world = SessionWorld(seed: 156)
    let all = try world.joined(3, path: .lan)
    let author = all[2]
    let time = try groupTime(world, author)
    let id = ChatEntry.ID(author: author.id, number: 1)
    let two = ["one", "another"].map { signed(ChatEntry(id: id, time: time, text: $0), by: author) }
    send(.chat(two[0]), by: author, to: all[0])
    send(.chat(two[1]), by: author, to: all[1])
    let future = ChatEntry(id: ChatEntry.ID(author: author.id, number: 2), time: time.adding(.seconds(3_600)), text: "later")
    send(.chat(signed(future, by: author)), by: author)
    world.network.run(for: .seconds(1))
    say(all[0], "hm")
    world.network.run(for: .seconds(90))
    let texts = Set(all.map(kept))
    #expect(texts.count == 1)
    let first = try #require(two.min { Hash.sha256($0.body).lexicographicallyPrecedes(Hash.sha256($1.body)) })
    #expect(texts.first == [try ChatEntryBody.decode(first.body).text, "hm"])
    #expect(all[0].engine.statistics.messagesRefused > 0)
  }
}
