import Testing

@testable import unisono_cli

/// A bridge's side of a room, with what a server of Syncplay 1.6.9 said to a client named "Unisono: Ann", as it was recorded.
private struct World {
  static let second: Int64 = 1_000_000_000
  static let hello = #"""
    {"Hello": {"username": "Unisono: Ann", "room": {"name": "film night"}, "version": "1.6.9", "realversion": "1.6.9", "motd": "", \#
    "features": {"isolateRooms": false, "readiness": true, "managedRooms": true, "chat": true, "maxChatMessageLength": 150, \#
    "maxUsernameLength": 150, "maxRoomNameLength": 35, "maxFilenameLength": 250}}}
    """#
  static let everybody = #"""
    {"List": {"film night": {"Carl": {"position": 0, "file": {"name": "film.mkv", "duration": 600.0, "size": 1234567}, \#
    "controller": false, "isReady": true, "features": {"sharedPlaylists": false, "chat": true}}, "Unisono: Ann": {"position": 0, \#
    "file": {}, "controller": false, "isReady": null, "features": {}}}, "another": {"Eve": {"position": 0, "file": {}, "isReady": false}}}}
    """#
  static let carl = SyncplayMessage.File(name: "film.mkv", duration: 600 * second, size: 1_234_567)

  var room = SyncplayRoom(name: "Unisono: Ann", room: "film night", now: 100 * second)
  var now: Int64 = 100 * second

  /// In the room, beside Carl, and nothing said yet of what it plays.
  static func entered() -> World {
    var world = World()
    _ = world.hear(.connected)
    _ = world.hear(line: hello)
    _ = world.hear(line: everybody)
    return world
  }

  /// The same; room and group stand at 10 s.
  static func standing() -> World {
    var world = entered()
    _ = world.hear(.group(.standing(10 * second)))
    _ = world.state(10, paused: true, by: nil)
    return world
  }

  /// The same; both play since now.
  static func playing() -> World {
    var world = standing()
    _ = world.hear(.group(.playing(Course(position: 10 * second, since: world.now, rate: 1))))
    _ = world.state(
      10, paused: false, by: "Unisono: Ann", ignoring: #", "ignoringOnTheFly": {"server": 1, "client": 1}"#)
    return world
  }

  mutating func hear(_ event: SyncplayRoom.Event) -> [SyncplayRoom.Effect] { room.handle(event, now: now) }
  mutating func hear(line: String) -> [SyncplayRoom.Effect] { hear(.line(Array(line.utf8))) }

  mutating func state(
    _ position: Double, paused: Bool, seek: Bool = false, by: String?, ignoring: String = ""
  ) -> [SyncplayRoom.Effect] {
    hear(
      line: #"""
        {"State": {"ping": {"latencyCalculation": 1795733605.8696034, "serverRtt": 0.0}, "playstate": {"position": \#(position), \#
        "paused": \#(paused), "doSeek": \#(seek), "setBy": \#(by.map { "\"\($0)\"" } ?? "null")}\#(ignoring)}}
        """#)
  }

  mutating func pass(_ seconds: Double) { now += Int64(seconds * 1e9) }

  /// What the states among the effects say.
  static func told(_ effects: [SyncplayRoom.Effect]) -> [JSONValue] {
    effects.compactMap { effect in
      guard case .send(let line) = effect else { return nil }
      return JSONValue(Array(line.utf8))?["State"]
    }
  }

  static func wishes(_ effects: [SyncplayRoom.Effect]) -> [SyncplayRoom.Effect] {
    effects.filter { if case .want = $0 { true } else { false } }
  }
}

@Suite struct SyncplayTests {
  private static let second = World.second

  @Test("F100: JSON is read as RFC 8259 has it, and what is none, too deep or too large is refused")
  func json() {
    func read(_ text: String) -> JSONValue? { JSONValue(Array(text.utf8)) }
    #expect(
      read(#" {"a": [1, -2.5e1, true, null, "h\u00e4 \ud83d\ude00\n"], "a": {}} "#) == .object(["a": .object([:])]))
    #expect(
      read(#"["h\u00e4 \ud83d\ude00\n", "\ud83d", 1e3]"#)
        == .list([.text("hä 😀\n"), .text("\u{FFFD}"), .number(1_000)]))
    for wrong in [
      "", "{", "[1,]", "{\"a\"}", "nul", "1e999", "NaN", "\"\u{1}\"", "\"a", "[1] 2", "\"\\u12+4\"", "\"\\x\"", "{1:2}",
    ] {
      #expect(read(wrong) == nil, "\(wrong)")
    }
    #expect(JSONValue([0x22, 0xFF, 0x22]) == nil, "not UTF-8")
    let deep = JSONValue.deepest
    #expect(read(String(repeating: "[", count: deep) + String(repeating: "]", count: deep)) != nil)
    #expect(read(String(repeating: "[", count: deep + 1) + String(repeating: "]", count: deep + 1)) == nil)
  }

  @Test("F100: a stream is taken apart into lines, and one that does not end is refused")
  func lines() {
    var lines = SyncplayLines()
    #expect(lines.add(Array("{\"a\"".utf8)) == [])
    #expect(lines.add(Array(":1}\r\n\r\n{}\n[".utf8)) == [Array("{\"a\":1}".utf8), Array("{}".utf8)])
    #expect(lines.add([UInt8](repeating: 0x20, count: SyncplayLines.longest)) == nil)
  }

  @Test("F100: the bridge introduces itself, says what is watched, and asks who is there")
  func entry() {
    var world = World()
    _ = world.hear(.film(World.carl))
    _ = world.hear(.ready(true))
    let hello = world.hear(.connected)
    guard case .send(let line)? = hello.first, let said = JSONValue(Array(line.utf8))?["Hello"] else {
      return #expect(Bool(false))
    }
    #expect(said["username"]?.text == "Unisono: Ann" && said["room"]?["name"]?.text == "film night")
    let effects = world.hear(line: World.hello)
    #expect(effects.first == .entered(name: "Unisono: Ann"))
    #expect(effects.contains(.send(#"{"Set":{"file":{"name":"film.mkv","duration":600.0,"size":1234567}}}"#)))
    #expect(effects.contains(.send(#"{"Set":{"ready":{"isReady":true,"manuallyInitiated":false}}}"#)))
    #expect(effects.last == .send(#"{"List":null}"#))
    #expect(world.hear(line: World.everybody) == [.opened("Carl", World.carl), .changed])
    #expect(world.room.others.map(\.name) == ["Carl"], "neither this one nor who is in another room")
    #expect(world.room.areReady == true)
  }

  @Test("F100: who comes, goes, opens a file or gets ready in the room is told once")
  func people() {
    var world = World.entered()
    let joined =
      #"{"Set": {"user": {"Dora": {"room": {"name": "film night"}, "event": {"joined": true, "version": "1.6.9"}}}}}"#
    #expect(world.hear(line: joined) == [.came("Dora"), .changed])
    #expect(
      world.hear(line: #"{"Set": {"ready": {"username": "Dora", "isReady": false, "manuallyInitiated": true}}}"#) == [
        .changed
      ])
    #expect(world.room.areReady == false)
    #expect(
      world.hear(line: #"{"Set": {"ready": {"username": "Dora", "isReady": false, "manuallyInitiated": true}}}"#) == [])
    let file =
      #"{"Set": {"user": {"Dora": {"room": {"name": "film night"}, "file": {"name": "b.mkv", "duration": 5.0, "size": "9f2c"}}}}}"#
    #expect(
      world.hear(line: file) == [
        .opened("Dora", SyncplayMessage.File(name: "b.mkv", duration: 5 * Self.second, size: 0)), .changed,
      ])
    #expect(world.room.others.last?.isReady == false, "who opens a file says nothing of being ready")
    #expect(
      world.hear(line: #"{"Set": {"user": {"Dora": {"room": {"name": "another"}}}}}"#) == [.went("Dora"), .changed])
    #expect(
      world.hear(line: #"{"Set": {"user": {"Carl": {"room": {"name": "film night"}, "event": {"left": true}}}}}"#) == [
        .went("Carl"), .changed,
      ])
    #expect(world.room.areReady == nil)
    let bridge = joined.replacing("Dora", with: "Unisono: Ben")
    #expect(world.hear(line: bridge) == [.changed], "a bridge is nobody")
  }

  @Test(
    "F100: a pause, a play and a jump of somebody in the room are wished of the group, by name, and not undone meanwhile"
  )
  func wishes() {
    var world = World.standing()
    let play = world.state(10, paused: false, by: "Carl", ignoring: #", "ignoringOnTheFly": {"server": 1}"#)
    #expect(World.wishes(play) == [.want(.play, by: "Carl")])
    let reply = World.told(play)
    #expect(
      reply.count == 1 && reply[0]["playstate"]?["paused"]?.flag == false
        && reply[0]["ignoringOnTheFly"]?["server"]?.number == 1)
    world.pass(0.1)
    #expect(World.wishes(world.state(10.1, paused: false, by: "Carl")) == [], "it is wished once")
    #expect(world.hear(.group(.waiting(10 * Self.second))) == [.granted], "the group gets ready")
    #expect(
      world.hear(.group(.playing(Course(position: 10 * Self.second, since: world.now, rate: 1)))) == [], "close enough")

    world.pass(5)
    let jump = world.state(60, paused: false, seek: true, by: "Carl")
    #expect(World.wishes(jump) == [.want(.seek(60 * Self.second), by: "Carl")])
    #expect(world.hear(.group(.waiting(60 * Self.second))) == [.granted])
    #expect(world.hear(.group(.playing(Course(position: 60 * Self.second, since: world.now, rate: 1)))) == [])

    world.pass(1)
    #expect(World.wishes(world.state(61, paused: true, by: "Carl")) == [.want(.pause, by: "Carl")])
    #expect(world.hear(.group(.standing(61 * Self.second))) == [.granted])
  }

  @Test("F100: a start that takes long shows in the room as a pause, and the room follows when it comes")
  func longStart() {
    var world = World.standing()
    _ = world.state(10, paused: false, by: "Carl")
    _ = world.hear(.group(.waiting(10 * Self.second)))
    world.pass(1)
    #expect(world.hear(.time) == [])
    world.pass(1.1)
    let paused = World.told(world.hear(.time))
    #expect(
      paused.count == 1 && paused[0]["playstate"]?["paused"]?.flag == true
        && paused[0]["playstate"]?["doSeek"]?.flag == true)
    #expect(paused[0]["playstate"]?["position"]?.number == 10)
    _ = world.state(
      10, paused: true, seek: true, by: "Unisono: Ann", ignoring: #", "ignoringOnTheFly": {"server": 1, "client": 1}"#)
    let started = World.told(
      world.hear(.group(.playing(Course(position: 10 * Self.second, since: world.now, rate: 1)))))
    #expect(
      started.count == 1 && started[0]["playstate"]?["paused"]?.flag == false
        && started[0]["playstate"]?["doSeek"] == nil)
  }

  @Test("F100: what the group does is told once, and nothing echoes: neither what the server repeats nor what is older")
  func commands() {
    var world = World.standing()
    let start = World.told(world.hear(.group(.playing(Course(position: 10 * Self.second, since: world.now, rate: 1)))))
    #expect(
      start.count == 1 && start[0]["playstate"]?["paused"]?.flag == false
        && start[0]["ignoringOnTheFly"]?["client"]?.number == 1)
    let older = world.state(10, paused: true, by: "Carl")
    #expect(World.wishes(older) == [], "it was sent before the server knew")
    #expect(World.told(older)[0]["playstate"] == nil, "as Syncplay's own client does")
    world.pass(0.1)
    let echo = world.state(
      10.1, paused: false, by: "Unisono: Ann", ignoring: #", "ignoringOnTheFly": {"server": 1, "client": 1}"#)
    #expect(World.wishes(echo) == [] && World.told(echo).count == 1)
    world.pass(1)
    let next = World.told(world.state(11.05, paused: false, by: "Carl"))
    #expect(next[0]["playstate"]?["position"]?.number == 11.1, "the group's place now")
    #expect(next[0]["ignoringOnTheFly"] == nil)

    let pause = World.told(world.hear(.group(.standing(11 * Self.second))))
    #expect(
      pause.count == 1 && pause[0]["playstate"]?["paused"]?.flag == true
        && pause[0]["playstate"]?["position"]?.number == 11)
    #expect(world.hear(.group(.standing(300 * Self.second))) == [], "one change at a time")
    let jump = world.state(
      11, paused: true, by: "Unisono: Ann", ignoring: #", "ignoringOnTheFly": {"server": 1, "client": 1}"#)
    #expect(
      World.told(jump)[0]["playstate"]?["position"]?.number == 300
        && World.told(jump)[0]["playstate"]?["doSeek"]?.flag == true)
  }

  @Test("F100: a start at a later instant is told to the room when it has come, less the way there")
  func laterStart() {
    var world = World.standing()
    let start = world.now + 2 * Self.second
    #expect(world.hear(.group(.playing(Course(position: 10 * Self.second, since: start, rate: 1)))) == [])
    #expect(world.room.wake(after: world.now) == start, "no round trip is known yet")
    world.pass(1.9)
    #expect(world.hear(.time) == [])
    world.now = start
    #expect(World.told(world.hear(.time))[0]["playstate"]?["position"]?.number == 10)
  }

  @Test("F100: a jump of the group that plays on at once is one jump of the room, without a pause between")
  func shortWait() {
    var world = World.playing()
    world.pass(2)
    #expect(world.hear(.group(.waiting(90 * Self.second))) == [])
    world.pass(0.3)
    let jump = World.told(world.hear(.group(.playing(Course(position: 90 * Self.second, since: world.now, rate: 1)))))
    #expect(
      jump.count == 1 && jump[0]["playstate"]?["doSeek"]?.flag == true && jump[0]["playstate"]?["paused"]?.flag == false
    )
    #expect(jump[0]["playstate"]?["position"]?.number == 90)
  }

  @Test("F100: a stall of the group stands in the room as a pause until it goes on")
  func stall() {
    var world = World.playing()
    world.pass(2)
    #expect(world.hear(.group(.waiting(12 * Self.second))) == [])
    #expect(world.room.wake(after: world.now) == world.now + SyncplayRoom.shortWait)
    world.pass(0.5)
    #expect(World.told(world.hear(.time))[0]["playstate"]?["paused"]?.flag == true)
  }

  @Test("F100: what the group refuses is taken back in the room")
  func refusal() {
    var world = World.standing()
    _ = world.state(10, paused: false, by: "Carl", ignoring: #", "ignoringOnTheFly": {"server": 1}"#)
    let back = World.told(world.hear(.refused))
    #expect(back.count == 1 && back[0]["playstate"]?["paused"]?.flag == true)
    var silent = World.standing()
    _ = silent.state(10, paused: false, by: "Carl", ignoring: #", "ignoringOnTheFly": {"server": 1}"#)
    silent.now += SyncplayRoom.longestWish
    #expect(World.told(silent.hear(.time)).count == 1, "and what it does not do at all")
  }

  @Test("F100: where room and group meet, who plays counts, else the group")
  func meeting() {
    var room = World.entered()
    _ = room.state(40, paused: false, by: "Carl")
    let wished = room.hear(.group(.standing(10 * Self.second)))
    let author = "Carl"
    #expect(World.wishes(wished) == [.want(.seek(40 * Self.second), by: author), .want(.play, by: author)])
    var group = World.entered()
    _ = group.hear(.group(.playing(Course(position: 10 * Self.second, since: group.now, rate: 1))))
    let met = group.state(40, paused: true, by: "Carl")
    #expect(World.wishes(met) == [] && World.told(met)[0]["playstate"]?["paused"]?.flag == false)
    #expect(World.told(met)[0]["playstate"]?["position"]?.number == 10)
    var nothing = World.entered()
    let state = World.told(nothing.state(40, paused: false, by: "Carl"))
    #expect(state[0]["playstate"]?["position"]?.number == 40, "who plays nothing has no opinion")
  }

  @Test("F100: the group goes back to somebody in the room who fell behind, and not for one late word")
  func behind() {
    var world = World.playing()
    world.pass(5)
    for time in 0..<2 {
      #expect(World.wishes(world.state(12 + Double(time), paused: false, by: "Carl")) == [])
      world.pass(1)
    }
    #expect(World.wishes(world.state(14, paused: false, by: "Carl")) == [.want(.seek(14 * Self.second), by: "Carl")])
    var late = World.playing()
    late.pass(5)
    for position in [12.0, 13, 17, 15, 16] {
      #expect(World.wishes(late.state(position, paused: false, by: "Carl")) == [])
      late.pass(1)
    }
  }

  @Test(
    "F100: chat goes both ways; own words do not come back, nor those of another bridge, and long ones are cut into lines"
  )
  func chat() {
    var world = World.entered()
    #expect(
      world.hear(line: #"{"Chat": {"message": "h\u00e4 \ud83d\ude00\u0007", "username": "Carl"}}"#) == [
        .said(by: "Carl", "hä 😀\u{FFFD}")
      ])
    #expect(world.hear(line: #"{"Chat": {"message": "Ann: hello", "username": "Unisono: Ann"}}"#) == [])
    #expect(world.hear(line: #"{"Chat": {"message": "Ann: hello", "username": "Unisono: Ben"}}"#) == [])
    #expect(world.hear(.say("Ann: a\n\"b\"")) == [.send(#"{"Chat":"Ann: a \"b\""}"#)])
    #expect(world.hear(.say(String(repeating: "x", count: 400))).count == 3)
    #expect(world.hear(.say(String(repeating: "x", count: 100_000))).count == 5)
  }

  @Test(
    "F100: a hostile server is left: no messages, commands by the dozen, silence; numbers that no film has count for nothing"
  )
  func hostile() {
    var world = World.playing()
    #expect(world.hear(line: "[1]") == [.lost("the server sent a line that is no message")])
    for number in ["-1", "1e308", "1e8", "\"1\"", "null", "[]"] {
      let effects = world.hear(
        line: #"{"State": {"playstate": {"position": \#(number), "paused": true, "setBy": "Carl"}, "ping": 3}}"#)
      #expect(World.wishes(effects) == [], "\(number)")
    }
    var effects: [SyncplayRoom.Effect] = []
    for place in 1...21 { effects = world.state(Double(place * 100), paused: false, seek: true, by: "Carl") }
    #expect(effects == [.lost("the server commands more often than people could")])

    var silent = World.playing()
    silent.now += SyncplayRoom.patience
    #expect(silent.hear(.time) == [.lost("the server has not said anything for 15 s")])

    var crowd = World.entered()
    for number in 0..<1_000 {
      _ = crowd.hear(line: #"{"Set": {"user": {"u\#(number)": {"room": {"name": "film night"}}}}}"#)
    }
    #expect(crowd.room.others.count == SyncplayRoom.mostUsers)
    let name = String(repeating: "n", count: 10_000)
    #expect(
      SyncplayMessage.messages(of: Array(#"{"Chat": {"username": "\#(name)", "message": "\#(name)"}}"#.utf8))
        == [.chat(by: String(name.prefix(150)), String(name.prefix(SyncplayMessage.longestChat)))])
  }

  @Test("F100: a server that lets nobody in says why, and one that throws out later is lost")
  func shutOut() {
    var world = World()
    _ = world.hear(.connected)
    let error = #"{"Error": {"message": "Password required"}}"#
    #expect(world.hear(line: error) == [.refused("Password required")])
    var later = World.entered()
    #expect(later.hear(line: error) == [.lost("Password required")])
  }

  @Test("F100: how old a word is: half the average round trip, and what the way here took longer than the way there")
  func delay() {
    var delay = SyncplayDelay()
    delay.add(sent: 10, now: 10.2, others: 0.2)
    #expect((delay.roundTrip * 1e6).rounded() == 200_000 && (delay.forward * 1e6).rounded() == 100_000)
    delay.add(sent: 20, now: 20.4, others: 0.3)
    #expect((delay.forward * 1e6).rounded() == 215_000)
    let before = delay.forward
    delay.add(sent: 30, now: 29, others: 0)
    delay.add(sent: 30, now: 1e9, others: 0)
    delay.add(sent: 30, now: 30.1, others: -1)
    #expect(delay.forward == before)
  }

  @Test("F100: the bridge's name lists who is behind it, as far as it fits")
  func names() {
    #expect(PeopleText.name(of: []) == "Unisono")
    #expect(PeopleText.name(of: ["Ann", "Ben"]) == "Unisono: Ann, Ben")
    let many = PeopleText.name(of: (10..<40).map { "Person \($0)" })
    #expect(many == "Unisono: Person 10, Person 11, Person 12 and 27 more")
    #expect(PeopleText.name(of: [String(repeating: "a", count: 200), "b"]).count == 60)
    #expect(PeopleText.isBridge("Unisono: Ann") && PeopleText.isBridge("Unisono") && !PeopleText.isBridge("Unisonora"))
    #expect(PeopleText.cut("aäb", bytes: 2) == "a" && PeopleText.cut("aäb", bytes: 3) == "aä")
  }

  @Test("F100: the room's file that differs from the group's is what the bridge says of its copy")
  func copies() {
    let other = SyncplayMessage.File(name: "film.mkv", duration: 500 * Self.second, size: 5)
    func user(_ name: String, _ file: SyncplayMessage.File?) -> SyncplayMessage.User {
      .init(name: name, room: "r", file: file)
    }
    #expect(CopyStatement.file(of: [user("a", World.carl), user("b", other)], film: World.carl) == other)
    #expect(CopyStatement.file(of: [user("a", nil), user("b", World.carl)], film: World.carl) == World.carl)
    #expect(CopyStatement.file(of: [user("a", nil)], film: World.carl) == nil)
    #expect(
      CopyStatement.difference(other, World.carl) == "a file of that name which lasts 0:08:20, the group's 0:10:00")
    var unknown = World.carl
    (unknown.duration, unknown.size) = (0, 0)
    #expect(CopyStatement.difference(unknown, World.carl) == nil)
    unknown.name = "b.mkv"
    #expect(CopyStatement.difference(unknown, World.carl) == "another file open, \"b.mkv\"")
  }
}
