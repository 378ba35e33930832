import CUnisono

/// A group of participants, found through an invite: a `GroupSession`.
///
/// Made by `host` or `init(invite:)`, then `join`. Who lets go of it leaves; `leave(within:)` makes sure that the others hear it.
public final class Session: Sendable {
  public struct State: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }
    init(_ state: unisono_session_state) { rawValue = state.rawValue }

    public static let waiting = State(.UNISONO_SESSION_WAITING)
    public static let joined = State(.UNISONO_SESSION_JOINED)
    public static let invalidated = State(.UNISONO_SESSION_INVALIDATED)
  }

  /// How a session is hosted or opened.
  public struct Options: Sendable {
    /// 1...63 bytes; nil: the device's name.
    public var displayName: String?
    /// Never serve as hub for the others, should theirs die.
    public var isNeverHub = false
    /// Started without a window.
    public var inBackground = false
    /// Asked for when an invite is opened; a lesser one is given at once, a greater one by an owner.
    public var role: Role = .default
    /// Of who hosts.
    public var controlPolicy: ControlPolicy = .everyone
    /// Of who hosts: the first activity.
    public var activity: Activity?
    /// Of who hosts: the line of a hub to use, "unisono-hub://host:port/id", as "unisono hub" prints it. nil: one in this process.
    public var hub: String?
    /// Of the hub in this process.
    public var hubOptions = Hub.Options()
    /// Of who hosts: who stands in when no owner is there; not `.named`, nobody is there yet.
    public var succession: Succession = .default
    /// Of who hosts: how long no owner is there until a deputy stands in, 5 s...1 h; zero: 30 s.
    public var successionDelay = Duration.zero
    /// What `continuation` gave on another day, to go on from there; empty: a participant who is new.
    public var continuation: [UInt8] = []
    /// What that was sealed with; empty: the context's `person`.
    public var continuationKey: [UInt8] = []
    /// One that is older is refused; zero: 90 days.
    public var continuationAge = Duration.zero

    public init(displayName: String? = nil) { self.displayName = displayName }

    fileprivate func c(_ lent: Lent) throws(UnisonoError) -> unisono_session_options {
      var c = unisono_session_options()
      c.size = UInt32(MemoryLayout<unisono_session_options>.size)
      c.display_name = try lent.text(displayName, "displayName")
      c.hub = try lent.text(hub, "hub")
      c.control_policy = controlPolicy.c
      c.role = role.c
      c.no_standby_hub = isNeverHub ? 1 : 0
      c.in_background = inBackground ? 1 : 0
      if let activity { c.activity = lent.one(try activity.c(lent)) }
      c.hub_options = lent.one(try hubOptions.c(lent))
      c.succession = succession.c
      c.succession_delay = try successionDelay.nanoseconds("successionDelay")
      c.continuation = lent.bytes(continuation)
      c.continuation_length = continuation.count
      c.continuation_key = lent.bytes(continuationKey)
      c.continuation_key_length = continuationKey.count
      c.continuation_age = try continuationAge.nanoseconds("continuationAge")
      return c
    }
  }

  public let context: Context
  let handle: Handle
  private let target = Listeners<SessionEvent> { SessionEvent($0) }

  /// Begins a new group. `invite` works at once; then `join`.
  /// Errors: `.invalidArgument` (a limit exceeded), `.tooBig` (the activity), `.network` (an address is in use, or none).
  public static func host(on context: Context, _ options: Options = Options()) throws(UnisonoError) -> Session {
    let lent = Lent()
    var c = try options.c(lent)
    return try Session(context) { user, out in
      withExtendedLifetime(lent) { unisono_session_host(context.loop.context.token, &c, nil, user, &out) }
    }
  }

  /// Opens an invite. Faults of the network come later, as state.
  /// invite: a secret; a line as it was pasted will do.
  /// Errors: `.invalidArgument` (which part of the invite is wrong), `.version` (made by a newer library).
  public convenience init(on context: Context, invite: String, _ options: Options = Options()) throws(UnisonoError) {
    let lent = Lent()
    var c = try options.c(lent)
    let text = try lent.text(invite, "invite")
    try self.init(context) { user, out in
      withExtendedLifetime(lent) { unisono_session_open(context.loop.context.token, text, &c, nil, user, &out) }
    }
  }

  private init(
    _ context: Context, _ make: (UnsafeMutableRawPointer, inout OpaquePointer?) -> Int32
  ) throws(UnisonoError) {
    handle = try context.loop.made(target, make)
    self.context = context
  }

  deinit { unisono_session_destroy(handle.token) }

  // MARK: Life

  /// Enters the group. Returns at once; the state becomes `.joined` when the group's state is here.
  /// Errors: `.wrongState` (invalidated).
  public func join() throws(UnisonoError) { try check(unisono_session_join(handle.token)) }

  /// What this participant goes on from on another day, by `Options.continuation`: a sealed secret, for a file that nobody else may read.
  /// key: 16...1,024 bytes that nobody can guess; empty: the context's `person`.
  /// Errors: `.invalidArgument` (the key), `.wrongState` (not joined, or not yet), `.tooBig` (what the group does does not fit).
  public func continuation(key: [UInt8] = []) throws(UnisonoError) -> [UInt8] {
    var owned: UnsafePointer<unisono_continuation>?
    try check(unisono_session_continuation(handle.token, key.isEmpty ? nil : key, key.count, &owned))
    defer { unisono_free(owned) }
    return owned.map { bytes($0.pointee.bytes, $0.pointee.length) } ?? []
  }

  /// Leaves the group, which goes on; the state becomes `.invalidated`.
  /// Errors: `.wrongState` (invalidated).
  public func leave() throws(UnisonoError) { try check(unisono_session_leave(handle.token)) }

  /// Leaves, and waits until the others were told. False: they will see this participant as lost.
  public func leave(within limit: Duration) async -> Bool {
    let events = events
    do { try leave() } catch { return false }
    return await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        for await case .state(let change) in events where change.state == .invalidated { return true }
        return false
      }
      group.addTask {
        try? await Task.sleep(for: limit)
        return false
      }
      defer { group.cancelAll() }
      return await group.next() ?? false
    }
  }

  /// Ends it for everybody.
  /// Errors: `.wrongState` (not joined), `.denied` (late, too).
  public func end() throws(UnisonoError) { try check(unisono_session_end(handle.token)) }

  // MARK: How it is

  /// What happens from now on; ask before `join` to miss nothing.
  public var events: Events<SessionEvent> { target.broadcast.events() }

  /// To pass on: whoever has it can join. It may change: `SessionEvent.invite`.
  public var invite: String {
    get throws(UnisonoError) { try readText { unisono_session_invite(handle.token, $0, $1) } }
  }

  public var state: State {
    get throws(UnisonoError) { State(rawValue: try check(unisono_session_get_state(handle.token))) }
  }

  public var connection: Connection {
    get throws(UnisonoError) { Connection(rawValue: try check(unisono_session_connection(handle.token))) }
  }

  /// The id of this one.
  public var localParticipant: ParticipantID {
    get throws(UnisonoError) {
      var id = unisono_participant_id()
      try check(unisono_session_local_participant(handle.token, &id))
      return ParticipantID(id)
    }
  }

  /// Who is there, this one included.
  public var activeParticipants: [Participant] {
    get throws(UnisonoError) { try Participant.list { unisono_session_participants(handle.token, $0) } }
  }

  /// What the group does together; nil: nothing yet.
  public var activity: Activity? {
    get throws(UnisonoError) {
      var owned: UnsafePointer<unisono_activity>?
      try check(unisono_session_activity(handle.token, &owned))
      defer { unisono_free(owned) }
      return owned.map { Activity($0.pointee) }
    }
  }

  /// What was said in writing and is kept, in the order of the conversation: the last 200 entries at most.
  public var chatHistory: [ChatMessage] {
    get throws(UnisonoError) {
      var owned: UnsafePointer<unisono_chat>?
      try check(unisono_session_chat_history(handle.token, &owned))
      defer { unisono_free(owned) }
      guard let chat = owned?.pointee else { return [] }
      return (0..<chat.count).compactMap { index in chat.items[index].map { ChatMessage($0.pointee) } }
    }
  }

  /// Session time at an instant of this machine, the same for everybody within the bound: nanoseconds since an origin that
  /// changes with the epoch. nil: there is no clock yet. Any thread may ask, an audio thread too.
  public func sessionTime(at instant: HostTime) -> (nanoseconds: Int64, errorBound: Duration, epoch: UInt64)? {
    var c = unisono_clock()
    c.size = UInt32(MemoryLayout<unisono_clock>.size)
    guard unisono_session_clock(handle.token, &c) == 0 else { return nil }
    let since = Double(instant.nanoseconds) - Double(c.host_time)
    let whole = c.session_time.addingReportingOverflow(Int64(exactly: (c.rate * since).rounded()) ?? 0)
    guard !whole.overflow else { return nil }
    return (
      whole.partialValue, .nanoseconds(c.error_bound) + .nanoseconds(1) * (c.error_growth * max(since, 0)), c.epoch
    )
  }

  /// Counters and clock figures.
  public var statistics: SessionStatistics {
    get throws(UnisonoError) {
      var c = unisono_session_statistics()
      c.size = UInt32(MemoryLayout<unisono_session_statistics>.size)
      try check(unisono_session_get_statistics(handle.token, &c))
      return SessionStatistics(c)
    }
  }

  // MARK: What the group does together

  /// Sets or changes what the group does; everybody is told.
  /// Errors: `.invalidArgument`, `.tooBig`, `.wrongState` (not joined), `.denied` (late, too).
  public func activate(_ activity: Activity) throws(UnisonoError) {
    let lent = Lent()
    var c = try activity.c(lent)
    try check(withExtendedLifetime(lent) { unisono_session_activate(handle.token, &c) })
  }

  /// Asks the person here, by `SessionEvent.consent`, whether to begin it with the group, unless an answer is remembered;
  /// `SessionEvent.activation` has the answer.
  public func prepareForActivation(_ activity: Activity) throws(UnisonoError) {
    let lent = Lent()
    var c = try activity.c(lent)
    try check(withExtendedLifetime(lent) { unisono_session_prepare_for_activation(handle.token, &c, nil, nil) })
  }

  /// The person's answer to a `SessionEvent.consent`.
  public func answerConsent(
    _ request: UInt64, _ answer: ActivationResult, remember: Bool = false
  ) throws(UnisonoError) {
    try check(unisono_session_answer_consent(handle.token, request, answer.c, remember ? 1 : 0))
  }

  /// Sends bytes to other participants: a `GroupSessionMessenger`.
  /// bytes: at most 64 KiB. to: nil: all others. type, version: what the bytes are, by which receivers tell them apart;
  /// 1...127 bytes of UTF-8, nil: they have none.
  /// Errors: `.tooBig`, `.wrongState` (not joined), `.notFound` (nobody has this id), `.busy` (1 MiB waits; go on at
  /// `SessionEvent.writable`), `.full`.
  public func send(
    _ bytes: [UInt8], type: String? = nil, version: UInt32 = 0, to participants: [ParticipantID]? = nil,
    delivery: Delivery = .reliable
  ) throws(UnisonoError) {
    if let participants, participants.isEmpty { return }
    let lent = Lent()
    let ids = lent.all((participants ?? []).map(\.c))
    try check(
      withExtendedLifetime(lent) {
        if let type {
          return unisono_session_send_typed(
            handle.token, type, version, lent.bytes(bytes), bytes.count, delivery.c, ids, participants?.count ?? 0)
        }
        return unisono_session_send(handle.token, lent.bytes(bytes), bytes.count, delivery.c, ids, participants?.count ?? 0)
      })
  }

  /// Sends bytes that the others get when their own playback is at a place of an item ("when the film is at 0:42:10"): once, when it
  /// stands there or runs past it. A jump over it does not count, and who joins later does not get it.
  /// bytes, type, version, to: as `send`. item: at most 1,023 bytes.
  /// Errors: as `send`; `.busy` later, as an error event: 64 of the own ones wait.
  public func send(
    _ bytes: [UInt8], whenAt itemTime: ItemTime, of item: String, type: String? = nil, version: UInt32 = 0,
    to participants: [ParticipantID]? = nil
  ) throws(UnisonoError) {
    if let participants, participants.isEmpty { return }
    let lent = Lent()
    let ids = lent.all((participants ?? []).map(\.c))
    let place = try lent.text(item, "item")
    let name = try lent.text(type, "type")
    try check(
      withExtendedLifetime(lent) {
        unisono_session_send_at(
          handle.token, place, itemTime.nanoseconds, name, version, lent.bytes(bytes), bytes.count, ids,
          participants?.count ?? 0)
      })
  }

  /// Tells the people of the group something.
  /// text: at most 255 bytes. url: at most 2,047.
  /// Errors: `.tooBig`, `.wrongState` (not joined), `.busy` (more than 20 in a second), `.full`.
  public func showNotice(_ text: String, url: String? = nil) throws(UnisonoError) {
    let lent = Lent()
    var c = unisono_notice()
    c.size = UInt32(MemoryLayout<unisono_notice>.size)
    c.kind = .UNISONO_NOTICE_CUSTOM
    c.text = try lent.text(text, "text")
    c.url = try lent.text(url, "url")
    try check(withExtendedLifetime(lent) { unisono_session_post_notice(handle.token, &c) })
  }

  /// Asks the others to bring this session to the front.
  /// Errors: `.wrongState` (not joined), `.busy` (more than one in a second), `.full`.
  public func requestForegroundPresentation() throws(UnisonoError) {
    try check(unisono_session_request_foreground(handle.token))
  }

  /// The person here speaks: the others turn their content down.
  public func setSpeaking(_ isSpeaking: Bool) throws(UnisonoError) {
    try check(unisono_session_set_speaking(handle.token, isSpeaking ? 1 : 0))
  }

  // MARK: Who may what

  /// Owners only. Errors: `.notFound`, `.wrongState` (not joined), `.denied` (late, too).
  public func setRole(_ role: Role, of participant: ParticipantID) throws(UnisonoError) {
    var id = participant.c
    try check(unisono_session_set_role(handle.token, &id, role.c))
  }

  /// Owners only: who may command.
  public func setControlPolicy(_ policy: ControlPolicy) throws(UnisonoError) {
    try check(unisono_session_set_control_policy(handle.token, policy.c))
  }

  /// Owners only: closes the group, so that nobody new is let in whoever has the invite, or opens it again.
  /// Errors: `.wrongState` (not joined), `.denied` (late, too).
  public func setClosed(_ isClosed: Bool) throws(UnisonoError) {
    try check(unisono_session_set_closed(handle.token, isClosed ? 1 : 0))
  }

  /// Owners only: puts a participant out for good, with all devices of its person.
  public func remove(_ participant: ParticipantID) throws(UnisonoError) {
    var id = participant.c
    try check(unisono_session_remove_participant(handle.token, &id))
  }

  /// Owners only: names who stands in, in this order, when no owner is there and none has left with `leave`.
  /// deputies: 1...8 participants, no owners. delay: without any owner, 5 s...1 h; zero: 30 s.
  /// Errors: `.invalidArgument` (a double, an owner, delay), `.notFound`, `.wrongState` (not joined), `.denied` (late, too).
  public func setDeputies(_ deputies: [ParticipantID], delay: Duration = .zero) throws(UnisonoError) {
    try setSuccession(.named, deputies, delay)
  }

  /// Owners only: who stands in without anybody being named.
  /// succession: not `.named`. delay and errors: as those of `setDeputies`.
  public func setSuccession(_ succession: Succession, delay: Duration = .zero) throws(UnisonoError) {
    try setSuccession(succession, [], delay)
  }

  private func setSuccession(
    _ succession: Succession, _ deputies: [ParticipantID], _ delay: Duration
  ) throws(UnisonoError) {
    let lent = Lent()
    let ids = lent.all(deputies.map(\.c))
    let delay = try delay.nanoseconds("delay")
    try check(
      withExtendedLifetime(lent) {
        unisono_session_set_deputies(handle.token, ids, deputies.count, succession.c, delay)
      })
  }

  /// Who stands in when no owner is there, and who does so now.
  public var succession: SuccessionState {
    get throws(UnisonoError) {
      var c = unisono_succession_state()
      c.size = UInt32(MemoryLayout<unisono_succession_state>.size)
      try check(unisono_session_get_succession(handle.token, &c))
      return SuccessionState(c)
    }
  }

  /// "Could you pause?": asks those who may command. `SessionEvent.request` tells what became of it.
  /// Returns: the request's number.
  public func requestCommand(_ command: RequestedCommand, text: String? = nil) throws(UnisonoError) -> UInt64 {
    let lent = Lent()
    var c = unisono_request()
    c.size = UInt32(MemoryLayout<unisono_request>.size)
    c.text = try lent.text(text, "text")
    switch command {
    case .pause: c.kind = .UNISONO_REQUEST_PAUSE
    case .play: c.kind = .UNISONO_REQUEST_PLAY
    case .seek(let time): (c.kind, c.item_time) = (.UNISONO_REQUEST_SEEK, time.nanoseconds)
    }
    var number: UInt64 = 0
    try check(withExtendedLifetime(lent) { unisono_session_request_command(handle.token, &c, &number) })
    return number
  }

  /// Says something in writing: everybody gets `SessionEvent.chat`. Returns: the entry's number.
  @discardableResult
  public func chat(_ text: String) throws(UnisonoError) -> UInt64 {
    let lent = Lent()
    let c = try lent.text(text, "text")
    var number: UInt64 = 0
    try check(withExtendedLifetime(lent) { unisono_session_chat(handle.token, c, &number) })
    return number
  }

  /// Reacts to what is on just now; not kept.
  public func react(_ text: String) throws(UnisonoError) {
    let lent = Lent()
    let c = try lent.text(text, "text")
    try check(withExtendedLifetime(lent) { unisono_session_react(handle.token, c) })
  }

  /// Offers a file to the group; everybody gets `SessionEvent.attachment`. `name` nil: the last part of the path. Returns: the request,
  /// which comes with what becomes of it.
  @discardableResult
  public func attach(path: String, name: String? = nil, mediaType: String? = nil) throws(UnisonoError) -> UInt64 {
    let lent = Lent()
    let (c, name, type) = (try lent.text(path, "path"), try lent.text(name, "name"), try lent.text(mediaType, "mediaType"))
    var request: UInt64 = 0
    try check(withExtendedLifetime(lent) { unisono_session_attach(handle.token, c, name, type, &request) })
    return request
  }

  /// The same with bytes, at most 1,048,576, which are kept in memory for as long as they are offered.
  @discardableResult
  public func attach(_ bytes: [UInt8], name: String, mediaType: String? = nil) throws(UnisonoError) -> UInt64 {
    let lent = Lent()
    let (c, name, type) = (lent.bytes(bytes), try lent.text(name, "name"), try lent.text(mediaType, "mediaType"))
    var request: UInt64 = 0
    try check(
      withExtendedLifetime(lent) { unisono_session_attach_bytes(handle.token, c, bytes.count, name, type, &request) })
    return request
  }

  /// What is offered to the group now, in the order in which it was offered.
  public var attachments: [Attachment] {
    get throws(UnisonoError) {
      var owned: UnsafePointer<unisono_attachments>?
      try check(unisono_session_attachments(handle.token, &owned))
      defer { unisono_free(owned) }
      guard let c = owned?.pointee else { return [] }
      return (0..<c.count).compactMap { c.items[$0].map { Attachment($0.pointee) } }
    }
  }

  /// Loads an attachment into a new file.
  public func load(_ attachment: Attachment, to path: String) throws(UnisonoError) {
    let lent = Lent()
    let (id, c) = (lent.one(attachment.c), try lent.text(path, "path"))
    try check(withExtendedLifetime(lent) { unisono_session_load_attachment(handle.token, id, c) })
  }

  /// Ends loading it.
  public func cancelLoading(_ attachment: Attachment) throws(UnisonoError) {
    var id = attachment.c
    try check(unisono_session_cancel_attachment(handle.token, &id))
  }

  /// Takes it back, for all.
  public func remove(_ attachment: Attachment) throws(UnisonoError) {
    var id = attachment.c
    try check(unisono_session_remove_attachment(handle.token, &id))
  }

  /// Answers an open request; granted, it is carried out.
  public func answerRequest(_ request: CommandRequest, granted: Bool) throws(UnisonoError) {
    var asker = request.asker.c
    try check(unisono_session_answer_request(handle.token, &asker, request.number, granted ? 1 : 0))
  }
}

