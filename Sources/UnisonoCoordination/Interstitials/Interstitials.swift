import UnisonoBase
import UnisonoReplica

/// The ranges of the own copies that are not the group's, and the one that the own player is in (coordination 2.21).
///
/// Times are those of the content (`InterstitialMap`) where they are not said to be the own copy's.
struct Interstitials: Sendable {
  /// The own player is in a range.
  struct Running: Sendable {
    /// Number of the suspension.
    var id: UInt64
    var range: InterstitialRange
    var place: ItemTime
    /// Where the player is, in the own copy by host time.
    var line: Line
  }

  /// What is to be done about them now.
  enum Step: Sendable {
    case nothing
    /// The own player comes into one.
    case begin(Running)
    /// It runs backwards into one, and is sent to its other side.
    case passOver
    case end(Running)
  }

  private struct Given: Sendable {
    var item: ItemID
    var ranges: [InterstitialRange]
  }

  private var given: [Given] = []
  private var item: ItemID?
  private var map = InterstitialMap([])
  private(set) var running: Running?
  /// The range that was seen last, while the player is at its end or behind it.
  private var past: Int?
  /// The range that the player comes to by what it was told last.
  private var ahead: Int?
  private var runsBackwards = false
  /// What the host asked of itself in a range, and was not told yet; nil: nothing.
  private var asked: PlaybackCommand.Kind?
  private var count: UInt64 = 0

  /// None of the present item.
  var isEmpty: Bool { map.isEmpty }
  /// Of the present item, in the own copy.
  private(set) var ranges: [InterstitialRange] = []

  // MARK: What is given

  /// Takes up the ranges of an item, in order; none: it has none.
  mutating func give(_ ranges: [InterstitialRange], of item: ItemID) {
    given.removeAll { $0.item == item }
    if !ranges.isEmpty { given.append(Given(item: item, ranges: ranges)) }
    if given.count > InterstitialRange.mostItems { given.removeFirst() }
    if item == self.item { enter(item) }
  }

  /// Another item is current, or its ranges are others.
  mutating func enter(_ item: ItemID?) {
    self.item = item
    ranges = given.first { $0.item == item }?.ranges ?? []
    map = InterstitialMap(ranges)
    running = nil
    past = nil
    ahead = nil
    asked = nil
  }

  // MARK: Places

  /// Where a place of the content is in the own copy.
  func own(of content: ItemTime) -> ItemTime { map.own(of: content, past: past) }

  func content(of own: ItemTime) -> ItemTime { map.content(of: own, past: past) }

  /// A place of the own copy that its person wants to be at: within a range it is the range's beginning, at its end the end. Whether
  /// that is another one for the same place of the content.
  mutating func aim(at own: ItemTime) -> Bool {
    let before = past
    if let index = map.index(at: own) {
      if index == past { past = nil }
    } else if let index = map.index(endingAt: own) {
      past = index
    }
    return past != before
  }

  // MARK: The way of the own player

  /// The player is told to run from here (rate 0: to stand), or runs on from here by itself.
  mutating func follow(from content: ItemTime, rate: Double) {
    guard !map.isEmpty else { return }
    runsBackwards = rate < 0
    if let past, map.isBefore(past, content) || runsBackwards { self.past = nil }
    ahead = rate == 0 ? nil : map.next(from: content, backwards: runsBackwards, past: past)
  }

  /// Whether it comes into a range, or is through it. `line`: where it runs by host time, nil: it does not; its output is `lead` ahead.
  mutating func review(_ line: Line?, lead: Nanoseconds, now: HostTime) -> Step {
    if let running {
      return running.line.position(at: now) >= running.range.end ? .end(running) : .nothing
    }
    guard let line, line.rate != 0, let ahead, runsBackwards == (line.rate < 0) else { return .nothing }
    let place = map.place(ahead)
    guard now >= line.since, now >= line.instant(of: place) else { return .nothing }
    guard !runsBackwards else {
      self.ahead = nil
      return .passOver
    }
    count += 1
    let range = map.range(ahead)
    let next = Running(
      id: 1 << 62 | count, range: range, place: place,
      line: Line(at: range.start.adding(lead), rate: line.rate, since: line.instant(of: place)))
    running = next
    self.ahead = nil
    return .begin(next)
  }

