import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoSimulator
import UnisonoWire

@Suite struct PermissionTests {
  private func room(_ names: [String] = ["A", "B", "C"], control: ControlPolicy = .perRole, seed: UInt64 = 1)
    -> SimulatedSession
  {
    let room = SimulatedSession(
      seed: seed, participants: names, delay: .milliseconds(20), jitter: .milliseconds(4), control: control)
    room.join()
    room.gather(on: "X")
    return room
  }

  /// Cells that `person` sent since a true time.
  private func cells(of person: Person, since time: Nanoseconds) -> [Statement] {
    person.updates(since: time).flatMap { message -> [Statement] in
      guard case .update(let statements) = message else { return [] }
      return statements.filter {
        switch $0.key {
        case .rate, .position, .continuation, .activity, .end, .clock, .stallPolicy, .actionAtEnd, .startPolicy, .skipPolicy, .playlistEntry,
          .playlistCurrent, .scheduledStart, .audience:
          $0.author == person.id
        case .participant, .policy, .attachment: false
        }
      }
    }
  }

  @Test("P1: B may only view: play, seek and pause are EDENIED at B, nothing is sent, its player returns to the group")
  func viewer() {
    let room = room()
    room.a.setRole(of: room.b, to: .viewer)
    room.run(for: .seconds(1))
    #expect(room.b.role == .viewer && !room.b.view.mayCommand)
    #expect(room.c.view.participants.first { $0.id == room.b.id }?.role == .viewer)
    let start = room.now
    let commands = room.player("B").commands.count
    room.b.play()
    room.b.seek(to: .seconds(30))
    room.b.pause()
    room.run(for: .seconds(1))
    #expect(room.b.history.refusals.map(\.value.status) == [.denied, .denied, .denied])
    #expect(cells(of: room.b, since: start).isEmpty)
    #expect(room.nonePlays && room.spread == 0)
    // It was told again where the group is.
    #expect(room.player("B").commands.dropFirst(commands).map(\.command.kind).contains(.pause))
    room.a.play()
    room.run(for: .seconds(2))
    #expect(room.allPlay && room.spread <= inStep)
    room.b.playerWanders(rate: 0)
    room.b.pause()
    room.run(for: .seconds(1))
    #expect(room.allPlay && room.spread <= inStep)
    #expect(cells(of: room.b, since: start).isEmpty)
    #expect(room.violations.isEmpty)
  }

  @Test("P1: with HOSTS_ONLY from the start members follow, and whom an owner makes a host commands")
  func hostsOnly() {
    let room = room(control: .hostsOnly)
    room.b.play()
    room.run(for: .seconds(1))
    #expect(room.nonePlays)
    #expect(room.b.history.refusals.map(\.value.operation) == [.coordinateRateChange])
    room.a.setRole(of: room.b, to: .host)
    room.run(for: .seconds(1))
    room.b.play()
    room.run(for: .seconds(2))
    #expect(room.allPlay && room.spread <= inStep)
    room.b.setRole(of: room.c, to: .host)
    room.run(for: .seconds(1))
    #expect(room.b.history.refusals.last?.value.operation == .setRole)
    #expect(room.c.role == .member)
    room.a.setControl(.everyone)
    room.run(for: .seconds(1))
    room.c.pause()
    room.run(for: .seconds(1))
    #expect(room.nonePlays && room.spread <= .milliseconds(60))
  }

  /// B may not command, and has been on an item that nobody else is on for 3 s, at 60 s when it came, running.
  private func roomWhereViewerBrings() -> SimulatedSession {
    let room = room(["A", "B"])
    room.a.setRole(of: room.b, to: .viewer)
    room.run(for: .seconds(1))
    room.b.transition(to: "Y", proposing: Proposal(rate: 1, itemTime: .seconds(60)))
    room.run(for: .seconds(3))
    return room
  }

  @Test("P1: what B brings to an item while it may not command becomes the group's state there when it may")
  func unproposed() {
    let room = roomWhereViewerBrings()
    let brought = room.now - .seconds(3)
    #expect(room.b.status == .none)
    let commands = room.player("B").commands.count
    room.a.setRole(of: room.b, to: .member)
    room.run(for: .seconds(1))
    #expect(room.b.status == .playing)
    // Its player does so already.
    #expect(room.player("B").commands.count == commands)
    room.a.transition(to: "Y")
    room.run(for: .seconds(3))
    #expect(room.allPlay && room.spread <= inStep)
    let moved = room.player("B").position - .seconds(60)
    #expect((moved - (room.now - brought)).length <= inStep)
    #expect(room.violations.isEmpty)
  }

