import Testing
import UnisonoBase
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto
@testable import UnisonoRuntime

@Suite("Listeners ask to speak, and say something to hosts")
struct HandTests {
  private func invite(_ listener: ParticipantID, by host: SessionPlayer) -> AudienceRefusal? {
    var found: AudienceRefusal?
    host.do { engine in do throws(AudienceRefusal) { try engine.inviteListener(listener) } catch { found = error } }
    return found
  }

  @Test("F135, N26: a listener asks, is invited into the session and takes part; others hear nothing of it; it goes back and listens again")
  func promoted() throws {
    let room = try AudienceWorld(seed: 11)
    let both = try (0..<2).map { _ in try room.listen() }
    #expect(room.network.run(atMost: .seconds(4)) { both.allSatisfy { $0.line != nil } })
    both[0].do { $0.say(.asks, "May I say something?") }
    #expect(room.network.run(atMost: .seconds(1)) { !room.host.heard.isEmpty })
    let news = try #require(room.host.heard.first)
    #expect(news.word == .asks && news.text == "May I say something?" && room.member.heard.isEmpty)
    #expect(!room.host.engine.view.participants.contains { $0.id == news.listener })
    // Who says something does not ask, and whoever is not here neither.
    both[1].do { $0.say(.says, "hello") }
    #expect(room.network.run(atMost: .seconds(1)) { room.host.heard.count == 2 })
    #expect(invite(room.host.heard[1].listener, by: room.host) == .notAsked && invite(room.member.id, by: room.host) == .notAsked)
    #expect(invite(news.listener, by: room.member) == .notOpen)
    #expect(invite(news.listener, by: room.host) == nil)
    #expect(room.network.run(atMost: .seconds(1)) { both[0].invites.count == 1 })
    room.network.run(for: .seconds(1))
    #expect(both[1].invites.isEmpty && both.allSatisfy { $0.status == .listening })

    let machine = room.network.machine(clockOffset: .seconds(77), clockDrift: 3e-6)
    let guest = try room.world.add(machine, "Lis", .invited(Invite(parsing: both[0].invites[0])))
    guest.do { $0.join() }
    #expect(room.network.run(atMost: .seconds(5)) { (room.all + [guest]).allSatisfy { $0.people.count == 3 } })
    guest.say("thank you")
    #expect(room.network.run(atMost: .seconds(1)) { room.all.allSatisfy { $0.chat.last?.entry.text == "thank you" } })
    guest.do { $0.leave() }
    #expect(room.network.run(atMost: .seconds(5)) { room.all.allSatisfy { $0.people.count == 2 } })
    let again = try room.listen()
    #expect(room.network.run(atMost: .seconds(4)) { again.line != nil })
    #expect(room.host.engine.audience.listeners >= 2)
  }

  @Test("F135: what is said without a link is said once there is one, the newest of each word; an invite that was not asked for is none")
  func later() throws {
    let room = try AudienceWorld(seed: 12)
    room.network.run(for: .seconds(3))
    let one = try room.listen()
    one.do {
      $0.say(.says, "first")
      $0.say(.asks, "")
      $0.say(.says, "second")
    }
    #expect(room.network.run(atMost: .seconds(4)) { room.host.heard.count == 2 })
    #expect(room.host.heard.map(\.text) == ["", "second"] && room.host.heard.map(\.word) == [.asks, .says])
    let listener = room.host.heard[0].listener
    room.network.cut(room.hubMachine, room.host.machine)
    room.network.run(for: .seconds(20))
    #expect(invite(listener, by: room.host) == .notSent)
    room.network.heal(room.hubMachine, room.host.machine)
    #expect(room.network.run(atMost: .seconds(20)) { room.host.engine.audience.state == .open })
    #expect(invite(listener, by: room.host) == nil)
    #expect(room.network.run(atMost: .seconds(2)) { one.invites.count == 1 })
    room.host.do { $0.closeAudience() }
    #expect(invite(listener, by: room.host) == .notOpen)
  }

  @Test("F135: one who floods is heard as often as anybody, then put off its link, and the audience goes on")
  func flood() throws {
    let room = try AudienceWorld(seed: 13)
    let both = try (0..<2).map { _ in try room.listen() }
    #expect(room.network.run(atMost: .seconds(4)) { both.allSatisfy { $0.line != nil } })
    room.network.run(for: .seconds(12))
    both[0].do { listener in for number in 0..<7 { listener.say(.says, "\(number)") } }
    room.network.run(for: .seconds(1))
    #expect(room.host.heard.map(\.text) == ["0", "1", "2", "3"] && both[0].status == .listening)
    both[0].do { listener in for number in 7..<30 { listener.say(.says, "\(number)") } }
    room.network.run(for: .milliseconds(400))
    #expect(both[0].status == .connecting && room.host.heard.count == 4)
    both[1].do { $0.say(.says, "here") }
    #expect(room.network.run(atMost: .seconds(1)) { room.host.heard.last?.text == "here" })
    #expect(both[1].status == .listening && room.host.engine.audience.state == .open)
  }

  @Test("F135, N27: seventy say something at once: the host hears fifty of them and how many it does not, and the session goes on")
  func crowd() throws {
    let room = try AudienceWorld(seed: 14)
    let crowd = try (0..<70).map { _ in try room.listen() }
    #expect(room.network.run(atMost: .seconds(10)) { crowd.allSatisfy { $0.status == .listening } })
    for listener in crowd { listener.do { $0.say(.says, "!") } }
    let said = room.network.trueTime
    room.member.say("beside")
    #expect(room.network.run(atMost: .seconds(1)) { room.host.chat.last?.entry.text == "beside" })
    #expect(room.network.trueTime - said < .milliseconds(100))
    room.network.run(for: .seconds(2))
    #expect(room.host.heard.count == 50 && Set(room.host.heard.map(\.listener)).count == 50)
    #expect(room.host.engine.audience == AudienceNews(state: .open, listeners: 70, leftOut: 20))
  }

