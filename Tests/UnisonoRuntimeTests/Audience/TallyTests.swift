import Testing
import UnisonoBase
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto
@testable import UnisonoRuntime

@Suite("Starts wait for a share of those who listen, and reactions are counted")
struct TallyTests {
  private static let wait = Nanoseconds.seconds(4)

  private func terms(share: UInt8, reactions: [String] = []) -> AudienceTerms {
    AudienceTerms(share: share, wait: UInt32(Self.wait / .milliseconds(1)), reactions: reactions)
  }

  /// Ten who listen, of whom so many never become ready, and all know that the group pauses.
  private func paused(_ room: AudienceWorld, unready: Int = 0, of count: Int = 10) throws -> [ListeningPlayer] {
    let some = try (0..<count).map { _ in try room.listen() }
    #expect(room.network.run(atMost: .seconds(6)) { some.allSatisfy { $0.line != nil } })
    #expect(room.network.run(atMost: .seconds(2)) { room.host.engine.audience.listeners == UInt32(count) })
    room.host.do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    #expect(room.network.run(atMost: .seconds(2)) { some.allSatisfy { $0.commands.last?.kind == .pause } })
    room.network.run(for: .seconds(2))
    for player in some.prefix(unready) { player.prepares = false }
    return some
  }

  /// Plays; how long after that the start is written, ns.
  private func play(_ room: AudienceWorld, by player: SessionPlayer? = nil, atMost: Nanoseconds = .seconds(12)) throws -> Nanoseconds {
    let begun = room.network.trueTime
    (player ?? room.host).do { $0.handle(.rateChange(rate: 1, immediately: false)) }
    #expect(room.network.run(atMost: atMost) { room.host.line != nil })
    let line = try #require(room.host.line)
    let lead = line.since.subtracting(room.host.machine.now)
    #expect(lead > .milliseconds(1_400) && lead < .seconds(2), "\(lead) ns")
    return room.network.trueTime - begun
  }

  @Test("N23: nobody who listens is waited for unless it was asked for; the lead is 1.5 s, and all who listen begin with the group")
  func nobody() throws {
    let room = try AudienceWorld(seed: 31)
    let some = try paused(room, unready: 3)
    #expect(try play(room) < .milliseconds(400))
    room.network.run(for: .milliseconds(1_600))
    #expect(try #require(room.spread(Array(some.dropFirst(3)))) < .milliseconds(5))
    #expect(some.allSatisfy { $0.listener.news.reactions.isEmpty } && room.host.engine.audience.ready == 0)
  }

  @Test("N23: share 80, 30 % never ready: the start is at the end of the wait; share 70: as soon as they are, whoever plays")
  func share() throws {
    let strict = try AudienceWorld(seed: 32, terms: terms(share: 80))
    let all = try paused(strict, unready: 3)
    let took = try play(strict)
    #expect(took >= Self.wait && took < Self.wait + .milliseconds(400), "\(took) ns")
    strict.network.run(for: .milliseconds(1_600))
    #expect(try #require(strict.spread(Array(all.dropFirst(3)))) < .milliseconds(5))
    for byMember in [false, true] {
      let room = try AudienceWorld(seed: 33, hosts: 2, terms: terms(share: 70))
      _ = try paused(room, unready: 3)
      let soon = try play(room, by: byMember ? room.member : nil)
      #expect(soon > .milliseconds(60) && soon < .milliseconds(1_600), "\(soon) ns")
      #expect(room.host.engine.audience.ready == 7 && room.member.audience.allSatisfy { $0.ready == 0 })
    }
  }

  @Test("N23: one who is alone with an audience waits for it, too; who takes back the command ends the wait, and at once is at once")
  func alone() throws {
    let room = try AudienceWorld(seed: 34, players: 1, terms: terms(share: 100))
    let some = try paused(room, of: 4)
    let soon = try play(room)
    #expect(soon < .milliseconds(1_600), "\(soon) ns")
    room.network.run(for: .milliseconds(1_600))
    #expect(try #require(room.spread(some)) < .milliseconds(5))
    room.host.do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    room.network.run(for: .seconds(2))
    some[0].prepares = false
    room.host.do { $0.handle(.rateChange(rate: 1, immediately: false)) }
    room.network.run(for: .seconds(2))
    room.host.do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    room.network.run(for: .seconds(5))
    #expect(room.host.line == nil)
    room.host.do { $0.handle(.rateChange(rate: 1, immediately: true)) }
    #expect(room.network.run(atMost: .milliseconds(100)) { room.host.line != nil })
  }

  @Test("N23: a hub that lies about counts: the start is at the end of the wait, never later, and not before the group is ready")
  func lies() throws {
    func tallies(_ count: UInt32) -> [Tally] { (0..<8).map { Tally(tag: UInt64($0) << 60, count: count) } }
    let lies: [(name: String, lie: (AudienceCount) -> AudienceCount, isSooner: Bool)] = [
      ("nobody is ready", { AudienceCount(listeners: $0.listeners) }, false),
      ("far more listen", { AudienceCount(listeners: .max, ready: $0.ready) }, false),
      ("others are ready", { AudienceCount(listeners: $0.listeners, ready: tallies(.max)) }, false),
      ("all are ready", { count in
        AudienceCount(listeners: count.listeners, ready: count.ready.map { Tally(tag: $0.tag, count: .max) })
      }, true),
      ("nobody listens", { _ in AudienceCount(listeners: 0) }, true),
    ]
    for (index, lie) in lies.enumerated() {
      let room = try AudienceWorld(seed: 40 + UInt64(index), terms: terms(share: 80), isCrooked: true)
      _ = try paused(room, unready: 3)
      room.crooked?.countLie = lie.lie
      // Told anew as one comes.
      _ = try room.listen()
      room.network.run(for: .seconds(1))
      // The member's player is ready after a second, and is waited for whatever the hub says.
      let took = try play(room)
      #expect(took < Self.wait + .milliseconds(400), "\(lie.name): \(took) ns")
      #expect(lie.isSooner ? took < .milliseconds(1_600) : took >= Self.wait, "\(lie.name): \(took) ns")
    }
  }

