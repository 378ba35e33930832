import CUnisono

/// What happens in a session.
public enum SessionEvent: LossyEvent {
  case state(SessionStateChange)
  /// nil: none any more. `isLocal`: this participant set it.
  case activity(Activity?, originator: ParticipantID, isLocal: Bool)
  case participants(ParticipantsChange)
  case message(Message)
  case notice(Notice)
  /// Somebody asks to bring this session to the front.
  case foregroundRequested(by: ParticipantID, inBackground: Bool)
  case speaking(ParticipantID, isSpeaking: Bool)
  /// Another invite is to be passed on from now on. A secret.
  case invite(String)
  /// Is the person here willing? Answer with `Session.answerConsent`.
  case consent(request: UInt64, Activity)
  case activation(ActivationResult, Activity, isRemembered: Bool)
  /// `Session.send` may go on.
  case writable
  case succession(deputy: ParticipantID, SuccessionStatus, isNamed: Bool)
  case request(CommandRequest)
  case ignored(Ignored)
  case clockDoubt(ClockDoubt)
  /// Somebody said something in writing or reacted; this participant, too. `isHistory`: it was said before this participant came, or
  /// while it was away.
  case chat(ChatMessage, isOwn: Bool, isHistory: Bool)
  case split(Split)
  case hubDoubt(HubDoubt)
  /// A scheduled start was set or called off, comes nearer or is due.
  case schedule(ScheduleChange)
  /// The session's audience is in another state, or of another size.
  case audience(AudienceChange)
  /// Somebody of that audience asks to speak, or says something.
  case listener(ListenerNews)
  /// The playlist, or where the group is in it, changed; the own changes, too.
  case playlist(PlaylistChange)
  /// Another's copy of the current entry, compared with the own one; once per difference.
  case copy(CopyComparison)
  /// Something is offered, comes, or is taken back.
  case attachment(AttachmentChange)
  /// A call that was accepted and refused later.
  case error(LateError)
  /// So many events are missing here: this reader did not keep up.
  case overflow(Int)

