/// A room of a Syncplay server, as one user of it sees it whose player is the group: what the group does is told to the room, and what
/// people of the room do is wished of the group. One connection's worth; without clock, socket and group.
///
/// Room and group agree on a course. A change of the group against it is told to the room; a change of the room against it that somebody
/// else made is a wish, and stands for agreed while the group comes to it.
struct SyncplayRoom {
  typealias User = SyncplayMessage.User

  enum Wish: Equatable {
    case play, pause
    case seek(Int64)
  }

  enum Event {
    case connected
    case line([UInt8])
    /// nil: nothing is open.
    case group(GroupMotion?)
    /// The group does not grant what was wished last.
    case refused
    /// What the group watches.
    case film(SyncplayMessage.File)
    /// Whether the people of the group are.
    case ready(Bool)
    case say(String)
    case time
  }

  enum Effect: Equatable {
    case send(String)
    /// The name is the one that the server gave.
    case entered(name: String)
    case want(Wish, by: String)
    /// The group does what was wished since the last such effect.
    case granted
    case said(by: String, String)
    case came(String)
    case went(String)
    case opened(String, SyncplayMessage.File)
    /// Who is there, or who is ready, is not as before.
    case changed
    /// Nothing is to be had from this connection any more; why.
    case lost(String)
    /// The server does not let this one in; why.
    case refused(String)
  }

  /// How the room is told another course.
  private enum Change { case inPlace, jump }

  private struct Awaited {
    var isRunning: Bool
    var isElsewhere: Bool
    var until: Int64
    var isGranted = false
  }

  private static let second: Int64 = 1_000_000_000
  /// The server speaks once a second.
  static let patience = 15 * second
  /// So long a wish may take before the room is set back to what the group does.
  static let longestWish = 2 * second
  /// A group that waits for a shorter time (a jump while it plays) is not told as paused.
  static let shortWait = second / 2
  /// Places that are closer are the same: while one stands, both run, and the speed is one that Syncplay does not know.
  private static let sameStanding = second / 10
  private static let sameRunning = second / 5
  private static let sameAtOtherRate = second
  /// Who is that far from the agreed course, three times in a row, does not come back by itself.
  private static let apart = 2 * second
  private static let apartTimes = 3
  /// What people can want, and a server that makes it up may not exceed.
  private static let mostWishes = 20
  private static let wishesIn = 10 * second
  static let mostUsers = 200
  /// Pieces of one long text.
  private static let mostPieces = 5

  private let wantedName: String
  private var room: String
  private var name: String?
  private var users: [String: User] = [:]
  private var isListed = false
  private var longestChat = 50

  private var motion: GroupMotion?
  private var waitingSince: Int64?
  private var agreed: Course?
  private var isTied = false
  private var awaited: Awaited?
  private var apartSeen = 0
  private var wishes: [Int64] = []

  private var film: SyncplayMessage.File?
  private var isReady: Bool?
  private var ignoring = SyncplayIgnoring()
  private var delay = SyncplayDelay()
  private var heard: Int64

  init(name: String, room: String, now: Int64) {
    wantedName = name
    self.room = room
    heard = now
  }

  /// The others in the room, in the order of letters.
  var others: [User] { users.values.sorted { $0.name < $1.name } }

  /// Whether all who say so are ready; nil: nobody says anything.
  var areReady: Bool? {
    let said = users.values.compactMap(\.isReady)
    return said.isEmpty ? nil : said.allSatisfy { $0 }
  }

  /// The room's position, as agreed; nil: not known yet.
  var course: Course? { isTied ? agreed : nil }

  /// When `time` is due at the latest.
  func wake(after now: Int64) -> Int64 {
    var due = [heard + Self.patience]
    if let awaited { due.append(awaited.until) }
    if let waitingSince { due.append(waitingSince + Self.shortWait) }
    if case .playing(let course)? = motion { due.append(course.since - lead) }
    return due.filter { $0 > now }.min() ?? now
  }

  /// The room hears of a start by so much later: there and on to its people.
  private var lead: Int64 { Int64(min(delay.roundTrip, 0.25) * 1e9) }

  // MARK: Events

