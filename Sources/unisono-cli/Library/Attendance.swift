import CUnisono
import UnisonoBase

/// A participant without a player of its own, in a session that it was invited to: it completes at once whatever is wanted of a player,
/// and says what happens. All of it on one thread.
final class Attendance {
  typealias Failure = LibraryCall.Failure

  enum Happening {
    /// How the session is: `connection`.
    case connection
    /// A sentence about what somebody did.
    case notice(unisono_notice_kind, String)
    case chat(name: String, text: String, isOwn: Bool)
    /// Another one's copy of the entry differs from what is said here of this one's: a sentence.
    case copy(String)
    /// Something that people are to know.
    case remark(String)
    /// A call was refused later.
    case refusal(status: Int32, String)
  }

  let context: OpaquePointer
  private(set) var session: OpaquePointer?
  private(set) var coordinator: OpaquePointer?
  private var suspension: OpaquePointer?
  /// What it is at.
  private(set) var item: String?
  private(set) var connection = "connecting"
  private(set) var isConnected = false
  private(set) var isJoined = false
  private(set) var hub = ""
  /// Why the session is over, and whether that is as it should be; nil: it is not.
  private(set) var end: (message: String, isInOrder: Bool)?
  /// Called while the loop is turned, of every happening.
  var heard: (Happening) -> Void = { _ in }