  init?(_ event: UnsafePointer<unisono_context_event>) {
    switch event.pointee.type {
    case .UNISONO_EVENT_SESSION_STATE:
      guard let c = unisono_event_session_state(event)?.pointee else { return nil }
      self = .state(SessionStateChange(c))
    case .UNISONO_EVENT_SESSION_ACTIVITY:
      guard let c = unisono_event_activity(event)?.pointee else { return nil }
      self = .activity(c.activity.map { Activity($0.pointee) }, originator: ParticipantID(c.originator), isLocal: c.is_local != 0)
    case .UNISONO_EVENT_SESSION_PARTICIPANTS:
      guard let c = unisono_event_participants(event)?.pointee else { return nil }
      self = .participants(ParticipantsChange(c))
    case .UNISONO_EVENT_SESSION_MESSAGE:
      guard let c = unisono_event_message(event)?.pointee else { return nil }
      self = .message(Message(c))
    case .UNISONO_EVENT_SESSION_NOTICE:
      guard let c = unisono_event_notice(event)?.pointee.notice else { return nil }
      self = .notice(Notice(c))
    case .UNISONO_EVENT_SESSION_FOREGROUND:
      guard let c = unisono_event_participant(event)?.pointee else { return nil }
      self = .foregroundRequested(by: ParticipantID(c.participant), inBackground: c.in_background != 0)
    case .UNISONO_EVENT_SESSION_SPEAKING:
      guard let c = unisono_event_participant(event)?.pointee else { return nil }
      self = .speaking(ParticipantID(c.participant), isSpeaking: c.active != 0)
    case .UNISONO_EVENT_SESSION_INVITE:
      guard let c = unisono_event_invite(event)?.pointee else { return nil }
      self = .invite(String(cString: c.invite))
    case .UNISONO_EVENT_SESSION_CONSENT:
      guard let c = unisono_event_activation(event)?.pointee, let activity = c.activity else { return nil }
      self = .consent(request: c.request, Activity(activity.pointee))
    case .UNISONO_EVENT_SESSION_ACTIVATION:
      guard let c = unisono_event_activation(event)?.pointee, let activity = c.activity else { return nil }
      self = .activation(
        ActivationResult(rawValue: c.result.rawValue), Activity(activity.pointee), isRemembered: c.remembered != 0)
    case .UNISONO_EVENT_SESSION_WRITABLE:
      self = .writable
    case .UNISONO_EVENT_SESSION_SUCCESSION:
      guard let c = unisono_event_succession(event)?.pointee else { return nil }
      self = .succession(
        deputy: ParticipantID(c.deputy), SuccessionStatus(rawValue: c.status.rawValue), isNamed: c.named != 0)
    case .UNISONO_EVENT_SESSION_REQUEST:
      guard let c = unisono_event_request(event)?.pointee else { return nil }
      self = .request(CommandRequest(c))
    case .UNISONO_EVENT_SESSION_IGNORED:
      guard let c = unisono_event_ignored(event)?.pointee else { return nil }
      self = .ignored(Ignored(c))
    case .UNISONO_EVENT_SESSION_CLOCK_DOUBT:
      guard let c = unisono_event_clock_doubt(event)?.pointee else { return nil }
      self = .clockDoubt(ClockDoubt(c))
    case .UNISONO_EVENT_SESSION_SPLIT:
      guard let c = unisono_event_split(event)?.pointee else { return nil }
      self = .split(Split(c))
    case .UNISONO_EVENT_SESSION_HUB_DOUBT:
      guard let c = unisono_event_hub_doubt(event)?.pointee else { return nil }
      self = .hubDoubt(HubDoubt(c))
    case .UNISONO_EVENT_SESSION_SCHEDULE:
      guard let c = unisono_event_schedule(event)?.pointee, let start = c.start?.pointee else { return nil }
      self = .schedule(ScheduleChange(c, ScheduledStart(start)))
    case .UNISONO_EVENT_SESSION_AUDIENCE:
      guard let c = unisono_event_audience(event)?.pointee else { return nil }
      self = .audience(AudienceChange(c))
    case .UNISONO_EVENT_SESSION_LISTENER:
      guard let c = unisono_event_listener(event)?.pointee else { return nil }
      self = .listener(ListenerNews(c))
    case .UNISONO_EVENT_SESSION_ATTACHMENT:
      guard let c = unisono_event_attachment(event)?.pointee, let attachment = c.attachment?.pointee else { return nil }
      self = .attachment(AttachmentChange(c, Attachment(attachment)))
    case .UNISONO_EVENT_SESSION_CHAT:
      guard let c = unisono_event_chat(event)?.pointee, let entry = c.entry?.pointee else { return nil }
      self = .chat(ChatMessage(entry), isOwn: c.own != 0, isHistory: c.is_history != 0)
    case .UNISONO_EVENT_SESSION_PLAYLIST:
      guard let c = unisono_event_playlist(event)?.pointee else { return nil }
      self = .playlist(PlaylistChange(c))
    case .UNISONO_EVENT_SESSION_COPY:
      guard let c = unisono_event_copy(event)?.pointee, let copy = c.copy?.pointee else { return nil }
      self = .copy(CopyComparison(c, copy))
    case .UNISONO_EVENT_ERROR:
      guard let error = LateError(event) else { return nil }
      self = .error(error)
    default:
      return nil
    }
  }
}

public struct SessionStateChange: Hashable, Sendable {
  public let state: Session.State
  public let connection: Connection
  /// Why it is over, or not connected; nil: nothing is wrong.
  public let reason: UnisonoError?
  /// "host:port" of the hub in use; nil: none.
  public let hub: String?
  /// That hub is the one in this process.
  public let isHubOwn: Bool
  /// No other participant is in touch.
  public let isAlone: Bool
  /// An owner closed the group: nobody new is let in.
  public let isClosed: Bool

  init(_ c: unisono_session_state_event) {
    state = Session.State(rawValue: c.state.rawValue)
    connection = Connection(rawValue: c.connection.rawValue)
    reason = c.reason == 0 ? nil : UnisonoError(.init(rawValue: c.reason), string(c.message))
    let hub = string(c.hub) ?? ""
    (self.hub, isHubOwn, isAlone) = (hub.isEmpty ? nil : hub, c.hub_is_own != 0, c.alone != 0)
    isClosed = c.closed != 0
  }
}

public struct Message: Hashable, Sendable {
  /// Proven by signature.
  public let sender: ParticipantID
  public let bytes: [UInt8]
  public let delivery: Delivery
  /// What the bytes are; nil: none was given.
  public let type: String?
  /// Of the type, as its sender has it.
  public let version: UInt32
  /// Item whose place it waited for; nil: none.
  public let item: String?
  public let itemTime: ItemTime

  init(_ c: unisono_message) {
    let name = string(c.type) ?? ""
    (type, version) = (name.isEmpty ? nil : name, c.version)
    (sender, bytes) = (ParticipantID(c.sender), UnisonoKit.bytes(c.data, c.length))
    let place = string(c.item) ?? ""
    (item, itemTime) = (place.isEmpty ? nil : place, ItemTime(nanoseconds: c.item_time))
    delivery = c.delivery == .UNISONO_DELIVERY_UNRELIABLE ? .unreliable : .reliable
  }
}

