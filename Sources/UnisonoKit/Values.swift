import CUnisono

/// Who a participant is, in one session: 16 bytes.
public struct ParticipantID: Hashable, Sendable, CustomStringConvertible {
  public let bytes: [UInt8]

  /// nil unless there are 16.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  init(_ id: unisono_participant_id) { bytes = withUnsafeBytes(of: id.bytes) { Array($0) } }

  /// nil for nobody.
  init?(somebody id: unisono_participant_id) {
    self.init(id)
    guard bytes.contains(where: { $0 != 0 }) else { return nil }
  }

  var c: unisono_participant_id {
    var id = unisono_participant_id()
    withUnsafeMutableBytes(of: &id.bytes) { $0.copyBytes(from: bytes) }
    return id
  }

  public var description: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// One device in the session. `rate`, and `itemTime` at `hostTime`: as last reported by it.
public struct Participant: Hashable, Sendable, Identifiable {
  public let id: ParticipantID
  /// Derived per session, vouched for; equal for all devices of one person.
  public let person: ParticipantID
  public let displayName: String
  public let deviceName: String
  public let item: String?
  public let connection: Connection
  /// Empty: it takes part.
  public let suspensionReasons: [SuspensionReason]
  public let role: Role
  public let isLocal: Bool
  /// It could start now.
  public let isReady: Bool
  public let isSpeaking: Bool
  public let rate: Double
  public let itemTime: ItemTime?
  public let hostTime: HostTime?
  public let roundTrip: Duration?
  public let clockError: Duration?
  /// Why its player cannot go on: the number of a status; 0: nothing failed.
  public let failure: Int32
  /// It and this participant do not hear each other; empty: nothing of that is known.
  public let split: Split.Kinds
  /// What its person says of being ready; `isReady` is its player's.
  public let readiness: Readiness
  /// How far its copy is ahead of the group's item time.
  public let cutOffset: Duration
  /// It was not ready for two starts in a row: none waits for it until it was ready for one.
  public let isGivenUp: Bool

  init(_ c: unisono_participant) {
    (id, person) = (ParticipantID(c.id), ParticipantID(c.person))
    (displayName, deviceName) = (string(c.display_name) ?? "", string(c.device_name) ?? "")
    item = string(c.item)
    connection = Connection(rawValue: c.connection.rawValue)
    suspensionReasons = strings(c.suspension_reasons, c.suspension_reason_count).map { SuspensionReason($0) }
    role = Role(rawValue: c.role.rawValue)
    (isLocal, isReady, isSpeaking) = (c.is_local != 0, c.ready != 0, c.speaking != 0)
    (rate, itemTime, hostTime) = (c.rate, ItemTime(known: c.item_time), HostTime(known: c.host_time))
    (roundTrip, clockError) = (Duration(known: c.round_trip), Duration(known: c.clock_error))
    failure = c.failure
    split = Split.Kinds(rawValue: c.split)
    readiness = Readiness(rawValue: c.readiness.rawValue)
    cutOffset = .nanoseconds(c.cut_offset)
    isGivenUp = c.given_up != 0
  }

  static func list(_ start: UnsafePointer<UnsafePointer<unisono_participant>?>?, _ count: Int) -> [Participant] {
    UnsafeBufferPointer(start: start, count: count).compactMap { $0.map { Participant($0.pointee) } }
  }

  /// Reads a snapshot and gives it back.
  static func list(
    _ get: (UnsafeMutablePointer<UnsafePointer<unisono_participants>?>) -> Int32
  ) throws(UnisonoError) -> [Participant] {
    var owned: UnsafePointer<unisono_participants>?
    try check(get(&owned))
    defer { unisono_free(owned) }
    return owned.map { list($0.pointee.items, $0.pointee.count) } ?? []
  }
}

/// What a person says of being ready.
public struct Readiness: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
  init(_ c: unisono_readiness) { rawValue = c.rawValue }
  var c: unisono_readiness { unisono_readiness(rawValue: rawValue)! }  // the C enumeration is open

  public static let notSaid = Readiness(.UNISONO_READINESS_NOT_SAID)
  public static let ready = Readiness(.UNISONO_READINESS_READY)
  public static let notReady = Readiness(.UNISONO_READINESS_NOT_READY)
}

/// Who came, changed and went.
public struct ParticipantsChange: Hashable, Sendable {
  /// `joined` is the whole list.
  public let isComplete: Bool
  public let joined: [Participant]
  public let updated: [Participant]
  public let left: [Participant]

  init(_ c: unisono_participants_change) {
    isComplete = c.is_complete != 0
    joined = Participant.list(c.joined, c.joined_count)
    updated = Participant.list(c.updated, c.updated_count)
    left = Participant.list(c.left, c.left_count)
  }
}

