import UnisonoBase
import UnisonoWire

/// Content keys of roster records that are held, and when they are erased (wire 6.4). Keys of records that follow are derived.
struct KeyChain: Sendable {
  /// Erased so long after the record was left, or after the last frame under it was read.
  static let lifetime = Nanoseconds.seconds(60)
  static let most = 256
  /// Records derived one after the other.
  static let steps = 32

  enum Derivation {
    case key(Secret)
    /// No key that leads to it is held, or it is too far from those that are.
    case unknown
    /// The author of this record shows another commitment than the key that its parent leads to has.
    case falseCommitment(RecordID)
  }

  private var keys: [RecordID: (chain: Secret, until: HostTime)] = [:]
  /// None is to be erased before this.
  private var earliest: HostTime = .max

  subscript(id: RecordID) -> Secret? { keys[id]?.chain }

  var ids: some Collection<RecordID> { keys.keys }

  /// `spoken`: the record that this participant speaks in, whose key stays.
  mutating func hold(_ id: RecordID, _ chain: Secret, spoken: RecordID?, now: HostTime) {
    keys[id] = (chain, until(now))
    guard keys.count > Self.most else { return }
    let first = keys.filter { $0.key != spoken && $0.key != id }.min { ($0.value.until, $0.key) < ($1.value.until, $1.key) }
    if let first { keys[first.key] = nil }
  }

  /// A frame under it was read, or it was left.
  mutating func touch(_ id: RecordID, now: HostTime) {
    guard let chain = keys[id]?.chain else { return }
    keys[id] = (chain, until(now))
  }

  private mutating func until(_ now: HostTime) -> HostTime {
    let time = now.adding(Self.lifetime)
    earliest = min(earliest, time)
    return time
  }

  /// The key of a known record, by deriving it where need be; those on the way are held, too.
  mutating func derive(_ id: RecordID, book: RecordBook, scope: Scope, spoken: RecordID?, now: HostTime) -> Derivation {
    if let chain = keys[id]?.chain { return .key(chain) }
    var path: [RosterRecord] = []
    var at = id
    while keys[at] == nil {
      guard path.count < Self.steps, let record = book[at]?.record, let parent = record.body.parent else { return .unknown }
      path.append(record)
      at = parent
    }
    guard var chain = keys[at]?.chain else { return .unknown }
    for record in path.reversed() {
      chain = ContentKey.next(after: chain, by: record.body, scope: scope)
      guard ContentKey.commitment(to: chain, of: record.body, scope: scope) == record.body.commit else {
        return .falseCommitment(record.id)
      }
      hold(record.id, chain, spoken: spoken, now: now)
    }
    return .key(chain)
  }

  mutating func erase(spoken: RecordID?, now: HostTime) {
    guard earliest <= now else { return }
    keys = keys.filter { $0.value.until > now || $0.key == spoken }
    earliest = keys.lazy.filter { $0.key != spoken }.map { $0.value.until }.min() ?? .max
  }

  /// Host time at which `erase` may have something to do.
  var nextErasure: HostTime? { earliest == .max ? nil : earliest }
}
