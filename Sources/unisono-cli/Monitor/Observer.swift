import CUnisono
import Glibc
import UnisonoBase

/// A participant without a player, which looks on: a viewer that is suspended, so that nobody waits for it, at the item that most of the
/// others have, so that it is told of what they do. All of it on one thread.
final class Observer {
  typealias Failure = LibraryCall.Failure

  private static let reason = "monitor"

  private let context: OpaquePointer
  private var session: OpaquePointer?
  private var coordinator: OpaquePointer?
  private var suspension: OpaquePointer?
  private var item: String?
  private var order: [[UInt8]] = []
  private var connection = "connecting"
  private var isConnected = false
  private var hub = ""
  private var events: [GroupPicture.Event] = []
  /// How many there were in all, those included that are not kept.
  private(set) var eventCount = 0
  /// Why the session is over, and whether that is as it should be; nil: it is not.
  private(set) var end: (message: String, isInOrder: Bool)?

  init(invite: String, name: String) throws(Failure) {
    var options = unisono_context_options()
    options.size = LibraryCall.size(unisono_context_options.self)
    var made: OpaquePointer?
    guard unisono_context_create(&options, nil, nil, &made) >= 0, let made else { throw LibraryCall.failure }
    context = made
    do throws(Failure) {
      try open(invite, name)
    } catch {
      unisono_context_destroy(context)
      throw error
    }
  }

  /// Says goodbye.
  func close() { unisono_context_destroy(context) }

  /// For another thread: `run` returns.
  var wake: @Sendable () -> Void {
    let token = UInt(bitPattern: context)
    return { unisono_context_wake(OpaquePointer(bitPattern: token)) }
  }

  private func open(_ invite: String, _ name: String) throws(Failure) {
    var options = unisono_session_options()
    options.size = LibraryCall.size(unisono_session_options.self)
    options.role = .UNISONO_ROLE_VIEWER
    options.no_standby_hub = 1
    var callbacks = unisono_session_callbacks()
    callbacks.size = LibraryCall.size(unisono_session_callbacks.self)
    callbacks.state = { Observer.hear($0, $1) { $0.take(state: $1) } }
    callbacks.notice = { Observer.hear($0, $1) { $0.take(notice: $1.notice) } }
    callbacks.chat = { Observer.hear($0, $1) { $0.take(chat: $1) } }
    callbacks.ignored = { Observer.hear($0, $1) { $0.add(String(cString: $1.message)) } }
    callbacks.clock_doubt = { Observer.hear($0, $1) { $0.add(String(cString: $1.message)) } }
    callbacks.error = { Observer.hear($0, $1) { $0.add("\(String(cString: $1.operation)): \(String(cString: $1.message))") } }
    // It outlives the context, which `close` ends.
    let user = Unmanaged.passUnretained(self).toOpaque()
    let status = name.withCString { text in
      options.display_name = text
      return unisono_session_open(context, invite, &options, &callbacks, user, &session)
    }
    try LibraryCall.check(status)
    // There is no player, so that whatever is wanted of it is done at once.
    var delegate = unisono_playback_delegate()
    delegate.size = LibraryCall.size(unisono_playback_delegate.self)
    delegate.play = { Observer.hear($0, $1) { $0.complete($1) } }
    delegate.pause = delegate.play
    delegate.seek = delegate.play
    delegate.buffer = delegate.play
    try LibraryCall.check(unisono_coordinator_create(context, &delegate, user, &coordinator))
    try LibraryCall.check(unisono_coordinator_begin_suspension(coordinator, Self.reason, &suspension))
    try LibraryCall.check(unisono_coordinator_coordinate_with_session(coordinator, session))
    try LibraryCall.check(unisono_session_join(session))
  }

  /// - Parameter user: what `open` gave.
  private static func hear<Event>(
    _ user: UnsafeMutableRawPointer?, _ event: UnsafePointer<Event>?, _ take: (Observer, Event) -> Void
  ) {
    guard let user, let event else { return }
    take(Unmanaged<Observer>.fromOpaque(user).takeUnretainedValue(), event.pointee)
  }

  // MARK: What happens

  private func take(state: unisono_session_state_event) {
    hub = VisibleText.plain(String(cString: state.hub))
    let message = String(cString: state.message)
    isConnected = state.connection == .UNISONO_CONNECTION_CONNECTED
    let before = connection
    switch state.connection {
    case .UNISONO_CONNECTION_CONNECTED: connection = "connected"
    case .UNISONO_CONNECTION_RECONNECTING: connection = "the connection is lost, trying again"
    default: connection = "connecting"
    }
    if !isConnected, state.reason != 0, !message.isEmpty { connection += ": " + VisibleText.plain(message) }
    if state.state == .UNISONO_SESSION_INVALIDATED {
      let isEnded = state.reason == unisono_status.UNISONO_EENDED.rawValue
      connection = isEnded ? "the session was ended for everybody" : "the session is over: " + VisibleText.plain(message)
      end = (connection, isEnded || state.reason == 0)
    }
    if connection != before { add(connection) }
  }

  private func take(notice: UnsafePointer<unisono_notice>) {
    var text = [CChar](repeating: 0, count: 1_024)
    var length = text.count
    if unisono_notice_text(notice, &text, &length) >= 0 { add(Self.text(text)) }
  }

  private func take(chat: unisono_chat_event) {
    guard chat.is_history == 0 else { return }
    let name = chat.entry.pointee.name.map { String(cString: $0) } ?? "Somebody"
    add("\(name): \(String(cString: chat.entry.pointee.text))")
  }