public enum Delivery: Hashable, Sendable {
  /// Once and in order, also across lost links of up to 30 s.
  case reliable
  /// At once or not at all, in any order.
  case unreliable

  var c: unisono_delivery { self == .reliable ? .UNISONO_DELIVERY_RELIABLE : .UNISONO_DELIVERY_UNRELIABLE }
}

/// "Ann sought to 1:02:03".
public struct Notice: Hashable, Sendable, CustomStringConvertible {
  public struct Kind: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }
    init(_ kind: unisono_notice_kind) { rawValue = kind.rawValue }

    public static let custom = Kind(.UNISONO_NOTICE_CUSTOM)
    public static let played = Kind(.UNISONO_NOTICE_PLAYED)
    public static let paused = Kind(.UNISONO_NOTICE_PAUSED)
    public static let skipped = Kind(.UNISONO_NOTICE_SKIPPED)
    public static let rateChanged = Kind(.UNISONO_NOTICE_RATE_CHANGED)
    public static let itemChanged = Kind(.UNISONO_NOTICE_ITEM_CHANGED)
    public static let queueChanged = Kind(.UNISONO_NOTICE_QUEUE_CHANGED)
    /// The group went on without this one.
    public static let leftWaiting = Kind(.UNISONO_NOTICE_LEFT_WAITING)
    /// Somebody came; told once, with the name. This and the following ones cannot be posted.
    public static let joined = Kind(.UNISONO_NOTICE_JOINED)
    /// Somebody went.
    public static let left = Kind(.UNISONO_NOTICE_LEFT)
    /// Was there when this participant joined.
    public static let present = Kind(.UNISONO_NOTICE_PRESENT)
    /// Has been at another item than this participant for three seconds; `text` is its item.
    public static let elsewhere = Kind(.UNISONO_NOTICE_ELSEWHERE)
    /// The group left out a range of the entry; `text` is its kind.
    public static let rangeSkipped = Kind(.UNISONO_NOTICE_RANGE_SKIPPED)
  }

  public let kind: Kind
  public let originator: ParticipantID
  /// The originator's, as known.
  public let name: String?
  /// Of a skip: by how much.
  public let amount: Duration
  /// Of a skip: where to.
  public let itemTime: ItemTime?
  /// Of a change of rate.
  public let rate: Double
  public let text: String?
  public let url: String?
  /// Name of the coordinator on whose items it was done; nil: the session's first one, or none.
  public let coordinator: String?
  /// In English, for people.
  public let description: String

  init(_ c: UnsafePointer<unisono_notice>) {
    kind = Kind(c.pointee.kind)
    (originator, name) = (ParticipantID(c.pointee.originator), string(c.pointee.name))
    (amount, rate) = (.nanoseconds(c.pointee.amount), c.pointee.rate)
    itemTime = c.pointee.flags & UNISONO_HAS_POSITION == 0 ? nil : ItemTime(nanoseconds: c.pointee.item_time)
    (text, url) = (string(c.pointee.text), string(c.pointee.url))
    coordinator = string(c.pointee.coordinator)
    let sentence = try? readText { unisono_notice_text(c, $0, $1) }
    description = sentence ?? string(c.pointee.text) ?? ""
  }
}

public struct ActivationResult: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
  init(_ result: unisono_activation_result) { rawValue = result.rawValue }
  var c: unisono_activation_result { unisono_activation_result(rawValue: rawValue)! }  // the C enumeration is open

  /// Alone.
  public static let activationDisabled = ActivationResult(.UNISONO_ACTIVATION_DISABLED)
  /// With the group.
  public static let activationPreferred = ActivationResult(.UNISONO_ACTIVATION_PREFERRED)
  /// Not at all.
  public static let cancelled = ActivationResult(.UNISONO_ACTIVATION_CANCELLED)
}

public struct SuccessionStatus: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
  init(_ status: unisono_succession_status) { rawValue = status.rawValue }

  /// An owner is back, or decided otherwise.
  public static let ended = SuccessionStatus(.UNISONO_SUCCESSION_ENDED)
  /// The deputy acts as owner from now on.
  public static let began = SuccessionStatus(.UNISONO_SUCCESSION_BEGAN)
  /// It says so, but an owner is there.
  public static let refused = SuccessionStatus(.UNISONO_SUCCESSION_REFUSED)
}

/// What is asked of those who may command.
public enum RequestedCommand: Hashable, Sendable {
  case pause
  case play
  case seek(to: ItemTime)
}

