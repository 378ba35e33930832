import CUnisono

/// News of the session's audience, for owners and hosts.
public struct AudienceChange: Hashable, Sendable {
  /// Later versions may have more.
  public struct State: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }
    init(_ state: unisono_audience_state) { rawValue = state.rawValue }

    public static let closed = State(.UNISONO_AUDIENCE_CLOSED)
    public static let opening = State(.UNISONO_AUDIENCE_OPENING)
    public static let open = State(.UNISONO_AUDIENCE_OPEN)
  }

  public let state: State
  /// By the hub's word.
  public let listeners: Int
  /// By the hub's word, too: how often it did not pass on what a listener said.
  public let leftOut: Int
  /// The same: how many are ready for the start that waits for them.
  public let ready: Int
  public let reactions: [ReactionCount]
  /// Why it is closed, or not open yet, for people; nil: nothing to say.
  public let reason: String?

  init(_ c: unisono_audience_event) {
    let reason = string(c.reason) ?? ""
    (state, listeners, leftOut, ready) = (State(c.state), Int(c.listeners), Int(c.left_out), Int(c.ready))
    reactions = ReactionCount.all(c.reactions, c.reaction_count)
    self.reason = reason.isEmpty ? nil : reason
  }
}

/// One of an audience's reactions.
public struct ReactionCount: Hashable, Sendable {
  public let reaction: String
  /// Listeners who reacted by it last, in the last 10 s, by the hub's word.
  public let count: Int

  static func all(_ c: UnsafePointer<unisono_reaction_count>?, _ count: Int) -> [ReactionCount] {
    (0..<count).compactMap { index in
      c.map { ReactionCount(reaction: string($0[index].reaction) ?? "", count: Int($0[index].count)) }
    }
  }
}

/// Somebody of the audience that this participant speaks to asks to speak, or says something. Who it is nobody knows.
public struct ListenerNews: Hashable, Sendable {
  /// The same as long as it listens; of no participant.
  public let listener: ParticipantID
  /// It wants to be invited: `Session.inviteListener`.
  public let asksToSpeak: Bool
  /// nil: it says nothing with it.
  public let text: String?

  init(_ c: unisono_listener_event) {
    let text = string(c.text) ?? ""
    (listener, asksToSpeak, self.text) = (ParticipantID(c.listener), c.word == .UNISONO_LISTENER_ASKS, text.isEmpty ? nil : text)
  }
}

/// How it is with the audience that a coordinator listens to, all of it.
public struct ListeningChange: Hashable, Sendable {
  /// Later versions may have more.
  public struct Status: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }
    init(_ status: unisono_listening_status) { rawValue = status.rawValue }

    /// Nothing was heard yet, or the link is lost; it is tried again.
    public static let connecting = Status(.UNISONO_LISTENING_CONNECTING)
    public static let following = Status(.UNISONO_LISTENING_FOLLOWING)
    /// Nobody of the group speaks; what was heard last goes on.
    public static let silent = Status(.UNISONO_LISTENING_SILENT)
    /// The coordinator is on its own.
    public static let over = Status(.UNISONO_LISTENING_OVER)
  }

  public let status: Status
  /// By the hub's word, to two digits; 0: not known.
  public let listeners: Int
  /// What the group is at, to be loaded and transitioned to; nil: nothing, or not known.
  public let item: String?
  public let activity: Activity?
  /// For people; nil: nothing to say.
  public let reason: String?
  /// How far the player may be before the group at most, whatever the hub says of the time; nil: not bounded yet.
  public let clockAhead: Duration?
  /// After it; bounded a while after the first word.
  public let clockBehind: Duration?
  /// The group's signed times contradict the hub's; `reason` says by how much at least.
  public let isClockDoubted: Bool
  /// By which one may react, `Coordinator.react`, and how many did, to two digits.
  public let reactions: [ReactionCount]

  init(_ c: unisono_listening_event) {
    let reason = string(c.reason) ?? ""
    (status, listeners, item) = (Status(c.status), Int(c.listeners), string(c.item))
    (activity, self.reason) = (c.activity.map { Activity($0.pointee) }, reason.isEmpty ? nil : reason)
    (clockAhead, clockBehind) = (Self.bound(c.clock_ahead), Self.bound(c.clock_behind))
    isClockDoubted = c.clock_doubt != 0
    reactions = ReactionCount.all(c.reactions, c.reaction_count)
  }

  private static func bound(_ time: Int64) -> Duration? { time == .min ? nil : .nanoseconds(time) }
}

