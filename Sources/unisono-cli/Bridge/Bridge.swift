import CUnisono
import Glibc
import UnisonoBase
import UnisonoRuntime

/// Carries a Syncplay room's commands, words and files into a session, and the session's into the room. All of it on one thread.
final class Bridge {
  typealias Failure = LibraryCall.Failure

  private static let second: Int64 = 1_000_000_000
  private static let apart = "no connection to Syncplay"
  /// Between two attempts to reach the server.
  private static let pauses: [Int64] = [1, 2, 4, 8, 16, 32, 60]
  /// People come and go for so long before the room sees the bridge under another name.
  private static let settling = 5 * second
  /// The longest wait; what the library tells of participants wakes it anyway.
  private static let longestWait = second / 2

  private let attendance: Attendance
  private let server: HostAndPort
  private let roomName: String
  private let say: (String) -> Void

  private var connection: SyncplayConnection?
  private var room: SyncplayRoom?
  private var isIn = false
  private var wasIn = false
  private var attempts = 0
  private var tryAt: Int64? = 0
  private var usedName = ""
  private var nameChanged: Int64?

  private var view: GroupView?
  private var statement: (entry: unisono_entry_id, file: SyncplayMessage.File)?
  private var areReady: Bool?
  private var behind: [String] = []
  private var hasToldWhoIsBehind = false
  /// What people of the room did, and the group does not do yet: who did what.
  private var wished: [(sentence: String, at: Int64)] = []
  private var chatRefused: Int64?
  private var reportedAt: Int64?
  /// Why it cannot go on; nil: it can.
  private(set) var failure: Failure?

  /// - Parameters:
  ///   - name: what the session sees.
  ///   - say: for the person at the terminal, line by line.
  init(_ server: HostAndPort, room: String, invite: String, name: String, say: @escaping (String) -> Void)
    throws(Failure)
  {
    attendance = try Attendance(invite: invite, name: name, role: .UNISONO_ROLE_DEFAULT, suspension: Self.apart)
    (self.server, roomName, self.say) = (server, room, say)
    // It is let go of by `close`, with everything that could call it.
    attendance.heard = { [unowned self] in hear($0) }
  }

  /// Leaves both in order.
  func close() {
    connection?.close()
    attendance.close()
  }

  var wake: @Sendable () -> Void { attendance.wake }
  /// Why the session is over, and whether that is as it should be; nil: it is not.
  var end: (message: String, isInOrder: Bool)? { attendance.end }

  // MARK: The turn

  /// Waits until something happens, and does what it asks for.
  func turn() throws(Failure) {
    wait()
    try attendance.run(for: 0)
    let now = attendance.now
    if attendance.isJoined { look(now) }
    connectIfDue(now)
    for step in connection?.turn() ?? [] {
      switch step {
      case .connected: handle(.connected)
      case .line(let line): handle(.line(line))
      case .lost(let why): lose(why)
      }
    }
    handle(.time)
    if let why = connection?.flush() { lose(why) }
  }

  private func wait() {
    let now = attendance.now
    var due = now + Self.longestWait
    if let room, connection?.waiting != nil { due = min(due, room.wake(after: now)) }
    if let tryAt, attendance.isJoined { due = min(due, tryAt) }
    var waits = [pollfd(fd: unisono_context_fd(attendance.context), events: Int16(POLLIN), revents: 0)]
    if let socket = connection?.waiting { waits.append(socket) }
    // Rounded up, so that what is due is due then.
    let time = Int32(clamping: (max(0, due - now) + 999_999) / 1_000_000)
    poll(&waits, nfds_t(waits.count), time)
  }

  private func handle(_ event: SyncplayRoom.Event) {
    guard connection != nil, let effects = room?.handle(event, now: attendance.now) else { return }
    for effect in effects { carryOut(effect) }
  }

  // MARK: The way to the room

  private func connectIfDue(_ now: Int64) {
    guard connection == nil, let due = tryAt, now >= due, attendance.isJoined, let view else { return }
    tryAt = nil
    usedName = PeopleText.name(of: view.people)
    room = SyncplayRoom(name: usedName, room: roomName, now: now)
    connection = SyncplayConnection(to: server, wake: attendance.wake)
    tell(view)
  }

