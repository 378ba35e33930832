import UnisonoBase
import UnisonoCoordination
import UnisonoWire

/// Messages that wait until the own playback is at their item time (wire 8.19).
///
/// Each comes out once: when playback stands there or runs past it. A jump over it is none of both, and it waits on; playback that
/// is sent back meets it then. Bounded, as others fill it.
struct CuedMessages {
  struct Message {
    var sender: ParticipantID
    var cue: MessageCue
    /// nil: an own one, which is only counted.
    var bytes: [UInt8]?
    var label: MessageLabel?
    var arrived: HostTime
  }

  static let perSender = 64
  static let most = 512
  static let bytesMost = 4 << 20
  static let life: Nanoseconds = .seconds(12 * 3_600)
  /// One whose place is this little behind was on its way when playback was there.
  static let late: Nanoseconds = .seconds(2)
  /// Playback that changes by no more than this is corrected: nothing is jumped over.
  static let correction: Nanoseconds = .milliseconds(100)

  private var waiting: [Message] = []
  private var bytes = 0
  private var playback: OwnPlayback?
  /// Item time up to which playback came, all that waited there having been delivered.
  private var reached: ItemTime = 0

  var count: Int { waiting.count }

  private static func position(_ line: Line, _ now: HostTime) -> ItemTime { line.position(at: max(now, line.since)) }

  /// Whether there is room for one more.
  func hasRoom(for message: Message) -> Bool {
    waiting.count < Self.most && bytes + (message.bytes?.count ?? 0) <= Self.bytesMost
      && waiting.count { $0.sender == message.sender } < Self.perSender
  }

  /// Keeps a message that there is room for; what is due by now, it among them where its place was just passed.
  mutating func add(_ message: Message, now: HostTime) -> [Message] {
    let due = advance(now)
    if let playback, playback.item == message.cue.item {
      let here = Self.position(playback.line, now)
      let passed = playback.line.rate < 0 ? message.cue.itemTime.subtracting(here) : here.subtracting(message.cue.itemTime)
      if passed >= 0, passed <= Self.late { return due + [message] }
    }
    waiting.append(message)
    bytes += message.bytes?.count ?? 0
    return due
  }

  /// Where the own playback is and goes from now on; the messages whose place it came to meanwhile, in the order of their places.
  mutating func follow(_ playback: OwnPlayback?, now: HostTime) -> [Message] {
    let due = advance(now)
    guard let playback else {
      self.playback = nil
      return due
    }
    let here = Self.position(playback.line, now)
    let isContinued =
      self.playback.map { $0.item == playback.item && Self.position($0.line, now).subtracting(here).absolute <= Self.correction }
      ?? false
    if !isContinued { reached = playback.line.rate < 0 ? here.adding(1) : here.subtracting(1) }
    self.playback = playback
    return due + advance(now)
  }

  private mutating func advance(_ now: HostTime) -> [Message] {
    let expired = now.subtracting(Self.life)
    if waiting.contains(where: { $0.arrived <= expired }) { remove { $0.arrived <= expired } }
    guard let playback else { return [] }
    let here = Self.position(playback.line, now)
    let backwards = playback.line.rate < 0
    let passed: ClosedRange<ItemTime>
    if backwards {
      guard here < reached else { return [] }
      passed = here...reached.subtracting(1)
    } else {
      guard here > reached else { return [] }
      passed = reached.adding(1)...here
    }
    reached = here
    return remove { $0.cue.item == playback.item && passed.contains($0.cue.itemTime) }
      .sorted { backwards ? $0.cue.itemTime > $1.cue.itemTime : $0.cue.itemTime < $1.cue.itemTime }
  }

  @discardableResult
  private mutating func remove(where isRemoved: (Message) -> Bool) -> [Message] {
    let removed = waiting.filter(isRemoved)
    waiting.removeAll(where: isRemoved)
    bytes -= removed.reduce(0) { $0 + ($1.bytes?.count ?? 0) }
    return removed
  }

  /// Host time at which playback comes to the next place, or the oldest has waited for too long.
  var nextWake: HostTime? {
    guard let oldest = waiting.map(\.arrived).min() else { return nil }
    let expiry = oldest.adding(Self.life)
    guard let playback, playback.line.rate != 0 else { return expiry }
    let line = playback.line
    let places = waiting.lazy.filter { $0.cue.item == playback.item }.map(\.cue.itemTime)
    let next = line.rate > 0 ? places.filter { $0 > reached }.min() : places.filter { $0 < reached }.max()
    guard let next else { return expiry }
    // A little later, as positions round.
    return min(expiry, line.since.adding(next.subtracting(line.at).scaled(by: 1 / line.rate)).adding(.microseconds(1)))
  }
}
