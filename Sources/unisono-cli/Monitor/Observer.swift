import CUnisono
import Glibc
import UnisonoBase

/// A participant without a player, which looks on: a viewer that is suspended, so that nobody waits for it, at the item that most of the
/// others have, so that it is told of what they do. All of it on one thread.
final class Observer {
  typealias Failure = LibraryCall.Failure

  private static let reason = "monitor"

  private let attendance: Attendance
  private var order: [[UInt8]] = []
  private var events: [GroupPicture.Event] = []
  /// How many there were in all, those included that are not kept.
  private(set) var eventCount = 0

  init(invite: String, name: String) throws(Failure) {
    attendance = try Attendance(invite: invite, name: name, role: .UNISONO_ROLE_VIEWER, suspension: Self.reason)
    // It is let go of by `close`, with everything that could call it.
    attendance.heard = { [unowned self] in hear($0) }
  }

  /// Says goodbye.
  func close() { attendance.close() }

  /// For another thread: `run` returns.
  var wake: @Sendable () -> Void { attendance.wake }

  /// Why the session is over, and whether that is as it should be; nil: it is not.
  var end: (message: String, isInOrder: Bool)? { attendance.end }

  // MARK: What happens

  private func hear(_ happening: Attendance.Happening) {
    switch happening {
    case .connection: add(attendance.connection)
    case .notice(_, let text), .remark(let text), .refusal(_, let text): add(text)
    case .chat(let name, let text, _): add("\(name): \(text)")
    // It has no copy that could differ.
    case .copy: break
    }
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

  // MARK: Looking

  /// Turns the loop until something happens, at most for so long.
  func run(for wait: Int64) throws(Failure) { try attendance.run(for: wait) }

  /// ns, of the clock that everything here is told by.
  var now: Int64 { attendance.now }

  func picture() -> GroupPicture {
    let now = now
    let statements = statements()
    // At the group's item, whatever it is, and with nothing to play it by.
    attendance.transition(to: GroupPicture.commonItem(statements.compactMap { $0.isConnected ? $0.item : nil }))
    let item = attendance.item
    var picture = GroupPicture(
      connection: attendance.connection, isConnected: attendance.isConnected, hub: attendance.hub)
    picture.item = item.map { VisibleText.plain($0) }
    picture.events = events
    if let film = attendance.film, film.item == item { picture.duration = film.duration }
    readTiming(&picture, now)
    var statistics = unisono_session_statistics()
    statistics.size = LibraryCall.size(unisono_session_statistics.self)
    if unisono_session_get_statistics(attendance.session, &statistics) >= 0 {
      picture.roundTrip = Self.known(statistics.round_trip)
      if statistics.clock_state != .UNISONO_CLOCK_NONE { picture.clockError = Self.known(statistics.clock_error) }
    }
    var isPlaying = false
    if case .playing = picture.motion { isPlaying = true }
    picture.people = statements.map {
      $0.person(item: item, position: picture.position, isPlaying: isPlaying, now: now)
    }
    return picture
  }

  private func readTiming(_ picture: inout GroupPicture, _ now: Int64) {
    guard let timing = attendance.timing else { return }
    switch timing.state {
    case .UNISONO_TIMING_PAUSED: picture.motion = .paused
    case .UNISONO_TIMING_WAITING: picture.motion = .waiting
    case .UNISONO_TIMING_PLAYING: picture.motion = .playing(rate: timing.rate)
    default: return
    }
    picture.position = attendance.expectedPosition(at: now)
  }

  private static func known(_ time: Int64) -> Int64? { time == .min ? nil : time }

  /// Of the others, in the order in which they were first seen.
  private func statements() -> [Statement] {
    let waits = waits()
    var found: [[UInt8]: Statement] = [:]
    attendance.forEachOther { one in
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
    guard unisono_coordinator_waiting_for(attendance.coordinator, &list, &count) >= 0, let list else { return [:] }
    defer { unisono_free(list) }
    return (0..<count).reduce(into: [:]) { waits, place in
      waits[Self.bytes(list[place].participant)] =
        list[place].reason.map { VisibleText.plain(String(cString: $0)) } ?? ""
    }
  }

  private static func bytes(_ id: unisono_participant_id) -> [UInt8] { withUnsafeBytes(of: id) { Array($0) } }
}