  private func lose(_ why: String) {
    guard connection != nil else { return }
    drop()
    let pause = Self.pauses[min(attempts, Self.pauses.count - 1)]
    attempts += 1
    tryAt = attendance.now + pause * Self.second
    // The group goes on, and nobody waits for people who cannot be reached.
    do throws(Failure) { try attendance.suspend(Self.apart) } catch { say(error.message) }
    if wasIn, attempts == 1 { post("the connection to the Syncplay room is lost") }
    say("no connection to \(server.host):\(server.port): \(why); tried again in \(pause) s")
  }

  private func drop() {
    connection?.close()
    (connection, room, isIn, hasToldWhoIsBehind, behind, wished) = (nil, nil, false, false, [], [])
  }

  /// Syncplay knows no change of a user's name: the bridge goes out and comes in again.
  private func rename(_ name: String, _ now: Int64) {
    guard isIn, name != usedName else { return nameChanged = nil }
    guard let since = nameChanged else { return nameChanged = now }
    guard now - since >= Self.settling else { return }
    let hasTold = hasToldWhoIsBehind
    drop()
    (nameChanged, tryAt, hasToldWhoIsBehind) = (nil, now, hasTold)
  }

  // MARK: What the room does

  private func carryOut(_ effect: SyncplayRoom.Effect) {
    switch effect {
    case .send(let line): connection?.send(line)
    case .entered(let name): enter(name)
    case .want(let wish, let author): want(wish, author)
    case .granted:
      // What the group did not do in time was taken back in the room.
      for wish in wished where attendance.now - wish.at <= SyncplayRoom.longestWish { announce(wish.sentence) }
      wished = []
    case .said(let author, let text): pass("\(author): \(text)")
    case .came(let name): announce("\(name) joined the Syncplay room")
    case .went(let name): announce("\(name) left the Syncplay room")
    case .opened(let name, let file): compare(name, file)
    case .changed: lookAtRoom()
    case .lost(let why): lose(why)
    case .refused(let why): failure = Failure(message: "\(server.host):\(server.port) does not let this in: \(why)")
    }
  }

  private func enter(_ name: String) {
    (isIn, wasIn, attempts) = (true, true, 0)
    attendance.endSuspension()
    say("in the room \"\(roomName)\" of \(server.host):\(server.port) as \"\(name)\"")
  }

  private func want(_ wish: SyncplayRoom.Wish, _ author: String) {
    let (status, what): (Int32, String)
    switch wish {
    case .play:
      (status, what) = (unisono_coordinator_coordinate_rate_change(attendance.coordinator, 1, 0), "pressed play")
    case .pause: (status, what) = (unisono_coordinator_coordinate_rate_change(attendance.coordinator, 0, 0), "paused")
    case .seek(let position):
      status = unisono_coordinator_coordinate_seek(attendance.coordinator, position, 0)
      what = "went to \(GroupDrawing.clock(position, tenths: false))"
    }
    wished.append(("\(author) \(what)", attendance.now))
    if status < 0 { refuse(status, LibraryCall.failure.message) }
  }

  private func refuse(_ status: Int32, _ why: String) {
    for wish in wished { say("\(wish.sentence), which is not done: \(why)") }
    wished = []
    let isDenied = status == unisono_status.UNISONO_EDENIED.rawValue
    handle(.say("The session does not do that" + (isDenied ? ": it lets this bridge command nobody" : "")))
    handle(.refused)
  }

  /// Into the session's chat.
  private func pass(_ text: String) {
    let status = unisono_session_chat(attendance.session, PeopleText.cut(text, bytes: 2_000), nil)
    if status >= 0 { return chatRefused = nil }
    let why = LibraryCall.failure.message
    say("not passed on to the session: \(why)")
    let now = attendance.now
    // Once for all that is too much.
    guard chatRefused.map({ now - $0 > 10 * Self.second }) ?? true else { return }
    chatRefused = now
    handle(.say("Not passed on: \(why)"))
  }

  /// To everybody in the session, and at the terminal.
  private func announce(_ sentence: String) {
    say(sentence)
    post(sentence)
  }

  private func post(_ sentence: String) {
    var notice = unisono_notice()
    notice.size = LibraryCall.size(unisono_notice.self)
    notice.kind = .UNISONO_NOTICE_CUSTOM
    PeopleText.cut(sentence, bytes: 255).withCString { text in
      notice.text = text
      // More than people can do in a second is told to nobody.
      _ = unisono_session_post_notice(attendance.session, &notice)
    }
  }

  private func compare(_ name: String, _ file: SyncplayMessage.File) {
    guard let film = view?.film, let difference = CopyStatement.difference(file, film) else { return }
    announce("\(name) has \(difference)")
  }