  @Test("P1: what B brought, and moved apart from the group since, becomes the group's state as its player is by then", arguments: [false, true])
  func movedUnproposed(pauses: Bool) {
    let room = roomWhereViewerBrings()
    let suspension = room.b.suspend("scrubbing")
    room.b.seek(to: .seconds(400))
    if pauses { room.b.pause() }
    room.run(for: .seconds(1))
    room.b.end(suspension)
    room.run(for: .seconds(5))
    let commands = room.player("B").commands.count
    room.a.setRole(of: room.b, to: .member)
    room.run(for: .seconds(1))
    #expect(room.b.status == (pauses ? .paused : .playing) && room.player("B").commands.count == commands)
    room.a.transition(to: "Y")
    room.run(for: .seconds(3))
    #expect(room.spread <= inStep && (pauses ? room.nonePlays : room.allPlay))
    #expect((room.player("A").position - .seconds(pauses ? 400 : 410)).length <= .milliseconds(500))
    #expect(room.violations.isEmpty)
  }

  @Test("P1: what B brought, and stalled with since, becomes the group's state where its player is by then")
  func stalledUnproposed() {
    let room = roomWhereViewerBrings()
    room.b.stalls(for: .seconds(6))
    room.run(for: .seconds(10))
    room.a.setRole(of: room.b, to: .member)
    room.run(for: .seconds(1))
    #expect(room.b.status == .playing)
    room.a.transition(to: "Y")
    room.run(for: .seconds(3))
    #expect(room.allPlay && room.spread <= inStep)
    #expect(room.player("B").position < .seconds(73))
    #expect(room.violations.isEmpty)
  }