public struct CommandRequest: Hashable, Sendable {
  public struct Status: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }
    init(_ status: unisono_request_status) { rawValue = status.rawValue }

    /// This host is asked: `Session.answerRequest`.
    public static let open = Status(.UNISONO_REQUEST_OPEN)
    public static let granted = Status(.UNISONO_REQUEST_GRANTED)
    public static let declined = Status(.UNISONO_REQUEST_DECLINED)
    public static let unanswered = Status(.UNISONO_REQUEST_UNANSWERED)
  }

  /// The asker's.
  public let number: UInt64
  /// Proven by signature.
  public let asker: ParticipantID
  /// Who granted or declined it.
  public let answerer: ParticipantID?
  public let status: Status
  /// nil: one that this version does not know.
  public let command: RequestedCommand?
  public let item: String
  public let text: String?

  init(_ c: unisono_request_event) {
    (number, asker, answerer) = (c.number, ParticipantID(c.asker), ParticipantID(somebody: c.answerer))
    (status, item, text) = (Status(c.status), string(c.item) ?? "", string(c.text))
    switch c.kind {
    case .UNISONO_REQUEST_PAUSE: command = .pause
    case .UNISONO_REQUEST_PLAY: command = .play
    case .UNISONO_REQUEST_SEEK: command = .seek(to: ItemTime(nanoseconds: c.item_time))
    default: command = nil
    }
  }
}

/// Somebody is ignored for a while, because much of what it sent was forged, bent or unreadable.
public struct Ignored: Hashable, Sendable {
  public let participant: ParticipantID
  /// It takes nothing of this one, as it says; else nothing of it is taken here.
  public let isByOther: Bool
  public let reason: UnisonoError
  public let until: HostTime

  init(_ c: unisono_ignored_event) {
    (participant, isByOther) = (ParticipantID(c.participant), c.by_other != 0)
    reason = UnisonoError(.init(rawValue: c.status), string(c.message))
    until = HostTime(nanoseconds: c.until)
  }
}

/// A participant's clock is in doubt: compared past the hub, it contradicts the others'.
public struct ClockDoubt: Hashable, Sendable {
  public let participant: ParticipantID
  /// It is this participant's.
  public let isOwn: Bool
  /// It is not in doubt any more.
  public let isOver: Bool
  /// That clock less the one that it was compared with.
  public let offset: Duration
  /// "host:port"; "": none any more.
  public let hub: String
  /// For people.
  public let message: String

  init(_ c: unisono_clock_doubt_event) {
    (participant, isOwn, isOver) = (ParticipantID(c.participant), c.own != 0, c.over != 0)
    (offset, hub, message) = (.nanoseconds(c.offset), String(cString: c.hub), String(cString: c.message))
  }
}

/// Somebody and this participant do not hear each other, though both are at the hub, or do again.
public struct Split: Hashable, Sendable {
  /// In which ways two do not hear each other.
  public struct Kinds: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Others hear it, this participant does not.
    public static let unheard = Kinds(rawValue: 1)
    /// It hears others, and not this participant.
    public static let deaf = Kinds(rawValue: 2)
    /// It is at the hub and speaks, and nothing of it can be read here.
    public static let unreadable = Kinds(rawValue: 4)
  }

  /// The other one; of `unreadable` maybe one that is in no list.
  public let participant: ParticipantID
  /// One.
  public let kind: Kinds
  public let isOver: Bool
  /// When it was found first.
  public let since: HostTime
  /// "host:port"; "": none any more.
  public let hub: String
  /// For people.
  public let message: String

  init(_ c: unisono_split_event) {
    (participant, kind) = (ParticipantID(c.participant), Kinds(rawValue: UInt32(bitPattern: c.kind.rawValue)))
    (isOver, since) = (c.over != 0, HostTime(nanoseconds: c.since))
    (hub, message) = (String(cString: c.hub), String(cString: c.message))
  }
}

