import UnisonoBase

/// Who asked to be let in, and when they are: those who ask within a moment come in by one record (wire 5.2).
struct Admission: Sendable {
  /// Between two records that let somebody in.
  static let gathering = Nanoseconds.milliseconds(100)
  /// The same one is answered at most once in so long.
  static let again = Nanoseconds.seconds(2)
  /// So long after its HELLO an asker takes an answer.
  static let lifetime = Nanoseconds.seconds(10)
  static let most = 256

  /// Somebody who said HELLO, and what an answer needs.
  struct Asker: Sendable {
    let introduction: Introduction
    /// Content of its HELLO, and the key in it.
    let content: [UInt8]
    let key: HybridPublicKey
    let known: RecordID?
    let at: HostTime
  }

  /// HELLOs that are answered: of a whole crowd that comes at once, as who is sent on to another member is let in twice.
  private var answers = TokenBucket(rate: 20, burst: 64)
  /// The same of those on the roster: who has the invite alone, and asks without end, keeps none of them out.
  private var answersToReaders = TokenBucket(rate: 20, burst: 64)
  private var answered: [ParticipantID: HostTime] = [:]
  private var waiting: [Asker] = []
  /// Let in here lately, until it is sure that all others know.
  private var admitted: [ParticipantID: Asker] = [:]
  private var last: HostTime = .min
  /// Time at which somebody who was lost is let in again.
  private var retryAt: HostTime?

  /// False: too many ask, or this one too often. `isReader`: it is on the roster.
  mutating func spend(_ id: ParticipantID, isReader: Bool, now: HostTime) -> Bool {
    guard answered[id].map({ now.subtracting($0) >= Self.again }) ?? true,
      isReader ? answersToReaders.spend(now: now) : answers.spend(now: now)
    else { return false }
    answered = answered.filter { now.subtracting($0.value) < Self.again }
    answered[id] = now
    return true
  }

  mutating func wait(_ asker: Asker) {
    waiting.removeAll { $0.introduction.id == asker.introduction.id }
    if waiting.count < Self.most { waiting.append(asker) }
  }

  /// Those who come in by the next record; empty: it is not time.
  mutating func take(atMost count: Int, now: HostTime) -> [Asker] {
    waiting.removeAll { now.subtracting($0.at) >= Self.lifetime }
    guard !waiting.isEmpty, now.subtracting(last) >= Self.gathering else { return [] }
    last = now
    let taken = Array(waiting.prefix(count))
    waiting.removeFirst(taken.count)
    return taken
  }

  mutating func admit(_ askers: [Asker]) {
    for asker in askers { admitted[asker.introduction.id] = asker }
  }

  /// It is time to look for those who were lost, which came too soon before.
  func isRetryDue(now: HostTime) -> Bool { retryAt.map { $0 <= now } ?? false }

  /// Those who came in by a record that was left for another: they are let in again, without being asked.
  mutating func orphans(of roster: [ParticipantID], now: HostTime) -> [Asker] {
    retryAt = nil
    admitted = admitted.filter { now.subtracting($0.value.at) < Self.lifetime }
    var lost: [Asker] = []
    for asker in admitted.values where !roster.contains(asker.introduction.id) {
      let due = answered[asker.introduction.id]?.adding(Self.again) ?? now
      if due <= now { lost.append(asker) } else { retryAt = min(retryAt ?? due, due) }
    }
    for asker in lost { answered[asker.introduction.id] = now }
    return lost.sorted { $0.introduction.id < $1.introduction.id }
  }

  mutating func forget(_ id: ParticipantID) {
    admitted[id] = nil
    waiting.removeAll { $0.introduction.id == id }
  }

  /// Host time at which `take` or `orphans` has somebody.
  var nextWake: HostTime? {
    [waiting.isEmpty ? nil : last.adding(Self.gathering), retryAt].compactMap { $0 }.min()
  }
}

/// Records that are told again to all, as a frame may be lost: 2 and 4 s after the first time.
struct Announcements: Sendable {
  static let pauses: [Nanoseconds] = [.seconds(2), .seconds(4)]

  private var pending: [(record: RecordID, at: HostTime)] = []

  mutating func add(_ record: RecordID, now: HostTime) {
    pending += Self.pauses.map { (record, now.adding($0)) }
    if pending.count > 64 { pending.removeFirst(pending.count - 64) }
  }

  mutating func take(now: HostTime) -> [RecordID] {
    guard pending.contains(where: { $0.at <= now }) else { return [] }
    defer { pending.removeAll { $0.at <= now } }
    return pending.filter { $0.at <= now }.map { $0.record }
  }

  mutating func clear() { pending = [] }

  var nextWake: HostTime? { pending.map { $0.at }.min() }
}