/// What the group does together: what a `GroupActivity` and its metadata say.
public struct Activity: Hashable, Sendable {
  public struct Kind: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }
    init(_ kind: unisono_activity_type) { rawValue = kind.rawValue }
    var c: unisono_activity_type { unisono_activity_type(rawValue: rawValue)! }  // the C enumeration is open

    public static let generic = Kind(.UNISONO_ACTIVITY_GENERIC)
    public static let watchTogether = Kind(.UNISONO_ACTIVITY_WATCH_TOGETHER)
    public static let listenTogether = Kind(.UNISONO_ACTIVITY_LISTEN_TOGETHER)
    public static let playTogether = Kind(.UNISONO_ACTIVITY_PLAY_TOGETHER)
    public static let createTogether = Kind(.UNISONO_ACTIVITY_CREATE_TOGETHER)
    public static let exploreTogether = Kind(.UNISONO_ACTIVITY_EXPLORE_TOGETHER)
    public static let learnTogether = Kind(.UNISONO_ACTIVITY_LEARN_TOGETHER)
    public static let readTogether = Kind(.UNISONO_ACTIVITY_READ_TOGETHER)
    public static let shopTogether = Kind(.UNISONO_ACTIVITY_SHOP_TOGETHER)
    public static let workoutTogether = Kind(.UNISONO_ACTIVITY_WORKOUT_TOGETHER)
  }

  /// Reverse-DNS, 1...255 bytes.
  public var activityIdentifier: String
  public var type: Kind = .generic
  public var title: String?
  public var subtitle: String?
  public var fallbackURL: String?
  /// PNG, JPEG or WebP as it is; at most 64 KiB.
  public var previewImage: [UInt8] = []
  /// The application's own; at most 64 KiB.
  public var payload: [UInt8] = []
  public var endsWithInitiator = false
  public var supportsContinuation = false

  public init(activityIdentifier: String, type: Kind = .generic, title: String? = nil, payload: [UInt8] = []) {
    (self.activityIdentifier, self.type, self.title, self.payload) = (activityIdentifier, type, title, payload)
  }

  init(_ c: unisono_activity) {
    activityIdentifier = string(c.identifier) ?? ""
    type = Kind(c.type)
    (title, subtitle, fallbackURL) = (string(c.title), string(c.subtitle), string(c.fallback_url))
    previewImage = UnisonoKit.bytes(c.preview_image, c.preview_image_length)
    payload = UnisonoKit.bytes(c.payload, c.payload_length)
    endsWithInitiator = c.lifetime == .UNISONO_LIFETIME_ENDS_WITH_INITIATOR
    supportsContinuation = c.supports_continuation != 0
  }

  func c(_ lent: Lent) throws(UnisonoError) -> unisono_activity {
    var c = unisono_activity()
    c.size = UInt32(MemoryLayout<unisono_activity>.size)
    c.type = type.c
    c.identifier = try lent.text(activityIdentifier, "activityIdentifier")
    c.title = try lent.text(title, "title")
    c.subtitle = try lent.text(subtitle, "subtitle")
    c.fallback_url = try lent.text(fallbackURL, "fallbackURL")
    (c.preview_image, c.preview_image_length) = (lent.bytes(previewImage), previewImage.count)
    (c.payload, c.payload_length) = (lent.bytes(payload), payload.count)
    c.lifetime = endsWithInitiator ? .UNISONO_LIFETIME_ENDS_WITH_INITIATOR : .UNISONO_LIFETIME_AUTOMATIC
    c.supports_continuation = supportsContinuation ? 1 : 0
    return c
  }
}

/// Why a player takes no part for a while: one of these, or the application's own, 1...127 bytes.
public struct SuspensionReason: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(stringLiteral value: String) { rawValue = value }
  public init(_ rawValue: String) { self.rawValue = rawValue }

  public static let audioSessionInterrupted = SuspensionReason(UNISONO_REASON_AUDIO_SESSION_INTERRUPTED)
  public static let stallRecovery = SuspensionReason(UNISONO_REASON_STALL_RECOVERY)
  public static let playingInterstitial = SuspensionReason(UNISONO_REASON_PLAYING_INTERSTITIAL)
  public static let coordinatedPlaybackNotPossible = SuspensionReason(
    UNISONO_REASON_COORDINATED_PLAYBACK_NOT_POSSIBLE)
  public static let userActionRequired = SuspensionReason(UNISONO_REASON_USER_ACTION_REQUIRED)
  /// Of whom a start waits for only: its person has not said that it is ready.
  public static let notReady = SuspensionReason(UNISONO_REASON_NOT_READY)
  public static let userIsChangingCurrentTime = SuspensionReason(UNISONO_REASON_USER_IS_CHANGING_CURRENT_TIME)
}

