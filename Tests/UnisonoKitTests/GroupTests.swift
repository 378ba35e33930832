import Testing
import UnisonoKit

@Suite("UnisonoKit: a group in Swift", .timeLimit(.minutes(2))) struct GroupTests {
  @Test("F79: a play asked for by one is a command of both delegates, on one line") func play() async throws {
    let (ann, ben) = try await Member.pair()
    let timing = ann.coordinator.events
    try ben.coordinator.coordinateRateChange(to: 1)
    await ann.deck.hears("play")
    await ben.deck.hears("play")
    let change = try await timing.first { if case .timing(let change) = $0 { change.state == .playing } else { false } }
    guard case .timing(let playing) = change else { return }
    #expect(playing.item == "film" && playing.rate == 1 && playing.cause == .play)
    #expect(playing.originator == (try ben.session.localParticipant))
    let (one, other) = (try #require(await ann.deck.plays.last), try #require(await ben.deck.plays.last))
    #expect(one.originator == playing.originator && other.originator == nil)
    let instant = one.hostTime
    let apart = distance(one.itemTime(at: instant), other.itemTime(at: instant))
    #expect(apart < .milliseconds(50), "one line, but for what two clocks do not know of each other")
    #expect(ann.coordinator.expectedItemTime(at: instant + .seconds(3)) != nil)
    await ann.close()
    await ben.close()
  }

  @Test("F101: a second screen of each plays by itself, and what was done there says whose items it was")
  func secondScreens() async throws {
    let (ann, ben) = try await Member.pair()
    let notices = ben.session.events
    let decks = [Deck(), Deck()]
    let screens = [
      try Coordinator(on: ann.context, delegate: decks[0]), try Coordinator(on: ben.context, delegate: decks[1]),
    ]
    let seen = screens.map { $0.events }
    try screens[0].coordinate(with: ann.session, as: "second screen")
    try screens[1].coordinate(with: ben.session, as: "second screen")
    for screen in screens { try screen.transition(toItem: "film") }
    for events in seen {
      _ = try await events.first { if case .participants(let change) = $0 { !change.joined.isEmpty } else { false } }
    }
    try screens[0].coordinateRateChange(to: 1)
    for deck in decks { await deck.hears("play") }
    let notice = try await notices.first { if case .notice(let notice) = $0 { notice.kind == .played } else { false } }
    if case .notice(let notice) = notice {
      #expect(notice.coordinator == "second screen" && notice.description.hasPrefix("second screen: "))
    }
    #expect(await ann.deck.plays.isEmpty)
    #expect(throws: UnisonoError.self) { try screens[0].coordinate(with: ann.session, as: "") }
    await ann.close()
    await ben.close()
  }

  @Test("F133, F134: one listens to an audience in Swift, follows it, and is told when it is closed") func audience() async throws {
    let (context, room) = (try Context(.init(deviceName: "Ann")), try Context(.init(deviceName: "Ben")))
    var options = Session.Options(displayName: "Ann")
    options.controlPolicy = .hostsOnly
    options.hubOptions.listen = ["127.0.0.1:0"]
    let session = try Session.host(on: context, options)
    let (decks, news) = ([Deck(), Deck()], session.events)
    let film = try Coordinator(on: context, delegate: decks[0])
    try film.coordinate(with: session)
    try session.join()
    _ = try await news.first { if case .state(let change) = $0 { change.state == .joined } else { false } }
    #expect(throws: UnisonoError.self) { try session.audienceLink() }
    try film.transition(toItem: "film")
    #expect(throws: UnisonoError.self) { try session.openAudience(readyShare: -1) }
    try session.openAudience(readyShare: 50, readyWait: .seconds(2), reactions: ["+1", "-1"])
    _ = try await news.first { if case .audience(let change) = $0 { change.state == .open } else { false } }
    let screen = try Coordinator(on: room, delegate: decks[1])
    let heard = screen.events
    #expect(throws: UnisonoError.self) { try screen.listen(to: session.invite) }
    try screen.listen(to: session.audienceLink())
    _ = try await heard.first {
      if case .listening(let change) = $0 { change.status == .following && change.item == "film" } else { false }
    }
    #expect(throws: UnisonoError.self) { try screen.coordinate(with: session) }
    try screen.transition(toItem: "film")
    try film.coordinateRateChange(to: 1)
    for deck in decks { await deck.hears("play") }
    let (one, other) = (try #require(await decks[0].plays.last), try #require(await decks[1].plays.last))
    #expect(distance(one.itemTime(at: one.hostTime), other.itemTime(at: one.hostTime)) < .milliseconds(50))
    try screen.react("-1")
    #expect(throws: UnisonoError.self) { try screen.react("?") }
    _ = try await news.first {
      if case .audience(let change) = $0 { change.reactions.map(\.count) == [0, 1] } else { false }
    }
    // How far it can be off is told once, within ten seconds of when it began.
    let bounded = try await heard.first { if case .listening(let change) = $0 { change.clockBehind != nil } else { false } }
    guard case .listening(let change) = bounded else { return }
    try screen.coordinateSeek(to: .seconds(60))
    _ = try await heard.first { if case .error(let error) = $0 { error.error.status == .denied } else { false } }
    let link = try session.audienceLink()
    try session.renewAudience()
    _ = try await news.first { _ in (try? session.audienceLink()) != link }
    #expect(try session.audienceLink() != link && change.clockAhead != nil && !change.isClockDoubted)
    try session.closeAudience()
    let last = try await heard.first { if case .listening(let change) = $0 { change.status == .over } else { false } }
    guard case .listening(let over) = last else { return }
    #expect(over.reason != nil)
    try screen.stopListening()
    await context.close()
    await room.close()
  }

  @Test("F86, F87: a playlist that two share in Swift, and copies of what is on it") func playlist() async throws {
    let (ann, ben) = try await Member.pair()
    let events = ben.session.events
    let second = try ann.session.addEntry(
      PlaylistEntry(item: "second", title: "A film", copy: ItemCopy(fileSize: 700), addresses: ["https://example.org/a"],
        ranges: [SkipRange(from: .zero, to: .seconds(90), .intro), SkipRange(from: .seconds(90), to: .seconds(95), .credits)]))
    let first = try ann.session.addEntry(PlaylistEntry(item: "first"), before: second)
    try ann.session.selectEntry(first)
    let chosen = try await events.first {
      if case .playlist(let change) = $0 { change.currentChanged && change.item == "first" } else { false }
    }
    guard case .playlist(let change) = chosen else { return }
    let annID = try ann.session.localParticipant
    #expect(change.current == first && !change.isByEnd && change.originator == annID)
    let list = try ben.session.playlist()
    #expect(list.current == first && list.entries.map(\.item) == ["first", "second"])
    #expect(list.entries[1].copy == ItemCopy(fileSize: 700) && list.entries[1].addresses == ["https://example.org/a"])
    #expect(list.entries[1].ranges.map(\.kind) == [.intro, .credits] && list.entries[1].ranges[1].end == .seconds(95))
    #expect(throws: UnisonoError.self) {
      try ann.session.addEntry(PlaylistEntry(item: "wrong", ranges: [SkipRange(from: .seconds(5), to: .seconds(2), .intro)]))
    }
    try ann.coordinator.setSkippedRanges([.intro, .recap])
    try ben.coordinator.setInterstitials([.seconds(5)..<(.seconds(9)), .seconds(60)..<(.seconds(90))], of: "first")
    #expect(throws: UnisonoError.self) {
      try ben.coordinator.setInterstitials([.seconds(5)..<(.seconds(9)), .seconds(8)..<(.seconds(90))], of: "first")
    }
    try ben.session.nextEntry(follows: first)
    try ben.session.moveEntry(first)
    try ben.session.removeEntry(second)
    try ann.session.setCopy(ItemCopy(fileSize: 700), of: first)
    try ben.session.setCopy(ItemCopy(fileSize: 701), of: first)
    let compared = try await events.first { if case .copy = $0 { true } else { false } }
    guard case .copy(let comparison) = compared else { return }
    #expect(comparison.differences == .size && comparison.entry == first && comparison.copy.fileSize == 700)
    try ben.session.setCutOffset(.seconds(12), of: first)
    #expect(throws: UnisonoError.self) { try ben.session.setCutOffset(.seconds(7 * 3_600)) }
    #expect(throws: UnisonoError.self) { try ItemCopy(ofFile: "/nowhere/at/all") }
    await ann.close()
    await ben.close()
  }

  @Test("F79: a function that returns completes its command: the others wait until then, and see for whom")
  func completes() async throws {
    let (ann, ben) = try await Member.pair()
    await ben.deck.set(.hangs, for: "buffer")
    try ann.coordinator.setWaitLimit(.seconds(600))
    let timing = ann.coordinator.events
    try ann.coordinator.coordinateRateChange(to: 1)
    let benID = try ben.session.localParticipant
    _ = try await timing.first {
      if case .timing(let change) = $0 { change.waitingFor.map(\.participant) == [benID] } else { false }
    }
    #expect(try ann.coordinator.waitingFor.map(\.participant) == [benID])
    await ben.deck.hears("buffer")
    // A newer command: the one that hangs is cancelled, has returned, and counts for nothing.
    await ben.deck.set(.works, for: "buffer")
    try ann.coordinator.coordinateSeek(to: .seconds(60))
    _ = try await timing.first { if case .timing(let change) = $0 { change.state == .playing } else { false } }
    #expect(await ben.deck.cancelled == 1)
    #expect(await ben.deck.mostAtWork == 1, "one command at a time")
    #expect(try ben.coordinator.statistics.commandsCompleted > 0)
    #expect(try ben.coordinator.statistics.commandsFailed == 0)
    await ann.close()
    await ben.close()
  }

  @Test("F84: a start waits for a person, who says that it is ready, or is gone on without") func persons() async throws {
    let (ann, ben) = try await Member.pair()
    let timing = ann.coordinator.events
    try ann.coordinator.setStartPolicy(.init(start: .whenReady, limit: .seconds(600), pausesWhenSomebodyLeaves: true))
    try ann.coordinator.coordinateRateChange(to: 1)
    let benID = try ben.session.localParticipant
    let change = try await timing.first {
      if case .timing(let change) = $0 { change.waitingFor.map(\.reason) == [.notReady] } else { false }
    }
    guard case .timing(let waiting) = change else { return }
    #expect(waiting.waitingFor.map(\.participant) == [benID])
    try ben.coordinator.setReady(.ready)
    await ann.deck.hears("play")
    _ = try await ann.sees("Ben") { $0.readiness == .ready }
    #expect(try ben.coordinator.startPolicy.limit == .seconds(600))
    #expect(try ben.coordinator.startPolicy.pausesWhenSomebodyLeaves)
    try ben.coordinator.setReady(.notReady)
    try ann.coordinator.coordinateRateChange(to: 0)
    await ann.deck.hears("pause")
    let again = ann.coordinator.events
    _ = try await ann.sees("Ben") { $0.readiness == .notReady }
    try ann.coordinator.coordinateRateChange(to: 1)
    _ = try await again.first {
      if case .timing(let change) = $0 { change.waitingFor.map(\.reason) == [.notReady] } else { false }
    }
    try ann.coordinator.start(without: [benID])
    _ = try await again.first { if case .timing(let change) = $0 { change.state == .playing } else { false } }
    await ann.close()
    await ben.close()
  }

  @Test("F79: a function that throws fails its command: the others see that this device is suspended")
  func fails() async throws {
    let (ann, ben) = try await Member.pair()
    for word in ["pause", "seek to 5.0"] { await ben.deck.set(.fails(UnisonoError(.inputOutput)), for: word) }
    try ann.coordinator.coordinateSeek(to: .seconds(5))
    let suspended = try await ann.sees("Ben") { !$0.suspensionReasons.isEmpty }
    #expect(!suspended.isLocal)
    #expect(try ben.coordinator.statistics.commandsFailed > 0)
    #expect(try ann.coordinator.statistics.commandsFailed == 0)
    await ann.close()
    await ben.close()
  }

  @Test("F79: messages reach whom they are for, with their proven sender") func messages() async throws {
    let (ann, ben) = try await Member.pair()
    let (first, second) = (ben.session.events, ben.session.events)
    try ann.session.send([1, 0, 255])
    try ann.session.send([], to: [try ben.session.localParticipant])
    for events in [first, second] {
      var found: [Message] = []
      for await case .message(let message) in events {
        found.append(message)
        if found.count == 2 { break }
      }
      #expect(found.map(\.bytes) == [[1, 0, 255], []])
      #expect(found.map(\.sender) == Array(repeating: try ann.session.localParticipant, count: 2))
      #expect(found.map(\.delivery) == [.reliable, .reliable])
    }
    #expect(throws: UnisonoError.self) { try ann.session.send([], to: [try #require(ParticipantID(bytes: Array(repeating: 9, count: 16)))]) }
    await ann.close()
    await ben.close()
  }

  @Test("F94: what one kept on another day is gone on with, as who it was, by whoever has the key") func goesOn() async throws {
    let (ann, ben) = try await Member.pair()
    let key = [UInt8](repeating: 7, count: 32)
    let kept = try ann.session.continuation(key: key)
    let id = try ann.session.localParticipant
    await ann.close()
    await ben.close()
    let context = try Context(.init(deviceName: "Ann"))
    var options = Session.Options(displayName: "Ann")
    options.hubOptions.listen = ["127.0.0.1:0"]
    options.continuation = kept
    options.continuationKey = key
    #expect(try Session.host(on: context, options).localParticipant == id)
    options.continuationKey[0] = 8
    #expect(throws: UnisonoError.self) { try Session.host(on: context, options) }
    await context.close()
  }

  @Test("F79: an activity, a notice and a request reach the others as values") func values() async throws {
    let (ann, ben) = try await Member.pair()
    let (events, answers) = (ann.session.events, ben.session.events)
    try ann.session.setControlPolicy(.hostsOnly)
    try ann.session.setClosed(true)
    _ = try await answers.first { if case .state(let change) = $0 { change.isClosed } else { false } }
    var activity = Activity(activityIdentifier: "org.example.watch", type: .watchTogether, title: "A film", payload: [7])
    activity.fallbackURL = "https://example.org"
    try ann.session.activate(activity)
    _ = try await answers.first { if case .activity(activity, _, isLocal: false) = $0 { true } else { false } }
    #expect(try ben.session.activity == activity)
    try ben.session.showNotice("has brought popcorn")
    let notice = try await events.first { if case .notice(let notice) = $0 { notice.kind == .custom } else { false } }
    if case .notice(let notice) = notice { #expect(notice.text == "has brought popcorn" && notice.name == "Ben") }
    let number = try ben.session.requestCommand(.seek(to: .seconds(7)), text: "please")
    let asked = try await events.first { if case .request = $0 { true } else { false } }
    guard case .request(let request) = asked else { return }
    #expect(request.command == .seek(to: .seconds(7)) && request.text == "please" && request.status == .open)
    let timing = ben.coordinator.events
    try ann.session.answerRequest(request, granted: true)
    let granted = try await answers.first { if case .request = $0 { true } else { false } }
    if case .request(let answer) = granted { #expect(answer.number == number && answer.status == .granted) }
    _ = try await timing.first { if case .timing(let change) = $0 { change.itemTime == .seconds(7) } else { false } }
    await ann.close()
    await ben.close()
  }

  @Test("F81: what one says and how one reacts is told to the other, and what was said is kept") func chat() async throws {
    let (ann, ben) = try await Member.pair()
    let (events, own) = (ann.session.events, ben.session.events)
    let number = try ben.session.chat("look\nthere")
    let heard = try await events.first { if case .chat(let message, _, _) = $0 { !message.isReaction } else { false } }
    guard case .chat(let message, isOwn: false, isHistory: false) = heard else {
      Issue.record("told as its own, or as history")
      return
    }
    #expect(message.text == "look\nthere" && message.name == "Ben" && message.item == "film" && message.number == number)
    #expect(message.author == (try ben.session.localParticipant) && message.said != nil)
    try ben.session.react("👏")
    let clap = try await events.first { if case .chat = $0 { true } else { false } }
    if case .chat(let reaction, _, _) = clap { #expect(reaction.isReaction && reaction.text == "👏" && reaction.number == 0) }
    _ = try await own.first { if case .chat(let message, isOwn: true, _) = $0 { message.text == "👏" } else { false } }
    #expect(try ann.session.chatHistory.map(\.text) == ["look\nthere"])
    #expect(try ann.session.chatHistory.first?.author == message.author)
    #expect(throws: UnisonoError.self) { try ben.session.chat("") }
    await ann.close()
    await ben.close()
  }

  @Test("F79: who leaves is told so, and the others see it") func leaving() async throws {
    let (ann, ben) = try await Member.pair()
    let events = ann.session.events
    #expect(await ben.session.leave(within: .seconds(30)))
    #expect(try ben.session.state == .invalidated)
    _ = try await events.first {
      guard case .participants(let change) = $0 else { return false }
      return change.left.contains { $0.displayName == "Ben" } || (change.isComplete && change.joined.count == 1)
    }
    #expect(try ann.session.activeParticipants.map(\.displayName) == ["Ann"])
    #expect(throws: UnisonoError.self) { try ben.session.leave() }
    #expect(await ben.session.leave(within: .seconds(30)) == false, "a second time there is nobody to tell")
    await ann.close()
    await ben.close()
  }

  @Test("F79: a context that nobody holds leaves, and lets go of its delegate") func released() async throws {
    let (ann, ben) = try await Member.pair()
    let events = ann.session.events
    let invite = try ann.session.invite
    let (gone, farewell) = AsyncStream<Void>.makeStream()
    do {
      let carl = try Member("Carl", invite: invite)
      try await carl.join()
      await carl.deck.says(farewell)
      _ = try await ann.sees("Carl")
    }
    while try ann.session.activeParticipants.contains(where: { $0.displayName == "Carl" }) {
      _ = try await events.first { if case .participants = $0 { true } else { false } }
    }
    for await _ in gone {}
    await ann.close()
    await ben.close()
  }

  @Test("F79: a suspension is seen by the others and ends once") func suspension() async throws {
    let (ann, ben) = try await Member.pair()
    let suspension = try ben.coordinator.beginSuspension(for: "looking-at-the-map")
    _ = try await ann.sees("Ben") { $0.suspensionReasons == ["looking-at-the-map"] }
    #expect(try suspension.reason == "looking-at-the-map")
    #expect(try suspension.beginTime <= .now)
    try suspension.end()
    _ = try await ann.sees("Ben") { $0.suspensionReasons.isEmpty }
    let error = #expect(throws: UnisonoError.self) { try suspension.end() }
    #expect(error?.status == .wrongState)
    await ann.close()
    await ben.close()
  }

  @Test("F79: a suspension that ends with a proposal takes the group there") func proposal() async throws {
    let (ann, ben) = try await Member.pair()
    let suspension = try ben.coordinator.beginSuspension(for: .userIsChangingCurrentTime)
    _ = try await ann.sees("Ben") { !$0.suspensionReasons.isEmpty }
    let timing = ann.coordinator.events
    try suspension.end(proposingNewTime: .seconds(90))
    let moved = try await timing.first { if case .timing(let change) = $0 { change.itemTime == .seconds(90) } else { false } }
    if case .timing(let change) = moved { #expect(change.originator == (try ben.session.localParticipant)) }
    await ann.deck.hears("seek to 90.0")
    _ = try await ann.sees("Ben") { $0.suspensionReasons.isEmpty }
    let error = #expect(throws: UnisonoError.self) { try suspension.end(proposingNewTime: .zero) }
    #expect(error?.status == .wrongState)
    await ann.close()
    await ben.close()
  }

  @Test("F79: the deputy that an owner named is owner when that one leaves, not who was there longer") func deputies() async throws {
    let (ann, ben) = try await Member.pair()
    let carl = try Member("Carl", invite: ann.session.invite)
    try await carl.join()
    _ = try await ann.sees("Carl")
    _ = try await ben.sees("Carl")
    let (annID, benID, carlID) = (
      try ann.session.localParticipant, try ben.session.localParticipant, try carl.session.localParticipant
    )
    func status(_ body: () throws -> Void) -> UnisonoError.Status? {
      #expect(throws: UnisonoError.self, performing: body)?.status
    }
    #expect(status { try ben.session.setDeputies([carlID]) } == .denied)
    #expect(status { try ann.session.setDeputies([annID]) } == .invalidArgument, "an owner")
    #expect(status { try ann.session.setDeputies([]) } == .invalidArgument)
    #expect(status { try ann.session.setDeputies([carlID], delay: .seconds(4)) } == .invalidArgument)
    #expect(status { try ann.session.setSuccession(.named) } == .invalidArgument)
    try ann.session.setDeputies([carlID], delay: .seconds(20))
    try ann.session.setRole(.host, of: benID)  // what is said later arrives later
    _ = try await carl.sees("Ben") { $0.role == .host }
    let known = try carl.session.succession
    #expect(known.succession == .named && known.deputies == [carlID] && known.acting == nil && known.delay == .seconds(20))
    #expect(await ann.session.leave(within: .seconds(30)))
    _ = try await ben.sees("Carl") { $0.role == .owner }
    for member in [ann, ben, carl] { await member.close() }
  }

  @Test("F79: a session counts what was sent and says how well it knows the time") func statistics() async throws {
    let (ann, ben) = try await Member.pair()
    let (before, messages) = (try ann.session.statistics, ann.session.events)
    try ben.session.send(Array(repeating: 1, count: 5000))
    _ = try await messages.first { if case .message = $0 { true } else { false } }
    let after = try ann.session.statistics
    #expect(after.messagesReceived > before.messagesReceived && after.bytesReceived >= before.bytesReceived + 5000)
    #expect(after.messagesRefused == 0)
    #expect(try ben.session.statistics.messagesSent > 0)
    let timing = ben.coordinator.events
    try ben.coordinator.coordinateRateChange(to: 1)
    _ = try await timing.first { if case .timing(let change) = $0 { change.state == .playing } else { false } }
    let clock = try ben.session.statistics
    #expect(clock.clockState != .none && clock.probesReceived > 0)
    #expect(try #require(clock.clockError) > .zero && #require(clock.roundTrip) > .zero)
    #expect(ben.session.sessionTime(at: .now) != nil)
    await ann.close()
    await ben.close()
  }

  @Test("F79: a hub of its own carries a group of others, counts it, and goes with who holds it") func hub() async throws {
    let context = try Context()
    var limits = Hub.Options(listen: ["127.0.0.1:0"])
    limits.connections = 2
    let hub = try Hub(on: context, limits)
    let address = try #require(try hub.lines.first)
    let ann = try Member("Ann", hub: address)
    try await ann.join()
    let ben = try Member("Ben", invite: ann.session.invite)
    try await ben.join()
    _ = try await ann.sees("Ben")
    let counted = try hub.statistics
    #expect(counted.rooms == 1 && counted.connections == 2)
    #expect(counted.framesIn > 0 && counted.bytesOut > 0)
    let carl = try Member("Carl", invite: ann.session.invite)
    let states = carl.session.events
    try carl.session.join()
    let refused = try await states.first { if case .state(let change) = $0 { change.reason != nil } else { false } }
    if case .state(let change) = refused { #expect(change.reason?.status == .full && change.state != .joined) }
    #expect(try hub.statistics.refused > 0)
    limits.listen = [address]
    let taken = #expect(throws: UnisonoError.self) { try Hub(on: context, limits) }
    #expect(taken?.status == .network)
    await context.close()
    let closed = #expect(throws: UnisonoError.self) { try hub.statistics }
    #expect(closed?.status == .closed)
    for member in [ann, ben, carl] { await member.close() }
  }
}