  @Test("N29: questions for the time are no words, ten in a second are answered of all, and words are heard beside them")
  func questions() throws {
    let random = { (count: Int) -> [UInt8] in (0..<count).map { _ in .random(in: 0 ... .max) } }
    let owner = Identity(random: random)
    let link = try AudienceLink(
      origin: Origin(root: owner.id, controlPolicy: 1, joinerRole: 2), secret: Secret(random: random), topic: owner.signing.publicKey.bytes,
      hubs: [HubAddress(address: "10.0.0.1:7400", hub: Array(owner.signing.publicKey.hashedID))])
    var heard = HandsHeard(now: 0)
    let opener = HandOpener(link)
    func hand(_ word: HandMessage.Word, by identity: Identity, _ number: UInt32) throws -> [UInt8] {
      var sealer = StageSealer(link, by: identity)
      sealer.beginLane(random: random)
      let hand = HandMessage(
        key: identity.signing.publicKey.bytes, word: word, text: word == .says ? "x" : "", number: number, inviteKey: nil)
      let envelope = sealer.seal(.hand(hand))
      return try #require(envelope)
    }
    let many = (0..<40).map { _ in Identity(random: random) }
    let answered = try many.filter {
      heard.take(try hand(.time, by: $0, 7), by: opener, now: 0) == .asksForTime($0.id, number: 7)
    }
    #expect(answered.map(\.id) == many.prefix(10).map(\.id) && heard.asking.isEmpty)
    guard case .said(let news)? = heard.take(try hand(.says, by: many[39], 8), by: opener, now: 0) else {
      Issue.record("nobody is heard")
      return
    }
    #expect(news == ListenerNews(listener: many[39].id, word: .says, text: "x"))
    // One alone: four at once, then two in five seconds.
    let flood = try (1...20).filter { heard.take(try hand(.time, by: owner, UInt32($0)), by: opener, now: .seconds(60)) != nil }
    #expect(flood == [1, 2, 3, 4])
  }

  @Test("F135: what another says in a listener's name, what was said before, and what steers a terminal")
  func judged() throws {
    let random = { (count: Int) -> [UInt8] in (0..<count).map { _ in .random(in: 0 ... .max) } }
    let (owner, one, other) = (Identity(random: random), Identity(random: random), Identity(random: random))
    let link = try AudienceLink(
      origin: Origin(root: owner.id, controlPolicy: 1, joinerRole: 2), secret: Secret(random: random), topic: owner.signing.publicKey.bytes,
      hubs: [HubAddress(address: "10.0.0.1:7400", hub: Array(owner.signing.publicKey.hashedID))])
    var heard = HandsHeard(now: 0)
    let opener = HandOpener(link)
    var sealers = [one, other].map { StageSealer(link, by: $0) }
    for index in sealers.indices { sealers[index].beginLane(random: random) }
    func hand(_ sealer: Int, as identity: Identity, _ number: UInt32, _ text: String = "x", asks key: [UInt8]? = nil) throws -> [UInt8] {
      let hand = HandMessage(
        key: identity.signing.publicKey.bytes, word: key == nil ? .says : .asks, text: text, number: number, inviteKey: key)
      let envelope = sealers[sealer].seal(.hand(hand))
      return try #require(envelope)
    }
    var now: HostTime = 0
    func take(_ envelope: [UInt8]) -> ListenerNews? {
      now = now.adding(.seconds(10))
      guard case .said(let news) = heard.take(envelope, by: opener, now: now) else { return nil }
      return news
    }
    // Another's key, and an id that is not the key's.
    #expect(try take(hand(1, as: one, 1)) == nil)
    // A key for invites that is none.
    #expect(try take(hand(0, as: one, 1, asks: [UInt8](repeating: 255, count: 1_216))) == nil && heard.asking.isEmpty)
    let steering = try hand(0, as: one, 2, "a\u{1B}[2J\u{202E}b\nc", asks: one.hybrid.publicKey.bytes)
    #expect(take(steering) == ListenerNews(listener: one.id, word: .asks, text: "a\u{FFFD}[2J\u{FFFD}b\nc"))
    #expect(heard.asking == [one.id] && heard.key(of: one.id) == one.hybrid.publicKey && heard.key(of: other.id) == nil)
    #expect(try take(steering) == nil && take(hand(0, as: one, 2)) == nil && take(hand(0, as: one, 1)) == nil)
    var changed = try hand(0, as: one, 3)
    changed[changed.count - 1] ^= 1
    #expect(take(changed) == nil)
    #expect(try take(hand(0, as: one, 3))?.text == "x")
    // What publishers say is none of it.
    let line = sealers[0].seal(.line(StageLine(sent: nil, error: 0, statements: [])))
    #expect(try take(#require(line)) == nil)
    // Whoever asked before 256 others is forgotten.
    for number in 0..<256 {
      let asker = Identity(random: random)
      var sealer = StageSealer(link, by: asker)
      sealer.beginLane(random: random)
      let message = HandMessage(
        key: asker.signing.publicKey.bytes, word: .asks, text: "\(number)", number: 1, inviteKey: asker.hybrid.publicKey.bytes)
      let envelope = sealer.seal(.hand(message))
      #expect(try take(#require(envelope)) != nil)
    }
    #expect(heard.asking.count == 256 && !heard.asking.contains(one.id) && heard.key(of: one.id) == nil)
  }
}