  mutating func handle(_ event: Event, now: Int64) -> [Effect] {
    switch event {
    case .connected:
      heard = now
      return [.send(hello)]
    case .line(let line):
      heard = now
      guard let messages = SyncplayMessage.messages(of: line) else {
        return [.lost("the server sent a line that is no message")]
      }
      return messages.flatMap { take($0, now) }.filter { !Self.isOfBridge($0) }
    case .group(let motion): return follow(motion, now)
    case .refused:
      awaited = nil
      return tell(now)
    case .film(let film):
      guard film != self.film else { return [] }
      self.film = film
      return name == nil ? [] : [fileSetting(film)]
    case .ready(let ready):
      guard ready != isReady else { return [] }
      isReady = ready
      return name == nil ? [] : [readySetting(ready)]
    case .say(let text): return name == nil ? [] : chat(text)
    case .time:
      if now - heard >= Self.patience { return [.lost("the server has not said anything for 15 s")] }
      return tell(now)
    }
  }

  /// Bridges are not people: this one itself, under the name that it had before, is one of them for a moment.
  private static func isOfBridge(_ effect: Effect) -> Bool {
    switch effect {
    case .came(let name), .went(let name), .opened(let name, _), .said(let name, _): PeopleText.isBridge(name)
    default: false
    }
  }

  private mutating func take(_ message: SyncplayMessage, _ now: Int64) -> [Effect] {
    switch message {
    case .hello(let given, let place, let longest):
      guard name == nil else { return [] }
      (name, room, longestChat) = (given, place, longest)
      var effects: [Effect] = [.entered(name: given)]
      if let film { effects.append(fileSetting(film)) }
      effects.append(readySetting(isReady ?? false))
      return effects + [.send("{\"List\":null}")]
    case .refusal(let why): return name == nil ? [.refused(why)] : [.lost(why)]
    case .user(let user): return update(user)
    case .left(let name): return users.removeValue(forKey: name) == nil ? [] : [.went(name), .changed]
    case .ready(let name, let isReady):
      guard let user = users[name], user.isReady != isReady else { return [] }
      users[name]?.isReady = isReady
      return [.changed]
    case .everybody(let all): return list(all)
    // Another bridge's words are left out, too (`isOfBridge`): they would go round in a circle.
    case .chat(let name, let text): return name == self.name ? [] : [.said(by: name, text)]
    case .state(let state): return name == nil ? [] : answer(state, now)
    }
  }

  // MARK: People

  private mutating func update(_ given: User) -> [Effect] {
    guard given.name != name else { return [] }
    guard given.room == room else {
      return users.removeValue(forKey: given.name) == nil ? [] : [.went(given.name), .changed]
    }
    var (user, effects) = (given, [Effect]())
    if let before = users[user.name] {
      // Who says something new says it alone.
      (user.isReady, user.file) = (before.isReady, user.file ?? before.file)
      if user.file != before.file, let file = user.file { effects.append(.opened(user.name, file)) }
    } else {
      guard users.count < Self.mostUsers else { return [] }
      if isListed { effects.append(.came(user.name)) }
    }
    users[user.name] = user
    return effects + [.changed]
  }

  private mutating func list(_ all: [User]) -> [Effect] {
    let before = users
    users = [:]
    for user in all where user.room == room && user.name != name && users.count < Self.mostUsers {
      users[user.name] = user
    }
    var effects: [Effect] = []
    if isListed {
      effects += users.keys.filter { before[$0] == nil }.sorted().map { .came($0) }
      effects += before.keys.filter { users[$0] == nil }.sorted().map { .went($0) }
    }
    isListed = true
    for user in others {
      if let file = user.file, before[user.name]?.file != file { effects.append(.opened(user.name, file)) }
    }
    return effects + [.changed]
  }

  // MARK: The server's states

  private mutating func answer(_ state: SyncplayMessage.State, _ now: Int64) -> [Effect] {
    if state.ignoring.server > 0 {
      ignoring = SyncplayIgnoring(server: state.ignoring.server)
    } else if state.ignoring.client == ignoring.client {
      ignoring.client = 0
    }
    if let sent = state.clientTime { delay.add(sent: sent, now: Double(now) / 1e9, others: state.serverRoundTrip) }
    var effects: [Effect] = []
    if ignoring.client == 0, let play = state.play { effects = look(play, now) }
    if effects.contains(where: { if case .lost = $0 { true } else { false } }) { return effects }
    let change = change(now)
    return effects + [.send(stateLine(now, serverTime: state.serverTime, change))]
  }

