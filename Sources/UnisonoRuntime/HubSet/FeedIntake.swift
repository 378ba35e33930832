import UnisonoBase
import UnisonoWire

/// One run's feed of one room, as it comes in: applied in the order of its numbers, each once, with what is lacking asked for (hubs 7.3).
///
/// Phases: without a state (`isSynced` false), until OPENED or STATE says where the feed stands; in step; with gaps, which are asked for
/// when they are noticed, after 150 and 300 ms, and given up after 400: then a new state is asked for.
struct FeedIntake {
  static let pauses: [Nanoseconds] = [.milliseconds(150), .milliseconds(300)]
  static let patience = Nanoseconds.milliseconds(400)
  /// Between two questions for the state: where words wait for it, and where none do.
  static let hasty = Nanoseconds.milliseconds(250)
  static let interval = Nanoseconds.seconds(1)
  /// Bytes that wait for what is lacking before them.
  static let memory = 256 << 10
  private static let greatestGaps = 64

  /// What is to be asked of the run.
  enum Question: Equatable {
    case again(first: UInt64, last: UInt64)
    case query
  }

  /// What a state that came is worth.
  enum Verdict: Equatable {
    /// Nothing new.
    case old
    /// The feed will tell, or what is lacking is still being asked for.
    case wait
    /// It stands in place of all that was known; `lost`: something said may be missing.
    case replaces(lost: Bool)
  }

  private struct Gap {
    var first: UInt64
    var last: UInt64
    let since: HostTime
    var asked: Int

    var next: HostTime { since.adding(asked <= pauses.count ? pauses[asked - 1] : patience) }
  }

  /// Number of the next word to apply; nil: no state yet.
  private var next: UInt64?
  /// The greatest number that is known to be.
  private var known: UInt64 = 0
  private var held: [UInt64: HubFeed] = [:]
  private var heldBytes = 0
  /// Ascending.
  private var gaps: [Gap] = []
  private var queried: HostTime?
  private var questions: [Question] = []
  private let begun: HostTime

  init(now: HostTime) { begun = now }

  var isSynced: Bool { next != nil }

  /// Removes the questions that have come up.
  mutating func takeQuestions() -> [Question] {
    defer { questions = [] }
    return questions
  }

  /// A word came; returns those that are to be applied now, in order.
  mutating func receive(_ word: HubFeed, now: HostTime) -> [HubFeed.Word] {
    let number = word.number
    guard let next else {
      hold(word)
      query(now: now, after: Self.hasty)
      return []
    }
    guard number >= next, held[number] == nil, number == next || hold(word) else { return [] }
    fill(number)
    notice(upTo: number - 1, now: now)
    known = max(known, number)
    guard number == next else { return [] }
    self.next = next + 1
    return [word.word] + drain()
  }

  /// The run says which word is its newest.
  mutating func tick(head: UInt64, now: HostTime) {
    guard next != nil else { return query(now: now, after: Self.interval) }
    notice(upTo: head, now: now)
  }

  /// A state came, which holds as of the word `head`.
  mutating func judge(head: UInt64, now: HostTime) -> Verdict {
    guard let next else { return .replaces(lost: false) }
    guard head >= next else { return .old }
    guard gaps.contains(where: { isOver($0, now: now) }) else {
      notice(upTo: head, now: now)
      return .wait
    }
    return .replaces(lost: true)
  }

  /// A state was put in place of what was known; returns the words after it that have come already.
  mutating func restart(after head: UInt64, now: HostTime) -> [HubFeed.Word] {
    next = head + 1
    known = head
    gaps = []
    queried = nil
    for number in held.keys where number <= head { unhold(number) }
    let words = drain()
    for number in held.keys.sorted() {
      notice(upTo: number - 1, now: now)
      known = max(known, number)
    }
    return words
  }

  /// Asks again for what is still lacking. `now` may be before anything is due.
  mutating func ask(now: HostTime) {
    guard next != nil else { return query(now: now, after: held.isEmpty ? Self.interval : Self.hasty) }
    for index in gaps.indices where gaps[index].asked <= Self.pauses.count && gaps[index].next <= now {
      gaps[index].asked += 1
      questions.append(.again(first: gaps[index].first, last: gaps[index].last))
    }
    if gaps.contains(where: { isOver($0, now: now) }) { query(now: now, after: Self.hasty) }
  }

  /// When `ask` has something to do.
  var wake: HostTime {
    if next == nil { return queried?.adding(held.isEmpty ? Self.interval : Self.hasty) ?? begun }
    return gaps.reduce(.max) { wake, gap in
      min(wake, gap.asked > Self.pauses.count ? max(gap.next, queried?.adding(Self.hasty) ?? .min) : gap.next)
    }
  }

  private func isOver(_ gap: Gap, now: HostTime) -> Bool { gap.since.adding(Self.patience) <= now }

  private mutating func query(now: HostTime, after pause: Nanoseconds) {
    if let queried, now.subtracting(queried) < pause { return }
    queried = now
    questions.append(.query)
  }

  /// What is above what was known, up to `last`, is lacking.
  private mutating func notice(upTo last: UInt64, now: HostTime) {
    guard last > known else { return }
    if gaps.count < Self.greatestGaps {
      gaps.append(Gap(first: known + 1, last: last, since: now, asked: 1))
      questions.append(.again(first: known + 1, last: last))
    } else {
      gaps[gaps.count - 1].last = last
    }
    known = last
  }

  /// A number is lacking no longer.
  private mutating func fill(_ number: UInt64) {
    guard let index = gaps.firstIndex(where: { $0.first <= number && number <= $0.last }) else { return }
    let gap = gaps[index]
    if gap.first == gap.last {
      gaps.remove(at: index)
    } else if number == gap.first {
      gaps[index].first += 1
    } else if number == gap.last {
      gaps[index].last -= 1
    } else {
      gaps[index].last = number - 1
      gaps.insert(Gap(first: number + 1, last: gap.last, since: gap.since, asked: gap.asked), at: index + 1)
    }
  }

  @discardableResult
  private mutating func hold(_ word: HubFeed) -> Bool {
    guard held[word.number] == nil, heldBytes + word.length <= Self.memory else { return false }
    held[word.number] = word
    heldBytes += word.length
    return true
  }

  private mutating func unhold(_ number: UInt64) { heldBytes -= held.removeValue(forKey: number)?.length ?? 0 }

  private mutating func drain() -> [HubFeed.Word] {
    var words: [HubFeed.Word] = []
    while let number = next, let word = held[number] {
      unhold(number)
      next = number + 1
      words.append(word.word)
    }
    return words
  }
}