  private static func text(_ bytes: [CChar]) -> String {
    String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func add(_ sentence: String) {
    var now = time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let clock = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    let line = sentence.replacing("\n", with: " ")
    events.append(GroupPicture.Event(time: clock, text: VisibleText.plain(line)))
    events.removeFirst(max(0, events.count - GroupPicture.eventsKept))
    eventCount += 1
  }

  private func complete(_ command: unisono_command) { unisono_coordinator_complete(coordinator, command.id) }

  // MARK: Looking

  /// Turns the loop until something happens, at most for so long.
  func run(for wait: Int64) throws(Failure) { try LibraryCall.check(unisono_context_poll(context, wait)) }

  /// ns, of the clock that everything here is told by.
  var now: Int64 { unisono_context_host_time(context) }

  func picture() -> GroupPicture {
    let now = now
    let statements = statements()
    follow(GroupPicture.commonItem(statements.compactMap { $0.isConnected ? $0.item : nil }))
    var picture = GroupPicture(connection: connection, isConnected: isConnected, hub: hub)
    picture.item = item.map { VisibleText.plain($0) }
    picture.events = events
    if let film = film(), film.item == item { picture.duration = film.duration }
    readTiming(&picture, now)
    var statistics = unisono_session_statistics()
    statistics.size = LibraryCall.size(unisono_session_statistics.self)
    if unisono_session_get_statistics(session, &statistics) >= 0 {
      picture.roundTrip = Self.known(statistics.round_trip)
      if statistics.clock_state != .UNISONO_CLOCK_NONE { picture.clockError = Self.known(statistics.clock_error) }
    }
    var isPlaying = false
    if case .playing = picture.motion { isPlaying = true }
    picture.people = statements.map { $0.person(item: item, position: picture.position, isPlaying: isPlaying, now: now) }
    return picture
  }

  private func readTiming(_ picture: inout GroupPicture, _ now: Int64) {
    var timing = unisono_timing()
    timing.size = LibraryCall.size(unisono_timing.self)
    guard unisono_coordinator_timing(coordinator, &timing) >= 0 else { return }
    switch timing.state {
    case .UNISONO_TIMING_PAUSED: picture.motion = .paused
    case .UNISONO_TIMING_WAITING: picture.motion = .waiting
    case .UNISONO_TIMING_PLAYING: picture.motion = .playing(rate: timing.rate)
    default: return
    }
    var position: Int64 = 0
    if unisono_coordinator_expected_item_time(coordinator, now, &position) >= 0 { picture.position = position }
  }

  private static func known(_ time: Int64) -> Int64? { time == .min ? nil : time }

  /// At the group's item, whatever it is, and with nothing to play it by.
  private func follow(_ common: String?) {
    guard common != item else { return }
    if unisono_coordinator_transition_to_item(coordinator, common, nil) >= 0 { item = common }
  }

  private func film() -> WatchedFilm? {
    var activity: UnsafePointer<unisono_activity>?
    guard unisono_session_activity(session, &activity) >= 0, let activity else { return nil }
    defer { unisono_free(activity) }
    guard let bytes = activity.pointee.payload else { return nil }
    return WatchedFilm(payload: UnsafeRawBufferPointer(start: bytes, count: activity.pointee.payload_length))
  }

  /// Of the others, in the order in which they were first seen.
  private func statements() -> [Statement] {
    var all: UnsafePointer<unisono_participants>?
    guard unisono_session_participants(session, &all) >= 0, let all else { return [] }
    defer { unisono_free(all) }
    let waits = waits()
    var found: [[UInt8]: Statement] = [:]
    for place in 0..<all.pointee.count {
      guard let one = all.pointee.items[place]?.pointee, one.is_local == 0 else { continue }
      let id = Self.bytes(one.id)
      if !order.contains(id) { order.append(id) }
      found[id] = Self.statement(one, waitReason: waits[id])
    }
    order.removeAll { found[$0] == nil }
    return order.compactMap { found[$0] }
  }

  private static func statement(_ one: unisono_participant, waitReason: String?) -> Statement {
    var statement = Statement(name: VisibleText.plain(String(cString: one.display_name)))
    statement.isConnected = one.connection == .UNISONO_CONNECTION_CONNECTED
    statement.item = one.item.map { String(cString: $0) }
    if one.suspension_reason_count > 0, let first = one.suspension_reasons?[0] {
      statement.suspensions = [VisibleText.plain(String(cString: first))]
    }
    if one.failure != 0 { statement.failure = String(cString: unisono_strerror(one.failure)) }
    statement.isReady = one.ready != 0
    statement.rate = one.rate
    statement.itemTime = known(one.item_time)
    statement.hostTime = one.host_time
    statement.clockError = known(one.clock_error)
    statement.roundTrip = known(one.round_trip)
    statement.waitReason = waitReason
    return statement
  }

  private func waits() -> [[UInt8]: String] {
    var list: UnsafePointer<unisono_waiting_for>?
    var count = 0
    guard unisono_coordinator_waiting_for(coordinator, &list, &count) >= 0, let list else { return [:] }
    defer { unisono_free(list) }
    return (0..<count).reduce(into: [:]) { waits, place in
      waits[Self.bytes(list[place].participant)] = list[place].reason.map { VisibleText.plain(String(cString: $0)) } ?? ""
    }
  }

  private static func bytes(_ id: unisono_participant_id) -> [UInt8] { withUnsafeBytes(of: id) { Array($0) } }
}