  /// What the room does, by the server.
  private mutating func look(_ play: SyncplayMessage.PlayState, _ now: Int64) -> [Effect] {
    let position = play.position + (play.isPaused ? 0 : Int64(min(delay.forward, 60) * 1e9))
    let room = Course(position: position, since: now, rate: play.isPaused ? 0 : 1)
    guard let agreed, isTied else {
      self.agreed = room
      return motion == nil ? [] : tie(by: play.setBy, now)
    }
    guard let author = play.setBy, author != name else {
      // A change of this side's that the server did not take is told again: it is not as agreed.
      if play.isPaused == agreed.isRunning { self.agreed = room }
      return []
    }
    let distance = abs(agreed.position(at: now) - position)
    let isRunning = !play.isPaused
    if isRunning != agreed.isRunning {
      let isElsewhere = play.isSeek && distance > Self.sameStanding
      return (isElsewhere ? wish(.seek(position), by: author, room, now) : [])
        + wish(isRunning ? .play : .pause, by: author, room, now, isElsewhere: isElsewhere)
    }
    if play.isSeek, distance > Self.sameStanding { return wish(.seek(position), by: author, room, now) }
    guard isRunning, awaited == nil, case .playing(let course)? = motion, course.rate == 1, distance > Self.apart else {
      apartSeen = 0
      return []
    }
    apartSeen += 1
    return apartSeen < Self.apartTimes ? [] : wish(.seek(position), by: author, room, now)
  }

  private mutating func wish(_ wish: Wish, by author: String, _ room: Course, _ now: Int64, isElsewhere: Bool = false)
    -> [Effect]
  {
    wishes.removeAll { now - $0 > Self.wishesIn }
    wishes.append(now)
    guard wishes.count <= Self.mostWishes else { return [.lost("the server commands more often than people could")] }
    var isSeek = isElsewhere
    if case .seek = wish { isSeek = true }
    (agreed, apartSeen) = (room, 0)
    awaited = Awaited(isRunning: room.isRunning, isElsewhere: isSeek, until: now + Self.longestWish)
    return [.want(wish, by: author)]
  }

  /// Room and group meet: who plays counts, else the group.
  private mutating func tie(by author: String?, _ now: Int64) -> [Effect] {
    isTied = true
    guard let room = agreed, room.isRunning, case .standing? = motion, author != name else { return [] }
    let author = author ?? users.keys.min() ?? "somebody"
    let position = room.position(at: now)
    let here = Course(position: position, since: now, rate: 1)
    return wish(.seek(position), by: author, here, now) + wish(.play, by: author, here, now, isElsewhere: true)
  }

  // MARK: The group

  private mutating func follow(_ motion: GroupMotion?, _ now: Int64) -> [Effect] {
    guard motion != self.motion else { return [] }
    // The clock's small corrections move a course that runs, and are no change.
    if case .playing? = motion, case .playing? = self.motion {} else { apartSeen = 0 }
    self.motion = motion
    if case .waiting? = motion { waitingSince = waitingSince ?? now } else { waitingSince = nil }
    guard motion != nil else {
      (isTied, awaited) = (false, nil)
      return []
    }
    if agreed != nil, !isTied {
      let effects = tie(by: nil, now)
      return effects + tell(now)
    }
    return grant(now) + tell(now)
  }

  /// Whether the group does what is awaited: it may still prepare a start.
  private mutating func grant(_ now: Int64) -> [Effect] {
    guard let awaited, let agreed, let motion else { return [] }
    let (position, isRunning, isDone): (Int64, Bool, Bool) =
      switch motion {
      case .standing(let place): (place, false, true)
      case .waiting(let place): (place, true, false)
      case .playing(let course): (course.position(at: now), true, true)
      }
    guard isRunning == awaited.isRunning, !awaited.isElsewhere || abs(position - agreed.position(at: now)) < Self.apart
    else { return [] }
    self.awaited?.isGranted = true
    if isDone { self.awaited = nil }
    return awaited.isGranted ? [] : [.granted]
  }

  /// What the room is to do; nil: what it does.
  private func wanted(_ now: Int64) -> Course? {
    if let awaited, now < awaited.until { return nil }
    let isRunning = agreed?.isRunning ?? false
    switch motion {
    case nil: return nil
    case .standing(let place)?: return Course(position: place, since: now)
    case .waiting(let place)?:
      let isShort = waitingSince.map { now - $0 < Self.shortWait } ?? true
      return isRunning && isShort ? nil : Course(position: place, since: now)
    case .playing(let course)?:
      if now >= course.since - lead { return course }
      return isRunning ? nil : Course(position: course.position, since: now)
    }
  }

