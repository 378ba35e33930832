import UnisonoBase

/// Place of a participant in the order by which the others go (wire 6.5): owners first, then who came in first.
struct Seniority: Comparable, Sendable {
  let owner: Int
  let number: UInt32
  let index: Int
  let id: ParticipantID

  static func < (left: Self, right: Self) -> Bool {
    (left.owner, left.number, left.index, left.id) < (right.owner, right.number, right.index, right.id)
  }
}

/// Which roster record a participant speaks in (wire 6.5).
///
/// The *leader* is the most senior of those who were read lately, and this participant. Others go by the record in which the leader
/// spoke last, the *base*: they speak in the greatest record that follows from it. So of two records made at once the leader
/// takes the first, all others that one, and nobody wins by making many.
struct Speaking: Sendable {
  /// Who was read within so long counts; longer where members say less.
  static let lately = Nanoseconds.seconds(8)
  /// A leader goes on from a record to another of the same author at most once in so long, where nobody else made one in between.
  static let pause = Nanoseconds.milliseconds(250)
  /// A record is used for so long, and then followed by one that lets nobody in.
  static let greatestAge = Nanoseconds.seconds(600)
  /// Between those who may make that one.
  static let turn = Nanoseconds.seconds(5)

  private(set) var current: RecordID?
  /// Since when.
  private(set) var since: HostTime = .min
  private var heard: [ParticipantID: (record: RecordID, at: HostTime)] = [:]
  private var changes = TokenBucket(rate: 4, burst: 4)
  private var leader: ParticipantID?
  /// Its place, and those who were read since the last review in another record than before: one who is senior to it leads.
  private var leaderRank = Seniority.last
  private var candidates: Set<ParticipantID> = []
  /// Until when the leader counts, unless it is read again; `.max`: this participant is it.
  private var leaderUntil: HostTime = .min
  private var isReviewDue = false
  /// Time at which a review finds what it had to put off.
  private(set) var reviewAt: HostTime?

  /// Speaks in this record from now on, whatever was before.
  mutating func begin(_ record: RecordID, now: HostTime) {
    current = record
    since = now
    isReviewDue = true
  }

  /// A participant was read, or said by HELLO, in a record.
  mutating func hear(_ id: ParticipantID, in record: RecordID, lately: Nanoseconds, now: HostTime) {
    // Who was not read for a while counts again.
    let isNews = heard[id].map { $0.record != record || now.subtracting($0.at) > lately } ?? true
    heard[id] = (record, now)
    guard id != leader else {
      leaderUntil = now.adding(lately)
      if isNews { isReviewDue = true }
      return
    }
    guard isNews else { return }
    candidates.insert(id)
    if record != current { isReviewDue = true }
  }

  /// More records can be read.
  mutating func learned() { isReviewDue = true }

  mutating func forget(_ id: ParticipantID) {
    heard[id] = nil
    candidates.remove(id)
    if id == leader { isReviewDue = true }
  }

  mutating func forgetAll() {
    heard = [:]
    candidates = []
    leader = nil
    isReviewDue = true
  }

  func record(of id: ParticipantID) -> RecordID? { heard[id]?.record }

  /// By the last review.
  func isLed(by id: ParticipantID) -> Bool { leader == id }

  /// Those who were read lately.
  func heard(within lately: Nanoseconds, now: HostTime) -> [ParticipantID] {
    heard.compactMap { now.subtracting($0.value.at) <= lately ? $0.key : nil }
  }

  /// The record to speak in, where it is another one than before.
  ///
  /// - Parameters:
  ///   - seniority: of a participant; nil: it does not count.
  ///   - readable: records whose keys are held.
  ///   - excessive: makes more records than are judged; to what such participants alone made after the leader's record nobody goes on, as
  ///     others may know other ones.
  ///   - lately: who was read within so long counts.
  mutating func review(
    local: ParticipantID, book: RecordBook, readable: some Collection<RecordID>, excessive: Set<ParticipantID>,
    lately: Nanoseconds, seniority: (ParticipantID) -> Seniority?, now: HostTime
  ) -> RecordID? {
    let challengers = candidates
    candidates = []
    guard
      isReviewDue || now > leaderUntil || reviewAt.map({ $0 <= now }) ?? false
        || challengers.contains(where: { seniority($0).map { $0 < leaderRank } ?? false }),
      let current, let own = seniority(local), let founding = book[current]?.founding
    else { return nil }
    isReviewDue = false
    reviewAt = nil
    var first = (rank: own, id: local)
    for (id, entry) in heard where now.subtracting(entry.at) <= lately && book[entry.record]?.founding == founding {
      if let rank = seniority(id), rank < first.rank { first = (rank, id) }
    }
    leader = first.id
    leaderRank = first.rank
    leaderUntil = heard[first.id].map { $0.at.adding(lately) } ?? .max

    let leads = first.id == local
    let base = leads ? current : heard[first.id]?.record ?? current
    let isBelow = book.follows(current, from: base)
    let floor = isBelow ? book[current]?.record.number ?? 0 : 0
    let author = book[current]?.record.author
    let alone = author.map { Set([$0]) } ?? []
    var best: (number: UInt32, id: RecordID)?
    // Of others than the present one's author: who makes records without end is left for anybody else's, so that it keeps nobody out.
    var bestOfOthers: (number: UInt32, id: RecordID)?
    for id in readable {
      guard let record = book[id]?.record, record.number >= floor, book.follows(id, from: base) else { continue }
      if !excessive.isEmpty, id != base, id != current, book.isOf(excessive, to: id, from: base) { continue }
      /// A greater number, or the lesser id.
      func isBetter(than found: (number: UInt32, id: RecordID)?) -> Bool {
        found.map { $0.number < record.number || $0.number == record.number && id < $0.id } ?? true
      }
      if isBetter(than: best) { best = (record.number, id) }
      guard leads, id != current, author != nil, author != local else { continue }
      if !book.isOf(alone, to: id, from: current), isBetter(than: bestOfOthers) { bestOfOthers = (record.number, id) }
    }
    if let bestOfOthers {
      best = bestOfOthers
    } else if leads, author != local, best.map({ $0.id != current }) ?? false, now < since.adding(Self.pause) {
      reviewAt = since.adding(Self.pause)
      return nil
    }
    guard let best, best.id != current else { return nil }
    guard changes.spend(now: now) else {
      reviewAt = changes.time(now: now)
      return nil
    }
    self.current = best.id
    since = now
    return best.id
  }

  /// Host time at which it is this participant's turn to follow an old record up; nil: nobody was read lately by then.
  func nextFollowUp(local: ParticipantID, lately: Nanoseconds, seniority: (ParticipantID) -> Seniority?) -> HostTime? {
    guard current != nil, let newest = heard.values.lazy.map({ $0.at }).max() else { return nil }
    guard since.adding(Self.greatestAge) <= newest.adding(lately), let own = seniority(local) else { return nil }
    let others = heard.filter { newest.subtracting($0.value.at) <= lately }.keys
    let before = others.count { id in seniority(id).map { $0 < own } ?? false }
    let due = since.adding(Self.greatestAge).adding(Self.turn * Int64(before))
    return due <= newest.adding(lately) ? due : nil
  }
}
