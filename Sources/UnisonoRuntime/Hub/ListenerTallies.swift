import UnisonoBase
import UnisonoWire

/// What those who listen at a hub have counted (wire 3.14): of each listener what it said last of either kind, and how many said the same.
struct ListenerTallies {
  /// So long a reaction counts.
  static let lifetime = Nanoseconds.seconds(10)
  /// From one count to the next.
  private static let pause = Nanoseconds.milliseconds(250)

  private struct Voice {
    var ready: UInt64?
    var reaction: (tag: UInt64, until: HostTime)?
    var readyPace: TokenBucket
    var reactionPace: TokenBucket

    init(now: HostTime) {
      // Once in a second; a path brings closer together what was said so.
      readyPace = TokenBucket(rate: 1, burst: 2, now: now)
      reactionPace = readyPace
    }
  }

  /// The greatest, of those who listen here, as of the last `count`.
  private(set) var ready: [Tally] = []
  private(set) var reactions: [Tally] = []

  /// By the numbers of their connections; who says nothing has none.
  private var voices: [UInt64: Voice] = [:]
  private var readyCounts: [UInt64: UInt32] = [:]
  private var reactionCounts: [UInt64: UInt32] = [:]
  /// When reactions are over, the oldest first.
  private var ends: ArraySlice<(connection: UInt64, at: HostTime)> = []
  private var isNew = false
  private var counted = HostTime.min

  /// When to count next; nil: nothing will be another number.
  var due: HostTime? {
    let news = isNew ? counted == .min ? counted : counted.adding(Self.pause) : nil
    return [news, ends.first?.at].compactMap { $0 }.min()
  }

  /// false: too soon after what this listener said of the same kind.
  mutating func add(_ kind: TallyKind, _ tag: UInt64, from connection: UInt64, now: HostTime) -> Bool {
    var voice = voices[connection] ?? Voice(now: now)
    defer { voices[connection] = voice }
    switch kind {
    case .ready:
      guard voice.readyPace.spend(now: now) else { return false }
      Self.replace(voice.ready, by: tag, in: &readyCounts)
      voice.ready = tag
    case .reaction:
      guard voice.reactionPace.spend(now: now) else { return false }
      Self.replace(voice.reaction?.tag, by: tag, in: &reactionCounts)
      let until = now.adding(Self.lifetime)
      voice.reaction = (tag, until)
      ends.append((connection, until))
    }
    isNew = true
    return true
  }

  /// Somebody listens no more.
  mutating func forget(_ connection: UInt64) {
    guard let voice = voices.removeValue(forKey: connection) else { return }
    Self.replace(voice.ready, by: nil, in: &readyCounts)
    Self.replace(voice.reaction?.tag, by: nil, in: &reactionCounts)
    isNew = true
  }

  /// Counts if that is due; true: it is another result.
  mutating func count(now: HostTime) -> Bool {
    expire(now: now)
    guard isNew, let due, due <= now else { return false }
    (isNew, counted) = (false, now)
    let before = (ready, reactions)
    (ready, reactions) = (Self.greatest(of: readyCounts), Self.greatest(of: reactionCounts))
    return (ready, reactions) != before
  }

  private mutating func expire(now: HostTime) {
    while let end = ends.first, end.at <= now {
      ends.removeFirst()
      // Of who reacted again since the newer one counts.
      guard let reaction = voices[end.connection]?.reaction, reaction.until == end.at else { continue }
      voices[end.connection]?.reaction = nil
      Self.replace(reaction.tag, by: nil, in: &reactionCounts)
      isNew = true
    }
  }

  private static func replace(_ old: UInt64?, by new: UInt64?, in counts: inout [UInt64: UInt32]) {
    if let old, let count = counts[old] { counts[old] = count > 1 ? count - 1 : nil }
    if let new { counts[new, default: 0] += 1 }
  }

  private static func greatest(of counts: [UInt64: UInt32]) -> [Tally] {
    Tally.greatest(of: counts.map { Tally(tag: $0.key, count: $0.value) }, atMost: HubSetLimits.tallies)
  }
}