  private func lookAtRoom() {
    guard let room else { return }
    behind = room.others.map(\.name).filter { !PeopleText.isBridge($0) }
    if !hasToldWhoIsBehind {
      hasToldWhoIsBehind = true
      announceWhoIsBehind()
    }
    stateReadiness(room.areReady)
    stateCopy(room.others)
  }

  private func announceWhoIsBehind() {
    announce(
      behind.isEmpty
        ? "nobody else is in the Syncplay room yet" : "in the Syncplay room: " + PeopleText.list(behind, longest: 200))
  }

  private func stateReadiness(_ ready: Bool?) {
    guard ready != areReady else { return }
    let said: unisono_readiness =
      switch ready {
      case nil: .UNISONO_READINESS_NOT_SAID
      case true?: .UNISONO_READINESS_READY
      case false?: .UNISONO_READINESS_NOT_READY
      }
    if unisono_coordinator_set_ready(attendance.coordinator, said) >= 0 { areReady = ready }
  }

  private func stateCopy(_ users: [SyncplayMessage.User]) {
    guard let entry = view?.entry, let film = view?.film, let file = CopyStatement.file(of: users, film: film) else {
      return
    }
    if let statement, GroupView.isSame(statement.entry, entry), statement.file == file { return }
    var (copy, id) = (unisono_copy(), entry)
    copy.size = LibraryCall.size(unisono_copy.self)
    (copy.duration, copy.file_size) = (file.duration, UInt64(file.size))
    if unisono_session_set_copy(attendance.session, &id, &copy) >= 0 { statement = (entry, file) }
  }

  // MARK: What the group does

  private func look(_ now: Int64) {
    let view = GroupView(attendance)
    let before = self.view
    self.view = view
    if view.item != before?.item { areReady = nil }
    if connection != nil { tell(view) }
    if let room, isIn {
      stateReadiness(room.areReady)
      stateCopy(room.others)
      if view.film != before?.film { for user in room.others { if let file = user.file { compare(user.name, file) } } }
    }
    report(view, now)
    // Who comes later is told, too, who is behind the bridge.
    if isIn, let before, !Set(view.people).isSubset(of: before.people) { announceWhoIsBehind() }
    rename(PeopleText.name(of: view.people), now)
  }

  /// Where the room is, for everybody to see; and that the film is over there, so that the group need not wait for that.
  private func report(_ view: GroupView, _ now: Int64) {
    guard isIn, let course = room?.course, reportedAt.map({ now - $0 >= Self.second }) ?? true else { return }
    var report = unisono_playback_report()
    report.size = LibraryCall.size(unisono_playback_report.self)
    report.flags = UNISONO_HAS_POSITION
    (report.item_time, report.host_time, report.rate) = (course.position(at: now), now, course.rate)
    let duration = view.film?.duration ?? 0
    if duration > 0 {
      report.flags |= UNISONO_HAS_RANGE
      report.latest = duration
    }
    if duration > 0, report.item_time >= duration {
      (report.item_time, report.rate) = (duration, 0)
    } else {
      // On the way to what the group does it is neither here nor there.
      var rate = 0.0
      if case .playing(let group)? = view.motion, group.since <= now { rate = group.rate }
      guard rate == course.rate else { return }
    }
    if unisono_coordinator_report(attendance.coordinator, &report) >= 0 { reportedAt = now }
  }

  private func tell(_ view: GroupView) {
    if let film = view.film { handle(.film(film)) }
    handle(.ready(view.areReady))
    handle(.group(view.motion))
  }

  private func hear(_ happening: Attendance.Happening) {
    switch happening {
    case .connection: say(attendance.connection)
    case .notice(let kind, let text):
      say(text)
      // The room says by itself that it was the bridge, and who comes and goes is in the bridge's name.
      switch kind {
      case .UNISONO_NOTICE_PLAYED, .UNISONO_NOTICE_PAUSED, .UNISONO_NOTICE_SKIPPED, .UNISONO_NOTICE_RATE_CHANGED:
        if let view, view.people.count > 1 { handle(.say(text)) }
      default: break
      }
    case .chat(let name, let text, let isOwn): if !isOwn { handle(.say("\(name): \(text)")) }
    case .copy(let text), .remark(let text): say(text)
    case .refusal(let status, let text):
      if status == unisono_status.UNISONO_EDENIED.rawValue { refuse(status, text) } else { say(text) }
    }
  }
}
