import Testing
import UnisonoReplica

@testable import UnisonoRuntime

@Suite("What participants say to each other")
struct SessionMessageTests {
  private func text(_ number: Int) -> [UInt8] { Array("message \(number)".utf8) }

  private func send(_ bytes: [UInt8], from player: SessionPlayer, isReliable: Bool = true) -> Bool {
    guard player.engine.outgoing.reserve(bytes.count) else { return false }
    player.do { $0.send(bytes, isReliable: isReliable, to: nil) }
    return true
  }

  @Test(
    "F34: messages to all come once, in order, with their sender; not to the sender itself; empty and 64 KiB ones too")
  func toAll() throws {
    let world = SessionWorld()
    let all = try world.joined(3)
    let sizes = [0, 1, 65_536, 17]
    for size in sizes { #expect(send([UInt8](repeating: 7, count: size), from: all[1])) }
    for number in 0..<50 { #expect(send(text(number), from: all[1])) }
    world.network.run(for: .seconds(3))
    for player in [all[0], all[2]] {
      #expect(player.messages.map(\.bytes.count).prefix(4) == sizes[...])
      #expect(player.messages.dropFirst(4).map(\.bytes) == (0..<50).map(text))
      #expect(player.messages.allSatisfy { $0.sender == all[1].id && $0.isReliable })
    }
    #expect(all[1].messages.isEmpty)
    #expect(all.allSatisfy { $0.engine.statistics.messagesRefused == 0 })
  }

  @Test("F34 Z14: what is said to some reaches them and nobody else, once and in order, across broken links too")
  func toSome() throws {
    let world = SessionWorld(seed: 2)
    let all = try world.joined(4)
    let some = [all[0].id, all[2].id]
    for number in 0..<30 {
      #expect(all[1].engine.outgoing.reserve(text(number).count))
      all[1].do { $0.send(text(number), isReliable: true, to: some) }
      if number == 15 { world.network.breakStreams(all[0].machine, all[2].machine) }
      world.network.run(for: .milliseconds(100))
    }
    #expect(all[1].engine.outgoing.reserve(1))
    all[1].do { $0.send([7], isReliable: false, to: [all[3].id]) }
    world.network.run(for: .seconds(8))
    for player in [all[0], all[2]] {
      #expect(
        player.messages.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }
          == (0..<30).map(text).sorted {
            $0.lexicographicallyPrecedes($1)
          })
    }
    #expect(all[0].messages.map(\.bytes) == (0..<30).map(text))
    #expect(all[3].messages.map(\.bytes) == [[7]] && all[3].messages[0].isReliable == false)
  }

  @Test("F34: what was said before somebody joined it never hears; what is said afterwards it does")
  func lateJoiner() throws {
    let world = SessionWorld()
    let all = try world.joined(2)
    #expect(send(text(1), from: all[0]))
    world.network.run(for: .seconds(1))
    let late = try world.guest(of: all[0], named: "Cem")
    late.do { $0.join() }
    #expect(world.network.run(atMost: .seconds(5)) { late.isJoined && all[0].people.count == 3 })
    #expect(send(text(2), from: all[0]))
    world.network.run(for: .seconds(3))
    #expect(late.messages.map(\.bytes) == [text(2)])
    #expect(all[1].messages.map(\.bytes) == [text(1), text(2)])
  }