extension Session {
  /// Whoever has the link of it follows what the group plays, any number of devices, and takes part in nothing. It takes a session in
  /// which hosts alone command, and newcomers who are less than hosts. A single stranger cannot be put out of it.
  /// - Parameters:
  ///   - readyShare: so many percent of those who listen are waited for before the group plays, 0...100.
  ///   - readyWait: after the command at most, 1 ms to 10 s.
  ///   - reactions: by which they may react, at most 8, of 32 bytes at most.
  /// Errors: `.invalidArgument`, `.wrongState` (not joined, others may command, the session has an audience), `.denied` (late, too).
  public func openAudience(
    readyShare: Int = 0, readyWait: Duration = .seconds(10), reactions: [String] = []
  ) throws(UnisonoError) {
    let lent = Lent()
    var c = unisono_audience_options()
    c.size = UInt32(MemoryLayout<unisono_audience_options>.size)
    c.ready_share = UInt32(exactly: readyShare) ?? .max
    c.ready_wait = max(1, readyWait.heldNanoseconds)
    c.reactions = try lent.texts(reactions, "reactions")
    c.reaction_count = reactions.count
    try check(withExtendedLifetime(lent) { unisono_session_open_audience(handle.token, &c) })
  }

  /// It gets another link. Who listens goes along, good or bad; who comes with the old one later than in ten minutes is told so.
  /// Errors: `.wrongState` (no audience is open here), `.denied`; late, too.
  public func renewAudience() throws(UnisonoError) { try check(unisono_session_renew_audience(handle.token)) }

  /// Its listeners are told so, and their players go on alone.
  public func closeAudience() throws(UnisonoError) { try check(unisono_session_close_audience(handle.token)) }

  /// For `Coordinator.listen(to:)`; no invite.
  /// Errors: `.wrongState` (no audience is open, or this participant is no host).
  public func audienceLink() throws(UnisonoError) -> String {
    try readText { unisono_session_audience_link(handle.token, $0, $1) }
  }

  /// Hands the invite to a listener who asked to speak, so that nobody else can read it.
  /// Errors: `.wrongState` (no audience is open here; late: its hub is not reached), `.notFound` (this one did not ask, or long ago).
  public func inviteListener(_ listener: ParticipantID) throws(UnisonoError) {
    var id = listener.c
    try check(unisono_session_invite_listener(handle.token, &id))
  }
}

extension Coordinator {
  /// Follows the audience of a link: the player does what the group does, and is in no session. `CoordinatorEvent.listening` tells what
  /// there is to load.
  /// Errors: `.invalidArgument` (the link), `.wrongState` (in a session, or listening already).
  public func listen(to link: String) throws(UnisonoError) {
    let lent = Lent()
    let text = try lent.text(link, "link")
    try check(withExtendedLifetime(lent) { unisono_coordinator_listen(handle.token, text) })
  }

  /// On its own again, with what plays.
  public func stopListening() throws(UnisonoError) { try check(unisono_coordinator_stop_listening(handle.token)) }

  /// Tells the hosts of the audience that this one wants to be invited: `CoordinatorEvent.invited`, if one of them does it. Up to 255 bytes.
  /// Errors: `.invalidArgument`, `.tooBig`, `.wrongState` (it does not listen), `.busy` (5 s since the last time are not over).
  public func askToSpeak(_ text: String? = nil) throws(UnisonoError) {
    let lent = Lent()
    let said = try lent.text(text, "text")
    try check(withExtendedLifetime(lent) { unisono_coordinator_ask_to_speak(handle.token, said) })
  }

  /// Up to 255 bytes in writing to those hosts, and to nobody else.
  /// Errors: as `askToSpeak`.
  public func sayToHosts(_ text: String) throws(UnisonoError) {
    let lent = Lent()
    let said = try lent.text(text, "text")
    try check(withExtendedLifetime(lent) { unisono_coordinator_say_to_hosts(handle.token, said) })
  }

  /// One of `ListeningChange.reactions`; who speaks to the audience and who listen are told how many did.
  /// Errors: `.invalidArgument`, `.tooBig`, `.wrongState` (it does not listen), `.busy` (1 s since the last time is not over).
  public func react(_ reaction: String) throws(UnisonoError) {
    let lent = Lent()
    let text = try lent.text(reaction, "reaction")
    try check(withExtendedLifetime(lent) { unisono_coordinator_react(handle.token, text) })
  }
}