  /// - Parameter suspension: why it takes no part; nil: it takes part.
  init(invite: String, name: String, role: unisono_role, suspension reason: String?) throws(Failure) {
    var options = unisono_context_options()
    options.size = LibraryCall.size(unisono_context_options.self)
    var made: OpaquePointer?
    guard unisono_context_create(&options, nil, nil, &made) >= 0, let made else { throw LibraryCall.failure }
    context = made
    do throws(Failure) {
      try open(invite, name, role, reason)
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

  private func open(_ invite: String, _ name: String, _ role: unisono_role, _ reason: String?) throws(Failure) {
    var options = unisono_session_options()
    options.size = LibraryCall.size(unisono_session_options.self)
    options.role = role
    options.no_standby_hub = 1
    var callbacks = unisono_session_callbacks()
    callbacks.size = LibraryCall.size(unisono_session_callbacks.self)
    callbacks.state = { Attendance.hear($0, $1) { $0.take(state: $1) } }
    callbacks.notice = { Attendance.hear($0, $1) { $0.take(notice: $1.notice) } }
    callbacks.chat = { Attendance.hear($0, $1) { $0.take(chat: $1) } }
    callbacks.copy = { Attendance.hear($0, $1) { if $1.differs != 0 { $0.heard(.copy(String(cString: $1.message))) } } }
    callbacks.ignored = { Attendance.hear($0, $1) { $0.heard(.remark(String(cString: $1.message))) } }
    callbacks.clock_doubt = { Attendance.hear($0, $1) { $0.heard(.remark(String(cString: $1.message))) } }
    callbacks.error = { Attendance.hear($0, $1) { $0.take(error: $1) } }
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
    delegate.play = { Attendance.hear($0, $1) { $0.complete($1) } }
    delegate.pause = delegate.play
    delegate.seek = delegate.play
    delegate.buffer = delegate.play
    delegate.error = callbacks.error
    try LibraryCall.check(unisono_coordinator_create(context, &delegate, user, &coordinator))
    if let reason { try suspend(reason) }
    try LibraryCall.check(unisono_coordinator_coordinate_with_session(coordinator, session))
    try LibraryCall.check(unisono_session_join(session))
  }

  /// - Parameter user: what `open` gave.
  private static func hear<Event>(
    _ user: UnsafeMutableRawPointer?, _ event: UnsafePointer<Event>?, _ take: (Attendance, Event) -> Void
  ) {
    guard let user, let event else { return }
    take(Unmanaged<Attendance>.fromOpaque(user).takeUnretainedValue(), event.pointee)
  }

  // MARK: What happens

  private func take(state: unisono_session_state_event) {
    hub = VisibleText.plain(String(cString: state.hub))
    let message = String(cString: state.message)
    isConnected = state.connection == .UNISONO_CONNECTION_CONNECTED
    isJoined = state.state == .UNISONO_SESSION_JOINED
    let before = connection
    switch state.connection {
    case .UNISONO_CONNECTION_CONNECTED: connection = "connected"
    case .UNISONO_CONNECTION_RECONNECTING: connection = "the connection is lost, trying again"
    default: connection = "connecting"
    }
    if !isConnected, state.reason != 0, !message.isEmpty { connection += ": " + VisibleText.plain(message) }
    if state.state == .UNISONO_SESSION_INVALIDATED {
      let isEnded = state.reason == unisono_status.UNISONO_EENDED.rawValue
      connection =
        isEnded ? "the session was ended for everybody" : "the session is over: " + VisibleText.plain(message)
      end = (connection, isEnded || state.reason == 0)
    }
    if connection != before { heard(.connection) }
  }

  private func take(notice: UnsafePointer<unisono_notice>) {
    var text = [CChar](repeating: 0, count: 1_024)
    var length = text.count
    if unisono_notice_text(notice, &text, &length) >= 0 { heard(.notice(notice.pointee.kind, Self.text(text))) }
  }

  private func take(chat: unisono_chat_event) {
    guard chat.is_history == 0 else { return }
    let name = chat.entry.pointee.name.map { String(cString: $0) } ?? "Somebody"
    heard(.chat(name: name, text: String(cString: chat.entry.pointee.text), isOwn: chat.own != 0))
  }

  private func take(error: unisono_error_event) {
    heard(.refusal(status: error.status, "\(String(cString: error.operation)): \(String(cString: error.message))"))
  }

  private static func text(_ bytes: [CChar]) -> String {
    String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func complete(_ command: unisono_command) { unisono_coordinator_complete(coordinator, command.id) }

  // MARK: Taking part

  /// Nobody waits for it, and it commands nobody, until `endSuspension`.
  func suspend(_ reason: String) throws(Failure) {
    guard suspension == nil else { return }
    try LibraryCall.check(unisono_coordinator_begin_suspension(coordinator, reason, &suspension))
  }

  func endSuspension() {
    unisono_suspension_destroy(suspension)
    suspension = nil
  }

  /// Goes to another item, at the group's place of it.
  func transition(to next: String?) {
    guard next != item, unisono_coordinator_transition_to_item(coordinator, next, nil) >= 0 else { return }
    item = next
  }

  // MARK: Looking

  /// Turns the loop until something happens, at most for so long.
  func run(for wait: Int64) throws(Failure) { try LibraryCall.check(unisono_context_poll(context, wait)) }

  /// ns, of the clock that everything here is told by.
  var now: Int64 { unisono_context_host_time(context) }

  /// The group's; nil: none yet.
  var timing: unisono_timing? {
    var timing = unisono_timing()
    timing.size = LibraryCall.size(unisono_timing.self)
    return unisono_coordinator_timing(coordinator, &timing) >= 0 ? timing : nil
  }

  /// Where the group is at an instant.
  func expectedPosition(at now: Int64) -> Int64? {
    var position: Int64 = 0
    return unisono_coordinator_expected_item_time(coordinator, now, &position) >= 0 ? position : nil
  }

  /// What the activity says of a film.
  var film: WatchedFilm? {
    var activity: UnsafePointer<unisono_activity>?
    guard unisono_session_activity(session, &activity) >= 0, let activity else { return nil }
    defer { unisono_free(activity) }
    guard let bytes = activity.pointee.payload else { return nil }
    return WatchedFilm(payload: UnsafeRawBufferPointer(start: bytes, count: activity.pointee.payload_length))
  }

  /// Every participant but this one.
  func forEachOther(_ body: (unisono_participant) -> Void) {
    var all: UnsafePointer<unisono_participants>?
    guard unisono_session_participants(session, &all) >= 0, let all else { return }
    defer { unisono_free(all) }
    for place in 0..<all.pointee.count {
      if let one = all.pointee.items[place]?.pointee, one.is_local == 0 { body(one) }
    }
  }
}