  @Test("P1: what B brought is dropped when somebody who may command gives the item a state first")
  func overtaken() {
    let room = roomWhereViewerBrings()
    room.a.transition(to: "Y", proposing: Proposal(rate: 0, itemTime: .seconds(7)))
    room.run(for: .seconds(1))
    room.a.setRole(of: room.b, to: .member)
    room.run(for: .seconds(2))
    #expect(room.nonePlays)
    for player in room.players { #expect(player.position == .seconds(7)) }
  }

  @Test(
    "P1: a seek or a rate that was kept, as it came soon after another, is denied when B may not command any more",
    arguments: [true, false])
  func keptTooLong(seeks: Bool) {
    let room = room(["A", "B"])
    room.a.play()
    room.run(for: .seconds(3))
    room.a.setControl(.hostsOnly)
    room.run(for: .milliseconds(20))
    if seeks { room.b.seek(to: .seconds(100)) } else { room.b.play(rate: 1.25) }
    room.run(for: .milliseconds(10))
    let start = room.now
    if seeks { room.b.seek(to: .seconds(900)) } else { room.b.play(rate: 1.5) }
    room.run(for: .seconds(3))
    // The first one, too: it came to nobody before the policy did.
    #expect(room.b.history.refusals.map(\.value.status) == [.denied, .denied])
    #expect(cells(of: room.b, since: start).isEmpty)
    #expect(room.allPlay && room.spread <= inStep)
    for player in room.players { #expect(player.position < .seconds(200)) }
    #expect(room.violations.isEmpty)
  }

  @Test("P2: what a viewer writes, citing any policy, or in another's name, is refused by every receiver")
  func forged() throws {
    let room = room()
    room.a.setRole(of: room.b, to: .viewer)
    room.run(for: .seconds(1))
    let policy = try #require(room.b.history.policies.last?.value.id)
    let before = room.now
    for (number, cited) in [policy, PolicyID.none, PolicyID(high: 5, low: 5)].enumerated() {
      for author in [room.b.id, room.a.id] where author == room.b.id || cited == .none {
        let seek = Statement(
          key: .position("X"), author: author, policy: cited, time: room.groupTime + Int64(number),
          value: .position(PositionValue(rank: .command, position: .seconds(99))))
        room.c.receive(.update([seek]), from: room.b)
      }
    }
    room.run(for: .seconds(3))
    #expect(room.spread == 0)
    for person in room.people { #expect(person.groupPosition == 0) }
    #expect(cells(of: room.c, since: before).isEmpty)
    #expect(room.c.history.policies.last?.value == room.a.history.policies.last?.value)
  }

  @Test("P3: A promotes B and demotes it again, racing with B's seek: the same outcome everywhere", arguments: 0..<24)
  func race(_ step: Int) {
    let room = room(["A", "B", "C", "D"], seed: UInt64(step) + 1)
    room.a.setRole(of: room.b, to: .viewer)
    room.run(for: .seconds(1))
    room.a.play()
    room.run(for: .seconds(2))
    room.a.setRole(of: room.b, to: .host)
    room.run(for: .milliseconds(500))
    let seek = Nanoseconds.milliseconds(Int64(step % 8) * 12)
    room.after(.milliseconds(40)) { $0.a.setRole(of: $0.b, to: .viewer) }
    room.after(seek) { $0.b.seek(to: .seconds(500)) }
    if step >= 16 { room.after(.milliseconds(60)) { $0.c.seek(to: .seconds(900)) } }
    room.run(for: .seconds(6))
    #expect(room.spread <= inStep)
    #expect(room.allPlay)
    let position = room.a.groupPosition
    for person in room.people {
      #expect((person.groupPosition - position).length <= inStep)
      #expect(person.view.participants.first { $0.id == room.b.id }?.role == .viewer)
    }
    // C may command all the time: its seek counts, as B's, when it came, is older.
    if step >= 16 { #expect(position >= .seconds(900)) }
    #expect(room.violations.isEmpty)
  }

  @Test("P14: an owner pauses, then one who may not any more by the time: nobody plays on", arguments: 0..<24)
  func replacedByOneWhoMayNot(step: Int64) {
    let room = room(["A", "B", "C"])
    room.a.setRole(of: room.c, to: .owner)
    room.run(for: .seconds(1))
    room.a.play()
    room.run(for: .seconds(3))
    #expect(room.allPlay)
    // What A says, and what it confirms then, is one turn's, and comes to the others as one.
    room.a.isKeptWaiting(for: .seconds(3), turnEvery: .milliseconds(231))
    room.run(for: .milliseconds(10 * step))
    room.a.setControl(.hostsOnly)
    room.run(for: .milliseconds(10))
    room.c.pause()
    room.run(for: .milliseconds(50))
    room.b.pause()
    room.run(for: .seconds(10))
    #expect(!room.b.view.mayCommand && room.c.view.mayCommand)
    #expect(room.nonePlays && Set(room.people.map(\.groupPosition)).count == 1)
    #expect(room.c.history.refusals.isEmpty && room.violations.isEmpty)
  }

  @Test("P14: an owner that slept while others played takes their say as it wakes: it confirms what they did", arguments: [8, 14, 24])
  func sleptAndTookTheirSay(seconds: Int64) {
    let room = room(["A", "B", "C"])
    room.a.sleep(for: .seconds(seconds))
    room.run(for: .seconds(1))
    room.c.play()
    room.run(for: .seconds(seconds - 3))
    #expect(room.player("C").isPlaying)
    // Whom it asks first does not answer.
    room.b.sleep(for: .seconds(12))
    room.run(for: .seconds(2))
    room.a.setControl(.hostsOnly)
    room.run(for: .seconds(30))
    #expect(!room.c.view.mayCommand && room.allPlay && room.spread <= inStep)
    #expect(room.player("C").position >= .seconds(25))
    #expect(room.violations.isEmpty)
  }

  @Test("P14: B commands while A makes C a viewer: it counts for all, whether or not who confirms had seen it", arguments: 0..<24)
  func besides(_ step: Int) {
    let room = room(seed: UInt64(step) + 40)
    let entry = EntryID(high: 1 << 40, low: 1)
    room.a.adds("X", as: entry)
    room.a.adds("Y", as: EntryID(high: 1 << 40, low: 2))
    room.a.edits(.select(EntryID(high: 1 << 40, low: 2)))
    room.run(for: .seconds(1))

    /// How far the group goes on in two seconds once all did what B asked for at an instant around the change.
    func beside(_ role: Role, _ act: @escaping (Person) -> Void) -> Nanoseconds {
      // Who did something last confirms it under the new policy.
      room.a.seek(to: .seconds(60))
      room.run(for: .seconds(3))
      room.after(.milliseconds(40)) { $0.a.setRole(of: $0.c, to: role) }
      room.after(.milliseconds(Int64(step) * 5)) { act($0.b) }
      room.run(for: .seconds(3))
      let before = room.a.groupPosition
      room.run(for: .seconds(2))
      return room.a.groupPosition - before
    }
    func expect(_ advance: Nanoseconds, from least: ItemTime = 0, _ found: Nanoseconds) {
      #expect((found - advance).length <= inStep)
      #expect(room.a.groupPosition >= least)
    }

    expect(.seconds(2), beside(.viewer) { $0.play() })
    expect(.seconds(3), beside(.member) { $0.play(rate: 1.5) })
    expect(.seconds(3), from: .seconds(500), beside(.viewer) { $0.seek(to: .seconds(500)) })
    #expect(room.allPlay && room.spread <= inStep)
    expect(0, beside(.member) { $0.pause() })
    expect(.seconds(2), beside(.viewer) { $0.playImmediately() })
    expect(.seconds(2), from: .seconds(900), beside(.member) { $0.seekImmediately(to: .seconds(900)) })
    _ = beside(.viewer) { $0.edits(.select(entry)) }
    for person in room.people { #expect(person.currentEntry == entry) }
    #expect(room.b.history.refusals.isEmpty && room.violations.isEmpty)
  }

  @Test("P14: B commands a moment before it may not any more, unseen by who confirms: it counts nowhere, and B is told", arguments: 0..<8)
  func denied(_ step: Int) {
    let room = room(seed: UInt64(step) + 80)
    room.a.seek(to: .seconds(60))
    room.run(for: .seconds(3))
    room.after(.milliseconds(40)) { $0.a.setRole(of: $0.b, to: .viewer) }
    room.after(.milliseconds(41 + Int64(step))) { $0.b.play() }
    room.run(for: .seconds(6))
    #expect(!room.players.contains { $0.isPlaying })
    #expect(room.b.history.refusals.map(\.value.status) == [.denied])
    #expect(room.violations.isEmpty)
  }

  @Test("H9, P3: what a demoted one sent under the old policy, however late it comes, loses everywhere")
  func lateCommand() throws {
    let room = room()
    room.a.play()
    room.run(for: .seconds(2))
    room.a.setRole(of: room.b, to: .viewer)
    room.run(for: .seconds(2))
    let commands = room.commands(during: .seconds(1))
    #expect(commands.isEmpty)
    for (number, key) in [RegisterKey.rate("X"), .position("X")].enumerated() {
      let time = room.groupTime
      let late = Statement(
        key: key, author: room.b.id, policy: .none, time: time,
        value: number == 0
          ? .rate(RateValue(rank: .command, rate: 0, at: 0))
          : .position(PositionValue(rank: .command, position: .seconds(700))))
      room.a.receive(.update([late]), from: room.b)
      room.c.receive(.update([late]), from: room.b)
    }
    room.run(for: .seconds(4))
    #expect(room.allPlay && room.spread <= inStep)
    #expect(room.a.groupPosition < .seconds(60))
  }

  @Test(
    "coordination 2.12: a change of roles disturbs nobody: playing goes on, preparing goes on, one confirmation each")
  func undisturbed() throws {
    let room = room()
    room.a.play()
    room.run(for: .seconds(2))
    let start = room.now
    room.a.setRole(of: room.b, to: .viewer)
    #expect(room.commands(during: .seconds(3)).isEmpty)
    #expect(room.allPlay && room.spread <= inStep)
    let confirmations = room.people.flatMap { cells(of: $0, since: start - 1) }
    #expect(confirmations.count == 4)
    for statement in confirmations {
      switch statement.value {
      case .clock: #expect(statement.original != nil)
      case .rate(let value): #expect(value.original != nil)
      case .position(let value): #expect(value.original != nil)
      case .continuation(let value): #expect(value.original != nil)
      default: Issue.record("not a cell: \(statement.key)")
      }
    }
    // While a start is waited for.
    room.a.pause()
    room.run(for: .seconds(1))
    room.c.changePlayer {
      $0.seek = .seconds(2); $0.buffer = .seconds(2)
    }
    room.a.seek(to: .seconds(100))
    room.run(for: .seconds(3))
    room.a.play()
    room.run(for: .milliseconds(500))
    let waiting = room.player("C").commands.count
    room.a.setRole(of: room.b, to: .host)
    room.run(for: .seconds(4))
    #expect(room.allPlay && room.spread <= inStep)
    #expect(room.player("C").commands.count == waiting + 1)
  }

  @Test(
    "2.12, 8.4: what is said of the session is confirmed: a demoted one's late word, citing the old policy, moves nothing"
  )
  func lateWordsOfTheSession() throws {
    let room = room()
    room.b.setStallPolicy(StallPolicy(waits: true))
    room.a.play()
    room.run(for: .seconds(2))
    room.a.setRole(of: room.b, to: .viewer)
    room.run(for: .seconds(2))
    let clocks = room.people.flatMap(\.history.sent).compactMap { sent -> Statement? in
      guard case .update(let statements) = sent.value.message else { return nil }
      return statements.first { if case .clock = $0.key { true } else { false } }
    }
    let clock = try #require(clocks.first)
    // The clock of the hub as it is, but for a finer error and a second: everybody's group time would jump.
    let late = [
      Statement(
        key: clock.key, author: room.b.id, policy: .none, time: room.groupTime,
        value: .clock(ClockValue(offset: .seconds(1), error: 0))),
      Statement(
        key: .stallPolicy, author: room.b.id, policy: .none, time: room.groupTime,
        value: .stallPolicy(StallPolicy(waits: false))),
      Statement(
        key: .activity, author: room.b.id, policy: .none, time: room.groupTime,
        value: .activity(Activity(identifier: "org.example.late"))),
    ]
    for statement in late.prefix(2) {
      for person in [room.a, room.c] { person.receive(.update([statement]), from: room.b) }
    }
    #expect(room.commands(during: .seconds(3)).isEmpty)
    #expect(room.allPlay && room.spread <= inStep)
    for person in [room.a, room.c] { #expect(person.view.waitsForStalls) }
    // Nobody had set an activity: an old right counts until somebody sets one.
    for person in [room.a, room.c] { person.receive(.update([late[2]]), from: room.b) }
    room.run(for: .seconds(1))
    #expect(room.a.view.activity?.identifier == "org.example.late")
  }

  @Test("2.12: a confirmation of the activity keeps who set it, and is no news to anybody")
  func confirmedActivity() throws {
    let origin = Stamp(time: 5, author: PermissionTests.somebody)
    let said = Statement(
      key: .activity, author: origin.author, policy: .none, time: origin.time,
      value: .activity(Activity(identifier: "org.example.film")))
    var confirmed = said
    confirmed.author = ParticipantID(high: 9, low: 9)
    confirmed.time = 70
    confirmed.original = origin
    let read = try #require(try StatementBody.decode(StatementBody.encode(confirmed)))
    #expect(read == confirmed)
    var bent = confirmed
    bent.original = Stamp(time: 71, author: origin.author)
    let room = room()
    for person in room.people { person.receive(.update([said]), from: room.b) }
    room.run(for: .seconds(1))
    let told = room.people.map { $0.history.activities.count }
    for person in room.people { person.receive(.update([bent]), from: room.b) }
    for person in room.people { person.receive(.update([confirmed]), from: room.b) }
    room.run(for: .seconds(1))
    #expect(room.people.map { $0.history.activities.count } == told)
  }

  private static let somebody = ParticipantID(high: 3, low: 3)

  @Test("2.12: the keeper's process stands still: the next one confirms")
  func takeover() {
    let room = room()
    room.b.seek(to: .seconds(10))
    room.run(for: .seconds(1))
    room.b.stopProcess(for: .seconds(20))
    let start = room.now
    room.a.setRole(of: room.c, to: .host)
    room.run(for: .seconds(4))
    #expect(!(cells(of: room.a, since: start - 1) + cells(of: room.c, since: start - 1)).isEmpty)
    for name in ["A", "C"] { #expect(room.player(name).position == .seconds(10)) }
  }

  @Test("P6: a viewer that writes a start or a hold is refused by all")
  func viewersContinuation() throws {
    for seed in UInt64(1)...3 {
      let room = room(seed: seed)
      room.a.setRole(of: room.b, to: .viewer)
      room.run(for: .seconds(1))
      room.a.play()
      room.run(for: .seconds(2))
      let policy = try #require(room.b.history.policies.last?.value.id)
      let pairs = (room.a.history.sent + room.c.history.sent).compactMap { sent -> Pair? in
        guard case .update(let statements) = sent.value.message else { return nil }
        for case .continuation(let value) in statements.map(\.value) { return value.base }
        return nil
      }
      let base = try #require(pairs.last)
      for cited in [policy, .none] {
        let kinds: [ContinuationValue.Kind] = [
          .hold(at: .seconds(1), deadline: room.groupTime + .seconds(20)),
          .line(coverage: 9, since: room.groupTime, at: .seconds(3), prior: nil), .ended(at: .seconds(4)),
        ]
        for kind in kinds {
          let forged = Statement(
            key: .continuation("X"), author: room.b.id, policy: cited, time: room.groupTime,
            value: .continuation(ContinuationValue(base: base, sequence: 7, kind: kind)))
          room.a.receive(.update([forged]), from: room.b)
          room.c.receive(.update([forged]), from: room.b)
        }
      }
      room.run(for: .seconds(2))
      #expect(room.allPlay && room.spread <= inStep)
      #expect(room.people.allSatisfy { $0.status == .playing })
    }
  }

  @Test("P6: viewers are waited for, but never start the group")
  func viewersNeverKeep() {
    let room = room()
    room.a.setRole(of: room.b, to: .viewer)
    room.a.setRole(of: room.c, to: .viewer)
    room.run(for: .seconds(1))
    let start = room.now
    room.a.play()
    room.after(.milliseconds(10)) { $0.a.stopProcess(for: .seconds(6)) }
    room.run(for: .seconds(3))
    #expect(room.nonePlays)
    #expect((cells(of: room.b, since: start) + cells(of: room.c, since: start)).isEmpty)
    room.run(for: .seconds(12))
    #expect(room.allPlay && room.spread <= inStep)
  }

  @Test("Z22: a demoted host that ends the session, citing the old policy, ends it for nobody")
  func demotedEnd() throws {
    let room = room(control: .hostsOnly)
    room.a.setRole(of: room.b, to: .host)
    room.run(for: .seconds(1))
    let old = try #require(room.b.history.policies.last?.value.id)
    room.a.setRole(of: room.b, to: .member)
    room.run(for: .seconds(1))
    let end = Statement(key: .end, author: room.b.id, policy: old, time: room.groupTime, value: .end)
    for person in [room.a, room.c] { person.receive(.update([end]), from: room.b) }
    room.b.endSession()
    room.run(for: .seconds(3))
    #expect(room.b.history.refusals.last?.value.operation == .endSession)
    for person in room.people { #expect(person.history.invalidations.isEmpty) }
    room.a.endSession()
    room.run(for: .seconds(1))
    for person in [room.b, room.c] { #expect(person.history.invalidations.count == 1) }
  }

  @Test("H10: nobody becomes owner but by an owner; the creator's first word is believed by all")
  func claim() {
    let room = room()
    room.b.setRole(of: room.b, to: .owner)
    room.b.setControl(.everyone)
    room.run(for: .seconds(1))
    #expect(room.b.history.refusals.map(\.value.status) == [.denied, .denied])
    #expect(room.a.role == .owner)
    for person in room.people { #expect(person.history.policies.isEmpty) }
  }

  @Test("Z20: two owners change the policy at once: one outcome, the loser's change is made once more, none is lost")
  func concurrentChanges() {
    for seed in UInt64(1)...6 {
      let room = room(["A", "B", "C", "D"], seed: seed)
      room.a.setRole(of: room.b, to: .owner)
      room.run(for: .seconds(1))
      room.b.setRole(of: room.c, to: .viewer)
      room.after(.milliseconds(Int64(seed) * 5)) { $0.a.setRole(of: $0["D"], to: .host) }
      room.run(for: .seconds(3))
      let stacks = Set(room.people.compactMap(\.history.policies.last?.value.id))
      #expect(stacks.count == 1)
      for person in room.people {
        let roles = Dictionary(uniqueKeysWithValues: person.view.participants.map { ($0.id, $0.role) })
        #expect(roles[room.c.id] == .viewer && roles[room["D"].id] == .host && roles[room.b.id] == .owner)
      }
    }
  }

  @Test("8.3: the last owner that leaves makes the longest-present of the highest role an owner")
  func succession() {
    let room = room(["A", "B", "C", "D"])
    room.a.setRole(of: room.c, to: .host)
    room.a.setRole(of: room["D"], to: .host)
    room.run(for: .seconds(1))
    room.a.leave()
    room.run(for: .seconds(2))
    #expect(room.c.role == .owner && room.b.role == .member && room["D"].role == .host)
    room.c.setRole(of: room.b, to: .viewer)
    room.run(for: .seconds(1))
    #expect(room.b.role == .viewer)
  }

  @Test("8.4: who comes later, or back, knows the policies that the registers cite")
  func newcomer() {
    let room = SimulatedSession(seed: 9, participants: ["A", "B", "C"], delay: .milliseconds(20), control: .perRole)
    room.join(["A", "B"])
    room.a.transition(to: "X")
    room.b.transition(to: "X")
    room.run(for: .seconds(1))
    room.a.setRole(of: room.b, to: .host)
    room.run(for: .seconds(1))
    room.b.seek(to: .seconds(77))
    room.run(for: .seconds(1))
    room.join(["C"])
    room.c.transition(to: "X")
    room.run(for: .seconds(2))
    #expect(room.player("C").position == .seconds(77))
    #expect(room.c.view.participants.first { $0.id == room.b.id }?.role == .host)
    // A role that changes while a link is down is known afterwards, and so is what was done by it.
    room.c.loseLink(backAfter: .seconds(8))
    room.run(for: .seconds(1))
    room.a.setRole(of: room.c, to: .viewer)
    room.b.seek(to: .seconds(11))
    room.run(for: .seconds(15))
    #expect(room.c.role == .viewer)
    #expect(room.player("C").position == .seconds(11))
  }

  @Test("P13: a viewer whose owner died moves its own player; who comes finds the group where the owner left it")
  func aloneAfterDeath() {
    let room = SimulatedSession(participants: ["A", "B", "C"], delay: .milliseconds(20), control: .perRole)
    room.join(["A", "B"])
    room.gather(on: "X")
    room.a.setRole(of: room.b, to: .viewer)
    room.a.seek(to: .seconds(10))
    room.run(for: .seconds(2))
    room.a.vanish(hubNoticesAfter: .milliseconds(100))
    room.run(for: .seconds(2))
    #expect(room.b.role == .viewer && !room.b.view.mayCommand)
    let start = room.now
    room.b.seek(to: .seconds(50))
    room.b.play()
    room.run(for: .seconds(5))
    #expect(room.b.history.refusals.isEmpty && room.player("B").isPlaying)
    #expect(cells(of: room.b, since: start).isEmpty)
    // Nobody is bound by it.
    room.join(["C"])
    room.c.transition(to: "X")
    room.run(for: .seconds(4))
    #expect(!room.b.view.mayCommand && room.nonePlays)
    #expect(room.player("C").position == .seconds(10) && room.player("B").position == .seconds(10))
    room.b.play()
    room.run(for: .seconds(1))
    #expect(room.b.history.refusals.map(\.value.status) == [.denied] && room.nonePlays)
    #expect(room.violations.isEmpty)
  }

  @Test("P13: a viewer without a link moves its own player, and follows the group again once it is back")
  func aloneWithoutLink() {
    let room = room()
    room.a.setRole(of: room.b, to: .viewer)
    room.a.play()
    room.run(for: .seconds(3))
    let start = room.now
    room.b.loseLink()
    room.run(for: .seconds(1))
    room.b.seek(to: .seconds(100))
    room.run(for: .seconds(4))
    #expect(room.player("B").isPlaying && room.player("B").position > .seconds(100))
    room.b.pause()
    room.run(for: .seconds(2))
    #expect(room.b.history.refusals.isEmpty && !room.player("B").isPlaying && room.player("A").isPlaying)
    room.b.reconnect()
    room.run(for: .seconds(4))
    #expect(room.allPlay && room.spread <= inStep)
    #expect(cells(of: room.b, since: start).isEmpty)
    room.b.pause()
    room.run(for: .seconds(1))
    #expect(room.b.history.refusals.map(\.value.status) == [.denied] && room.allPlay)
    #expect(room.violations.isEmpty)
  }
}