  /// How the room is told another course; nil: it is on the right one, or has not answered yet.
  private mutating func change(_ now: Int64) -> Change? {
    if let awaited, now >= awaited.until { self.awaited = nil }
    guard name != nil, isTied, ignoring.client == 0, let agreed, let wanted = wanted(now) else { return nil }
    let distance = abs(wanted.position(at: now) - agreed.position(at: now))
    let bothRun = wanted.isRunning && agreed.isRunning
    let same = !bothRun ? Self.sameStanding : wanted.rate == 1 ? Self.sameRunning : Self.sameAtOtherRate
    guard wanted.isRunning != agreed.isRunning || distance > same else { return nil }
    self.agreed = Course(
      position: wanted.position(at: now), since: max(now, wanted.since), rate: wanted.isRunning ? 1 : 0)
    return distance > same ? .jump : .inPlace
  }

  private mutating func tell(_ now: Int64) -> [Effect] {
    guard let change = change(now) else { return [] }
    return [.send(stateLine(now, serverTime: nil, change))]
  }

  // MARK: Lines

  private var hello: String {
    let features = ["sharedPlaylists", "chat", "featureList", "readiness", "managedRooms"].map {
      ($0, $0 == "sharedPlaylists" ? "false" : "true")
    }
    // The version of a client whose protocol this is; servers tell clients by it.
    return JSONText.object([
      (
        "Hello",
        JSONText.object([
          ("username", JSONText.quoted(wantedName)), ("room", JSONText.object([("name", JSONText.quoted(room))])),
          ("version", JSONText.quoted("1.2.255")), ("realversion", JSONText.quoted("1.6.9")),
          ("features", JSONText.object(features)),
        ])
      )
    ])
  }

  private func setting(_ name: String, _ members: [(String, String?)]) -> Effect {
    .send(JSONText.object([("Set", JSONText.object([(name, JSONText.object(members))]))]))
  }

  private func fileSetting(_ file: SyncplayMessage.File) -> Effect {
    setting(
      "file",
      [
        ("name", JSONText.quoted(file.name)), ("duration", JSONText.seconds(file.duration)),
        ("size", String(file.size)),
      ])
  }

  private func readySetting(_ isReady: Bool) -> Effect {
    setting("ready", [("isReady", isReady ? "true" : "false"), ("manuallyInitiated", "false")])
  }

  private func chat(_ text: String) -> [Effect] {
    var (rest, lines) = (Substring(text.replacing("\n", with: " ")), [Effect]())
    while !rest.isEmpty, lines.count < Self.mostPieces {
      lines.append(.send(JSONText.object([("Chat", JSONText.quoted(String(rest.prefix(longestChat))))])))
      rest = rest.dropFirst(longestChat)
    }
    return lines
  }

  /// As Syncplay's own client writes it: without a course while a change of this side's is on the way.
  private mutating func stateLine(_ now: Int64, serverTime: Double?, _ change: Change?) -> String {
    var members: [(String, String?)] = []
    if let agreed, ignoring.client == 0 || ignoring.server != 0 {
      var play: [(String, String?)] = [
        ("position", JSONText.seconds(agreed.position(at: now))), ("paused", agreed.isRunning ? "false" : "true"),
      ]
      if change == .jump { play.append(("doSeek", "true")) }
      members.append(("playstate", JSONText.object(play)))
    }
    var ping: [(String, String?)] = serverTime.map { [("latencyCalculation", String($0))] } ?? []
    ping += [("clientLatencyCalculation", JSONText.seconds(now)), ("clientRtt", String(delay.roundTrip))]
    members.append(("ping", JSONText.object(ping)))
    if change != nil { ignoring.client += 1 }
    if ignoring != SyncplayIgnoring() {
      var both: [(String, String?)] = []
      if ignoring.server != 0 { both.append(("server", String(ignoring.server))) }
      if ignoring.client != 0 { both.append(("client", String(ignoring.client))) }
      members.append(("ignoringOnTheFly", JSONText.object(both)))
      ignoring.server = 0
    }
    return JSONText.object([("State", JSONText.object(members))])
  }
}