  @Test("N23: no deadline of the session's is passed: a wait limit of 2 s ends the wait a second before it, and nobody misses the start")
  func deadline() throws {
    let room = try AudienceWorld(seed: 35, terms: terms(share: 100))
    _ = try paused(room, unready: 10)
    room.host.do { $0.handle(.setWaitLimit(.seconds(2))) }
    let took = try play(room)
    #expect(took >= .seconds(1) && took < .milliseconds(1_400), "\(took) ns")
    #expect(room.host.engine.view.participants.allSatisfy { $0.suspensionReasons.isEmpty })
  }

  @Test("F139: who speaks to the audience goes, and the next one's starts wait as before")
  func handedOver() throws {
    let room = try AudienceWorld(seed: 36, players: 3, hosts: 2, terms: terms(share: 80, reactions: ["!"]))
    let some = try paused(room, unready: 3)
    room.host.kill()
    #expect(room.network.run(atMost: .seconds(30)) { room.member.engine.audience.listeners == 10 })
    let begun = room.network.trueTime
    room.member.do { $0.handle(.rateChange(rate: 1, immediately: false)) }
    #expect(room.network.run(atMost: .seconds(12)) { room.member.line != nil })
    let took = room.network.trueTime - begun
    #expect(took >= Self.wait && took < Self.wait + .milliseconds(400), "\(took) ns")
    some[5].do { $0.react("!") }
    #expect(room.network.run(atMost: .seconds(2)) { room.member.engine.audience.reactions == [ReactionCount(text: "!", count: 1)] })
  }

  // MARK: Reactions

  private func counts(_ news: [ReactionCount]) -> [UInt32] { news.map(\.count) }

  @Test("F140: reactions are counted, each listener once, by its newest of the last 10 s; all are told, a host that does not speak 0")
  func reactions() throws {
    let room = try AudienceWorld(seed: 37, hosts: 2, terms: AudienceTerms(reactions: ["\u{2764}", "\u{1F44F}", "wow"]))
    let some = try (0..<6).map { _ in try room.listen() }
    #expect(room.network.run(atMost: .seconds(6)) { some.allSatisfy { $0.line != nil } })
    #expect(some.allSatisfy { $0.listener.news.reactions.map(\.text) == ["\u{2764}", "\u{1F44F}", "wow"] })
    room.network.run(for: .seconds(11))
    for player in some.prefix(4) { player.do { $0.react("\u{2764}") } }
    some[4].do { $0.react("no reaction of this audience") }
    #expect(room.network.run(atMost: .milliseconds(1_300)) { counts(room.host.engine.audience.reactions) == [4, 0, 0] })
    // The newest counts, once in a second.
    some[0].do {
      $0.react("wow")
      $0.react("\u{1F44F}")
    }
    #expect(room.network.run(atMost: .milliseconds(2_500)) { counts(room.host.engine.audience.reactions) == [3, 1, 0] })
    #expect(room.host.audience.allSatisfy { $0.reactions.allSatisfy { $0.text != "wow" || $0.count == 0 } })
    #expect(room.network.run(atMost: .seconds(8)) { some.allSatisfy { counts($0.listener.news.reactions) == [3, 1, 0] } })
    #expect(counts(room.member.engine.audience.reactions) == [0, 0, 0])
    #expect(room.network.run(atMost: .seconds(13)) { counts(room.host.engine.audience.reactions) == [0, 0, 0] })
    // By another link, too.
    room.host.do { try? $0.renewAudience() }
    room.network.run(for: .seconds(10))
    some[1].do { $0.react("wow") }
    #expect(room.network.run(atMost: .milliseconds(1_500)) { counts(room.host.engine.audience.reactions) == [0, 0, 1] })
    room.host.do { $0.closeAudience() }
    #expect(room.network.run(atMost: .seconds(1)) { room.host.engine.audience.reactions.isEmpty })
  }

  @Test("F140: of what a hub says of reactions no more count than listen, and what nobody can mean counts for nothing")
  func judged() throws {
    let room = try AudienceWorld(seed: 38, terms: AudienceTerms(reactions: ["!", "?"]), isCrooked: true)
    let one = try room.listen()
    #expect(room.network.run(atMost: .seconds(6)) { one.line != nil })
    room.crooked?.countLie = { count in
      AudienceCount(listeners: count.listeners, reactions: count.reactions.map { Tally(tag: $0.tag, count: .max) })
    }
    one.do { $0.react("?") }
    #expect(room.network.run(atMost: .seconds(2)) { counts(room.host.engine.audience.reactions) == [0, 1] })
    room.crooked?.countLie = { AudienceCount(listeners: $0.listeners, reactions: (0..<8).map { Tally(tag: $0, count: 1) }) }
    _ = try room.listen()
    #expect(room.network.run(atMost: .seconds(3)) { room.host.engine.audience.listeners == 2 })
    #expect(counts(room.host.engine.audience.reactions) == [0, 0])
  }
}
