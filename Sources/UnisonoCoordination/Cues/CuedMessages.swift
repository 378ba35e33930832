import UnisonoBase

/// Bounds of messages that wait for their place.
package enum CueLimits {
  package static let perSender = 64
  package static let most = 512
  package static let bytes = 4 << 20
  package static let life: Nanoseconds = .seconds(12 * 3_600)
  /// One whose place is this little behind was on its way when playback was there.
  package static let late: Nanoseconds = .seconds(2)
  /// Playback that changes by no more than this is corrected: nothing is jumped over.
  package static let correction: Nanoseconds = .milliseconds(100)
}

/// Messages that wait until the own playback is at their item time (wire 8.19).
///
/// Each comes out once: when playback stands there or runs past it. A jump over it is none of both, and it waits on; playback that
/// is sent back meets it then. Bounded, as others fill it.
package struct CuedMessages<Content: Sendable>: Sendable {
  package struct Message: Sendable {
    package var sender: ParticipantID
    package var item: ItemID
    package var itemTime: ItemTime
    /// nil: an own one, which is only counted.
    package var content: Content?
    /// Of the content, in bytes.
    package var size: Int
    package var arrived: HostTime

    package init(sender: ParticipantID, item: ItemID, itemTime: ItemTime, content: Content?, size: Int, arrived: HostTime) {
      self.sender = sender
      self.item = item
      self.itemTime = itemTime
      self.content = content
      self.size = size
      self.arrived = arrived
    }
  }

  private var waiting: [Message] = []
  private var bytes = 0
  /// How many of each sender wait.
  private var counts: [ParticipantID: Int] = [:]
  private var playback: OwnPlayback?
  /// Item time up to which playback came, all that waited there having been delivered.
  private var reached: ItemTime = 0
  /// When the oldest that waits came; nil: nothing waits.
  private var oldest: HostTime?
  /// The nearest place that playback has yet to come to, the way that it goes.
  private var next: ItemTime?

  package init() {}

  package var count: Int { waiting.count }

  private static func position(_ line: Line, _ now: HostTime) -> ItemTime { line.position(at: max(now, line.since)) }

  /// Whether there is room for one more.
  package func hasRoom(for message: Message) -> Bool {
    waiting.count < CueLimits.most && bytes + message.size <= CueLimits.bytes
      && counts[message.sender, default: 0] < CueLimits.perSender
  }

  /// Keeps a message that there is room for; what is due by now, it among them where its place was just passed.
  package mutating func add(_ message: Message, now: HostTime) -> [Message] {
    let due = advance(now)
    if let playback, playback.item == message.item {
      let here = Self.position(playback.line, now)
      let passed = playback.line.rate < 0 ? message.itemTime.subtracting(here) : here.subtracting(message.itemTime)
      if passed >= 0, passed <= CueLimits.late { return due + [message] }
    }
    waiting.append(message)
    bytes += message.size
    counts[message.sender, default: 0] += 1
    lookAhead(at: message)
    return due
  }

  /// Where the own playback is and goes from now on; the messages whose place it came to meanwhile, in the order of their places.
  package mutating func follow(_ playback: OwnPlayback?, now: HostTime) -> [Message] {
    let due = advance(now)
    guard let playback else {
      self.playback = nil
      return due
    }
    let here = Self.position(playback.line, now)
    let isContinued =
      self.playback.map { $0.item == playback.item && Self.position($0.line, now).subtracting(here).absolute <= CueLimits.correction }
      ?? false
    let backwards = playback.line.rate < 0
    let turns = self.playback.map { ($0.line.rate < 0) != backwards } ?? true
    // All that lay on the way is delivered: what is met there again came later.
    let isSetBack = backwards ? here > reached : here < reached
    if !isContinued {
      reached = backwards ? here.adding(1) : here.subtracting(1)
    } else if isSetBack {
      reached = here
    }
    self.playback = playback
    if !isContinued || isSetBack || turns { lookAhead() }
    return due + advance(now)
  }

  private mutating func advance(_ now: HostTime) -> [Message] {
    let expired = now.subtracting(CueLimits.life)
    if let oldest, oldest <= expired { remove { $0.arrived <= expired } }
    guard let playback else { return [] }
    let here = Self.position(playback.line, now)
    let backwards = playback.line.rate < 0
    guard backwards ? here < reached : here > reached else { return [] }
    let passed = backwards ? here...reached.subtracting(1) : reached.adding(1)...here
    reached = here
    guard let next, passed.contains(next) else { return [] }
    return remove { $0.item == playback.item && passed.contains($0.itemTime) }
      .sorted { backwards ? $0.itemTime > $1.itemTime : $0.itemTime < $1.itemTime }
  }

  @discardableResult
  private mutating func remove(where isRemoved: (Message) -> Bool) -> [Message] {
    let removed = waiting.filter(isRemoved)
    waiting.removeAll(where: isRemoved)
    for message in removed {
      bytes -= message.size
      let count = counts[message.sender, default: 0] - 1
      counts[message.sender] = count > 0 ? count : nil
    }
    lookAhead()
    return removed
  }

  /// Finds anew what is asked for in every turn.
  private mutating func lookAhead() {
    oldest = nil
    next = nil
    for message in waiting { lookAhead(at: message) }
  }

  private mutating func lookAhead(at message: Message) {
    oldest = min(oldest ?? .max, message.arrived)
    guard let playback, playback.item == message.item else { return }
    let place = message.itemTime
    if playback.line.rate < 0 {
      if place < reached { next = max(next ?? .min, place) }
    } else if place > reached {
      next = min(next ?? .max, place)
    }
  }

  /// Host time at which playback comes to the next place, or the oldest has waited for too long.
  package var nextWake: HostTime? {
    guard let oldest else { return nil }
    let expiry = oldest.adding(CueLimits.life)
    guard let playback, playback.line.rate != 0, let next else { return expiry }
    let line = playback.line
    // A little later, as positions round.
    return min(expiry, line.since.adding(next.subtracting(line.at).scaled(by: 1 / line.rate)).adding(.microseconds(1)))
  }
}