/// Who stands in when no owner is there.
public struct Succession: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
  init(_ succession: unisono_succession) { rawValue = succession.rawValue }
  var c: unisono_succession { unisono_succession(rawValue: rawValue)! }  // the C enumeration is open

  /// Only given: as `.bySeniority`.
  public static let `default` = Succession(.UNISONO_SUCCESSION_DEFAULT)
  public static let nobody = Succession(.UNISONO_SUCCESSION_NOBODY)
  /// The deputies that an owner named, in their order.
  public static let named = Succession(.UNISONO_SUCCESSION_NAMED)
  /// Who has been there longest, the highest roles first; not where everyone commands.
  public static let bySeniority = Succession(.UNISONO_SUCCESSION_BY_SENIORITY)
}

public struct SuccessionState: Hashable, Sendable {
  public let succession: Succession
  /// Without any owner until the first deputy that is there stands in.
  public let delay: Duration
  /// Who stands in now; nil: nobody.
  public let acting: ParticipantID?
  /// The first goes first.
  public let deputies: [ParticipantID]

  init(_ c: unisono_succession_state) {
    (succession, delay) = (Succession(c.succession), .nanoseconds(c.delay))
    acting = ParticipantID(somebody: c.acting)
    deputies = withUnsafeBytes(of: c.deputies) { bytes in
      bytes.bindMemory(to: unisono_participant_id.self).prefix(Int(c.deputy_count)).map { ParticipantID($0) }
    }
  }
}