/// Whom a start is waiting for. An empty reason: it is still preparing.
public struct WaitingFor: Hashable, Sendable {
  public let participant: ParticipantID
  public let reason: SuspensionReason

  static func list(_ start: UnsafePointer<unisono_waiting_for>?, _ count: Int) -> [WaitingFor] {
    UnsafeBufferPointer(start: start, count: count).map {
      WaitingFor(participant: ParticipantID($0.participant), reason: SuspensionReason(string($0.reason) ?? ""))
    }
  }
}

// Enumerations of the C API grow: each is a structure that keeps what it does not know.

public struct LogLevel: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
  init(_ level: unisono_log_level) { rawValue = level.rawValue }
  var c: unisono_log_level { unisono_log_level(rawValue: rawValue)! }  // the C enumeration is open

  /// Warnings.
  public static let `default` = LogLevel(.UNISONO_LOG_DEFAULT)
  public static let error = LogLevel(.UNISONO_LOG_ERROR)
  public static let warning = LogLevel(.UNISONO_LOG_WARNING)
  public static let info = LogLevel(.UNISONO_LOG_INFO)
  public static let debug = LogLevel(.UNISONO_LOG_DEBUG)
  public static let none = LogLevel(.UNISONO_LOG_NONE)
}

public struct Connection: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
  init(_ connection: unisono_connection) { rawValue = connection.rawValue }

  public static let none = Connection(.UNISONO_CONNECTION_NONE)
  public static let connecting = Connection(.UNISONO_CONNECTION_CONNECTING)
  public static let connected = Connection(.UNISONO_CONNECTION_CONNECTED)
  public static let reconnecting = Connection(.UNISONO_CONNECTION_RECONNECTING)
}

public struct Role: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
  init(_ role: unisono_role) { rawValue = role.rawValue }
  var c: unisono_role { unisono_role(rawValue: rawValue)! }  // the C enumeration is open

  /// Only asked for: owner of what one hosts, else member.
  public static let `default` = Role(.UNISONO_ROLE_DEFAULT)
  public static let viewer = Role(.UNISONO_ROLE_VIEWER)
  public static let member = Role(.UNISONO_ROLE_MEMBER)
  public static let host = Role(.UNISONO_ROLE_HOST)
  public static let owner = Role(.UNISONO_ROLE_OWNER)
}

/// Who may command.
public struct ControlPolicy: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
  init(_ policy: unisono_control_policy) { rawValue = policy.rawValue }
  var c: unisono_control_policy { unisono_control_policy(rawValue: rawValue)! }  // the C enumeration is open

  public static let everyone = ControlPolicy(.UNISONO_CONTROL_EVERYONE)
  public static let hostsOnly = ControlPolicy(.UNISONO_CONTROL_HOSTS_ONLY)
  /// All but viewers.
  public static let members = ControlPolicy(.UNISONO_CONTROL_MEMBERS)
}

/// From where an invite's hubs can be reached.
public struct Reach: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
  init(_ reach: unisono_reach) { rawValue = reach.rawValue }

  public static let thisMachine = Reach(.UNISONO_REACH_MACHINE)
  /// A private network.
  public static let network = Reach(.UNISONO_REACH_NETWORK)
  /// A public address, or a name; what stands in between may still refuse.
  public static let anywhere = Reach(.UNISONO_REACH_ANYWHERE)
}

/// Why the group moved.
public struct Cause: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
  init(_ cause: unisono_cause) { rawValue = cause.rawValue }

  public static let unknown = Cause(.UNISONO_CAUSE_UNKNOWN)
  public static let play = Cause(.UNISONO_CAUSE_PLAY)
  public static let pause = Cause(.UNISONO_CAUSE_PAUSE)
  public static let seek = Cause(.UNISONO_CAUSE_SEEK)
  public static let rate = Cause(.UNISONO_CAUSE_RATE)
  public static let proposal = Cause(.UNISONO_CAUSE_PROPOSAL)
  public static let item = Cause(.UNISONO_CAUSE_ITEM)
  public static let rejoin = Cause(.UNISONO_CAUSE_REJOIN)
  public static let reapply = Cause(.UNISONO_CAUSE_REAPPLY)
  public static let stall = Cause(.UNISONO_CAUSE_STALL)
  public static let clock = Cause(.UNISONO_CAUSE_CLOCK)
  public static let ended = Cause(.UNISONO_CAUSE_ENDED)
  public static let left = Cause(.UNISONO_CAUSE_LEFT)
  public static let range = Cause(.UNISONO_CAUSE_RANGE)
}