  /// The place of the range that the player comes to forwards at this rate, by what it was told last; nil: none.
  func placeAhead(of rate: Double) -> ItemTime? { rate > 0 && !runsBackwards ? ahead.map(map.place) : nil }

  /// Host time at which it comes into a range, or is through it.
  func wake(_ line: Line?) -> HostTime? {
    // A little later, as positions round.
    if let running {
      return running.line.rate > 0 ? running.line.instant(of: running.range.end).adding(.microseconds(1)) : nil
    }
    guard let line, line.rate != 0, let ahead, runsBackwards == (line.rate < 0) else { return nil }
    return max(line.since, line.instant(of: map.place(ahead)).adding(.microseconds(1)))
  }

  /// Host time at which a line of the group comes to the next range.
  func passage(of line: Line, now: HostTime) -> HostTime? {
    guard line.rate != 0, !map.isEmpty,
      let next = map.next(from: line.position(at: now).adding(line.rate > 0 ? 1 : 0), backwards: line.rate < 0, past: nil)
    else { return nil }
    return line.instant(of: map.place(next)).adding(.microseconds(1))
  }

  /// Whether who ran on this line has come into a range by now.
  func hasComeIntoRange(_ line: Line, now: HostTime) -> Bool {
    guard line.rate != 0, let next = map.next(from: line.at, backwards: line.rate < 0, past: past) else { return false }
    return line.instant(of: map.place(next)) < now
  }

  // MARK: In a range

  /// It is over, or left; what was in it is behind.
  mutating func end() {
    guard let running else { return }
    let index = map.index(at: running.range.start)
    self.running = nil
    asked = nil
    past = index
    ahead = index.flatMap { running.line.rate > 0 && $0 + 1 < map.count ? $0 + 1 : nil }
  }

  /// Where the player says that it is, in the own copy.
  mutating func report(_ report: PlaybackReport, now: HostTime) {
    guard let running else { return }
    let position = report.position ?? PlaybackReport.Position(itemTime: running.line.position(at: now), hostTime: now)
    self.running?.line = Line(
      at: min(position.itemTime, running.range.end), rate: report.stalled || !report.rate.isFinite ? 0 : report.rate,
      since: position.hostTime)
  }

  /// Its person plays it at another rate, or stops it (0).
  mutating func setRate(_ rate: Double, now: HostTime) {
    guard let running else { return }
    self.running?.line = Line(at: running.line.position(at: max(now, running.line.since)), rate: max(rate, 0), since: now)
    asked = rate > 0 ? .play : .pause
  }

  /// Its person goes to a place within it: it begins again.
  mutating func restart(now: HostTime) {
    guard let running else { return }
    self.running?.line = Line(at: running.range.start, rate: running.line.rate, since: now)
    asked = running.line.rate > 0 ? .play : .seek
  }

  func isWithin(_ own: ItemTime) -> Bool {
    running.map { $0.range.start <= own && own < $0.range.end } ?? false
  }

  /// What the host asked of itself in the range; nil: nothing. The place is that of the range.
  mutating func command(on item: ItemID, at place: ItemTime) -> PlaybackCommand? {
    guard let kind = asked, let running else { return nil }
    asked = nil
    guard kind == .play else {
      return PlaybackCommand(kind: kind, id: 0, originator: .none, item: item, itemTime: place, cause: kind == .seek ? .seek : .pause)
    }
    return PlaybackCommand(
      kind: .play, id: 0, originator: .none, item: item, rate: running.line.rate, itemTime: place,
      hostTime: running.line.since, isLocal: true, cause: .play)
  }
}