  @Test(
    "F34: links that break again and again: every reliable message comes once and in order, to those who were there")
  func brokenLinks() throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      let world = SessionWorld(seed: seed)
      let all = try world.joined(3)
      var sent = 0
      for round in 0..<12 {
        for _ in 0..<5 {
          #expect(send(text(sent), from: all[1]))
          sent += 1
          world.network.run(for: .milliseconds(30))
        }
        let broken = all[1 + round % 2].machine
        world.network.breakStreams(all[0].machine, broken)
        world.network.run(for: .milliseconds(round % 3 == 0 ? 5 : 1_500))
      }
      world.network.run(for: .seconds(10))
      for player in [all[0], all[2]] { #expect(player.messages.map(\.bytes) == (0..<sent).map(text), "seed \(seed)") }
    }
  }

  @Test("F34 F40: the hub is killed in the middle of talking: nothing that was accepted is lost among those who live")
  func hubDies() throws {
    let world = SessionWorld(seed: 3)
    let all = try world.joined(4, path: .lan)
    for number in 0..<40 {
      #expect(send(text(number), from: all[1]))
      if number == 20 { all[0].kill() }
      world.network.run(for: .milliseconds(10))
    }
    world.network.run(for: .seconds(10))
    for player in all[2...] { #expect(player.messages.map(\.bytes) == (0..<40).map(text)) }
  }

  @Test(
    "F34: too much at once is refused with a word, nothing of what was taken is lost, and it is told when there is room"
  )
  func backPressure() throws {
    let world = SessionWorld()
    let all = try world.joined(2)
    let large = [UInt8](repeating: 5, count: 65_536)
    var taken = 0
    while send(large, from: all[1]) {
      taken += 1
      #expect(taken < 64)
      if taken == 64 { return }
    }
    #expect(taken >= 16)
    #expect(all[1].writables == 0)
    #expect(world.network.run(atMost: .seconds(20)) { all[1].writables == 1 })
    #expect(send(text(9), from: all[1]))
    world.network.run(for: .seconds(20))
    #expect(all[0].messages.count == taken + 1 && all[0].messages.last?.bytes == text(9))
    #expect(all[1].engine.outgoing.bytes == 0)
  }

  @Test("F34: unreliable ones come at most once, and none while there is no link, where reliable ones wait")
  func unreliable() throws {
    let world = SessionWorld()
    let all = try world.joined(2)
    for number in 0..<20 { #expect(send(text(number), from: all[1], isReliable: false)) }
    world.network.run(for: .seconds(1))
    #expect(all[0].messages.map(\.bytes) == (0..<20).map(text) && all[0].messages.allSatisfy { !$0.isReliable })
    world.split([all[0]], [all[1]])
    world.network.run(for: .seconds(2))
    #expect(send(text(20), from: all[1], isReliable: false) && send(text(21), from: all[1]))
    world.mend([all[0]], [all[1]])
    world.network.run(for: .seconds(10))
    #expect(all[0].messages.dropFirst(20).map(\.bytes) == [text(21)])
    #expect(all[1].engine.outgoing.bytes == 0)
  }

  @Test("F35: a notice of one's own reaches the others with its originator and all it says")
  func notices() throws {
    let world = SessionWorld()
    let all = try world.joined(3)
    let notice = NoticeMessage(kind: 3, amount: -15_000_000_000, rate: 1.5, text: "zurück", url: "https://example.org/")
    all[2].do { $0.post(notice) }
    world.network.run(for: .seconds(1))
    for player in all[..<2] { #expect(player.notices.map(\.notice) == [notice] && player.notices[0].id == all[2].id) }
    #expect(all[2].notices.isEmpty)
  }

  @Test("F36: a request for the foreground reaches all others, and nobody else")
  func foreground() throws {
    let world = SessionWorld()
    let all = try world.joined(3)
    all[0].do { $0.requestForeground() }
    world.network.run(for: .seconds(1))
    #expect(all.map(\.foregroundRequests) == [[], [all[0].id], [all[0].id]])
  }

  @Test("F28: who speaks is shown until it ceases or its link is lost; newcomers learn of it")
  func speaking() throws {
    let world = SessionWorld()
    let all = try world.joined(3)
    all[1].do { $0.setSpeaking(true) }
    world.network.run(for: .milliseconds(200))
    #expect(all[0].engine.speakers == [all[1].id] && all[2].engine.speakers == [all[1].id])
    #expect(all[1].engine.isSpeaking && all[1].engine.speakers.isEmpty)
    let late = try world.guest(of: all[0], named: "Cem")
    late.do { $0.join() }
    #expect(world.network.run(atMost: .seconds(5)) { late.engine.speakers == [all[1].id] })
    all[1].do { $0.setSpeaking(false) }
    world.network.run(for: .milliseconds(200))
    #expect(all[0].speaking.map(\.1) == [true, false] && late.engine.speakers.isEmpty)
    all[1].do { $0.setSpeaking(true) }
    world.network.run(for: .milliseconds(200))
    world.network.breakStreams(all[0].machine, all[1].machine)
    world.network.run(for: .seconds(3))
    #expect(all[0].speaking.map(\.1) == [true, false, true, false] && !all[1].engine.isSpeaking)
  }

  @Test(
    "F31 F32: an activity that ends with its initiator: it leaves, or is gone for 30 s, and the session is over for all"
  )
  func endsWithInitiator() throws {
    for leaves in [true, false] {
      let world = SessionWorld()
      let all = try world.joined(3)
      var activity = SessionWorld.activity
      activity.lifetime = 1
      all[1].do { $0.handle(.setActivity(activity)) }
      world.network.run(for: .seconds(1))
      if leaves { all[1].do { $0.leave() } } else { all[1].kill() }
      world.network.run(for: .seconds(leaves ? 1 : 28))
      #expect([all[0], all[2]].allSatisfy { ($0.engine.state.status == .invalidated) == leaves })
      world.network.run(for: .seconds(20))
      for player in [all[0], all[2]] {
        #expect(player.engine.state.status == .invalidated && player.states.last?.reason == .ended)
      }
    }
  }
}
