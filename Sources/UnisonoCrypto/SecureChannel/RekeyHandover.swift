import UnisonoBase

/// Who is still to be handed the secrets of a re-key: a few in each turn, as every wrap takes a tenth of a millisecond and more (wire 6.6).
struct RekeyHandover {
  /// Those whose wraps go in one message, at once.
  static let slice = WireLimits.wrapsPerMessage

  let secrets: RoomSecrets
  /// The record that all of them can read: who re-keys may speak in the next one before the last of them is handed it.
  let record: RecordID
  /// The beginning that the policy in force named when it began.
  let policy: RecordID?
  private(set) var waiting: ArraySlice<ParticipantID>
  /// Readers who were here when it began; who of them is handed nothing is told the policy.
  private let readers: Set<ParticipantID>
  /// Those whose wraps went out.
  private var handed: Set<ParticipantID> = []
  /// Host time since which the next slice is due.
  private(set) var since: HostTime

  init(
    _ secrets: RoomSecrets, to waiting: [ParticipantID], of readers: Set<ParticipantID>, under record: RecordID, by policy: RecordID?,
    now: HostTime
  ) {
    self.secrets = secrets
    self.record = record
    self.policy = policy
    self.waiting = waiting[...]
    self.readers = readers
    since = now
  }

  var isOver: Bool { waiting.isEmpty }

  /// Readers who were handed nothing.
  var passedOver: Set<ParticipantID> { readers.subtracting(handed) }

  /// Who is next; they do not wait any more.
  mutating func pop(now: HostTime) -> ArraySlice<ParticipantID> {
    let next = waiting.prefix(Self.slice)
    waiting = waiting.dropFirst(next.count)
    since = now
    return next
  }

  mutating func record(_ ids: some Sequence<ParticipantID>) { handed.formUnion(ids) }
}