/// Counters and clock figures of a session. What is not known is nil.
public struct SessionStatistics: Hashable, Sendable {
  public struct ClockState: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }
    init(_ state: unisono_clock_state) { rawValue = state.rawValue }

    public static let none = ClockState(.UNISONO_CLOCK_NONE)
    public static let synchronizing = ClockState(.UNISONO_CLOCK_SYNCHRONIZING)
    public static let synchronized = ClockState(.UNISONO_CLOCK_SYNCHRONIZED)
    /// Nobody to compare with at the moment.
    public static let holdover = ClockState(.UNISONO_CLOCK_HOLDOVER)
  }

  public let clockState: ClockState
  /// The best of the recent ones.
  public let roundTrip: Duration?
  public let lastRoundTrip: Duration?
  /// Session time less host time.
  public let clockOffset: Duration?
  /// The stated bound.
  public let clockError: Duration?
  public let clockDriftPPM: Double
  public let probesSent: UInt64
  public let probesReceived: UInt64
  public let messagesSent: UInt64
  public let messagesReceived: UInt64
  public let bytesSent: UInt64
  public let bytesReceived: UInt64
  /// Forged, repeated or not allowed.
  public let messagesRefused: UInt64
  public let reconnects: UInt64
  public let hubChanges: UInt64
  public let sendQueueBytes: UInt64
  /// From any other participant's session time, whatever the hub says; nil: nobody to compare with yet.
  public let checkedBound: Duration?

  init(_ c: unisono_session_statistics) {
    (clockState, clockDriftPPM) = (ClockState(c.clock_state), c.clock_drift_ppm)
    (roundTrip, lastRoundTrip) = (Duration(known: c.round_trip), Duration(known: c.round_trip_last))
    (clockOffset, clockError) = (Duration(known: c.clock_offset), Duration(known: c.clock_error))
    (probesSent, probesReceived) = (c.probes_sent, c.probes_received)
    (messagesSent, messagesReceived, messagesRefused) = (c.messages_sent, c.messages_received, c.messages_refused)
    (bytesSent, bytesReceived, sendQueueBytes) = (c.bytes_sent, c.bytes_received, c.send_queue_bytes)
    (reconnects, hubChanges) = (c.reconnects, c.hub_changes)
    checkedBound = Duration(known: c.checked_bound)
  }
}