/// A hub does not do as it should: it is the last choice from now on, or left alone for a while.
public struct HubDoubt: Hashable, Sendable {
  /// Why; later versions may have more.
  public struct Reason: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }
    init(_ reason: unisono_hub_doubt_reason) { rawValue = reason.rawValue }

    /// It tells this participant, or two others, another time than the rest.
    public static let clock = Reason(.UNISONO_HUB_DOUBT_CLOCK)
    /// It keeps this participant and others from hearing each other.
    public static let split = Reason(.UNISONO_HUB_DOUBT_SPLIT)
    /// Another one answers at its address, or it cannot prove that it is the one that was meant.
    public static let identity = Reason(.UNISONO_HUB_DOUBT_IDENTITY)
    /// It does not let this participant in again.
    public static let refusal = Reason(.UNISONO_HUB_DOUBT_REFUSAL)
    /// It said again and again that a newer connection took this one's place.
    public static let replacement = Reason(.UNISONO_HUB_DOUBT_REPLACEMENT)
  }

  /// "host:port".
  public let hub: String
  public let reason: Reason
  /// It is not in doubt any more.
  public let isOver: Bool
  /// It is left alone until then; nil: it may be turned to, after all others.
  public let until: HostTime?
  /// For people.
  public let message: String

  init(_ c: unisono_hub_doubt_event) {
    (hub, reason, isOver) = (String(cString: c.hub), Reason(c.reason), c.over != 0)
    (until, message) = (HostTime(known: c.until), String(cString: c.message))
  }
}

/// Something said in writing, or a reaction.
public struct ChatMessage: Hashable, Sendable {
  public let isReaction: Bool
  /// Proven by signature, also where another one told it.
  public let author: ParticipantID
  /// The author's, ascending; with `author` the entry's name. Of a reaction 0.
  public let number: UInt64
  /// Host time; nil: session time is not known.
  public let said: HostTime?
  /// What was on; nil: nothing.
  public let item: String?
  /// Where the group was in it; nil: not known.
  public let itemTime: ItemTime?
  /// The author's; nil: it has none.
  public let name: String?
  public let text: String

  init(_ c: unisono_chat_entry) {
    isReaction = c.kind == .UNISONO_CHAT_REACTION
    (author, number) = (ParticipantID(c.author), c.number)
    said = HostTime(known: c.said)
    itemTime = ItemTime(known: c.item_time)
    (item, name, text) = (string(c.item), string(c.name), string(c.text) ?? "")
  }
}

/// Something that is offered to the group.
public struct Attachment: Hashable, Sendable {
  /// SHA-256 of the content, 32 bytes; zeros: it has none yet.
  public let id: [UInt8]
  /// nil: it was never offered.
  public let owner: ParticipantID?
  /// Bytes.
  public let length: UInt64
  /// Could be that of a file.
  public let name: String
  /// Such as "text/vtt"; empty: not said.
  public let mediaType: String
  /// All of it is here, and others are given it.
  public let isAvailable: Bool

  init(_ c: unisono_attachment) {
    id = withUnsafeBytes(of: c.id.bytes) { Array($0) }
    (owner, length) = (ParticipantID(somebody: c.owner), c.length)
    (name, mediaType) = (string(c.name) ?? "", string(c.media_type) ?? "")
    isAvailable = c.is_available != 0
  }

  var c: unisono_attachment_id {
    var c = unisono_attachment_id()
    withUnsafeMutableBytes(of: &c) { $0.copyBytes(from: id) }
    return c
  }
}

/// What becomes of an attachment.
public struct AttachmentChange: Hashable, Sendable {
  public struct Kind: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }
    init(_ change: unisono_attachment_change) { rawValue = change.rawValue }

    /// It is offered.
    public static let added = Kind(.UNISONO_ATTACHMENT_ADDED)
    /// It is not offered any more; what was loaded stays.
    public static let removed = Kind(.UNISONO_ATTACHMENT_REMOVED)
    public static let progress = Kind(.UNISONO_ATTACHMENT_PROGRESS)
    /// The file is there.
    public static let loaded = Kind(.UNISONO_ATTACHMENT_LOADED)
    public static let failed = Kind(.UNISONO_ATTACHMENT_FAILED)
    /// Bytes of somebody were not it, and were thrown away; others are asked.
    public static let forged = Kind(.UNISONO_ATTACHMENT_FORGED)
    /// The file that others were given has changed or is gone.
    public static let lost = Kind(.UNISONO_ATTACHMENT_LOST)
  }

  public let kind: Kind
  public let attachment: Attachment
  /// Of the own call of `attach`; 0: of none.
  public let request: UInt64
  /// Bytes that are here.
  public let transferred: UInt64
  /// Whose bytes were not it; nil: nobody knows.
  public let participant: ParticipantID?
  /// Why it failed, as the C interface's number; 0: it did not.
  public let status: Int32
  /// The same for people.
  public let message: String

  init(_ c: unisono_attachment_event, _ attachment: Attachment) {
    (kind, self.attachment) = (Kind(c.change), attachment)
    (request, transferred, status) = (c.request, c.transferred, c.status)
    participant = ParticipantID(somebody: c.participant)
    message = string(c.message) ?? ""
  }
}
