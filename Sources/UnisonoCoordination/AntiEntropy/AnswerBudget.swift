import UnisonoBase
import UnisonoReplica

/// How much others get by asking for registers (wire 10): whoever asks without end costs this participant's uplink nothing beyond
/// its share in the long run. How fast an answer goes out beside commands is the secure channel's to say (`PacedAnswers`).
struct AnswerBudget: Sendable {
  /// Bytes that one may ask for at once, and then per second.
  static let burst = 4_194_304.0
  static let perSecond = 65_536.0
  /// The same registers are not sent to the same one again within this.
  static let repetition = Nanoseconds.seconds(2)
  /// Between two exchanges with the same one.
  static let exchange = Nanoseconds.seconds(5)
  /// Between two lines of the log about one.
  private static let warning = Nanoseconds.seconds(60)
  /// Number of askers of whom something is remembered before those who have all of their budget are forgotten.
  private static let few = 64

  private struct Asker {
    var bytes: TokenBucket
    /// Of what it is asked in turn, after its lists.
    var questions: TokenBucket
    var lastWant: (keys: [RegisterKey], at: HostTime)?
    var lastExchange: HostTime?
    var lastWarning: HostTime?

    /// Forgetting it changes nothing.
    mutating func isRested(now: HostTime) -> Bool {
      let last = max(lastWant?.at ?? .min, max(lastExchange ?? .min, lastWarning ?? .min))
      return bytes.isFull(now: now) && questions.isFull(now: now) && now >= last.adding(AnswerBudget.warning)
    }
  }

  private var askers: [ParticipantID: Asker] = [:]

  /// Whether a question for these registers (none: for all) is answered. All of them may be asked for again at once, as a
  /// newcomer does whose answer was lost: their bytes count.
  mutating func admits(_ wanted: [RegisterKey], of id: ParticipantID, now: HostTime) -> Bool {
    guard !wanted.isEmpty else { return true }
    if let last = asker(id, now).lastWant, last.keys == wanted, now < last.at.adding(Self.repetition) { return false }
    askers[id]?.lastWant = (wanted, now)
    return true
  }

  /// Whether another's list of what it has is compared with the own one now.
  mutating func admitsExchange(with id: ParticipantID, now: HostTime) -> Bool {
    if let last = asker(id, now).lastExchange, now < last.adding(Self.exchange) { return false }
    askers[id]?.lastExchange = now
    return true
  }

  /// Spends the bytes of an answer; else what is to be logged about that, now and then: it is not sent.
  mutating func spend(_ statements: [Statement], levels: [PolicyLevel] = [], on id: ParticipantID, now: HostTime) -> [Intent]? {
    let bytes = statements.reduce(0) { $0 + $1.length } + levels.reduce(0) { $0 + $1.bytes.count }
    var asker = asker(id, now)
    defer { askers[id] = asker }
    if asker.bytes.spend(min(Double(bytes), Self.burst), now: now) { return nil }
    if let last = asker.lastWarning, now < last.adding(Self.warning) { return [] }
    asker.lastWarning = now
    return [.log(.warning, "participant \(id) asks for more than it can be sent; it is answered again in a while")]
  }

  /// Spends the bytes of a question to whoever sent a list, of what is not here; false: it is asked after a later one.
  private mutating func spend(asking keys: [RegisterKey], of id: ParticipantID, now: HostTime) -> Bool {
    let bytes = keys.reduce(0) { $0 + 24 + ($1.item?.utf8.count ?? 0) }
    var asker = asker(id, now)
    defer { askers[id] = asker }
    return asker.questions.spend(min(Double(bytes), Self.burst), now: now)
  }

  /// The same of an exchange: what it sends beyond the budget is left out.
  mutating func bounded(_ intents: [Intent], to id: ParticipantID, now: HostTime) -> [Intent] {
    intents.flatMap { intent in
      switch intent {
      case .send(.update(let statements), _): spend(statements, on: id, now: now) ?? [intent]
      case .send(.levels(let levels), _): spend([], levels: levels, on: id, now: now) ?? [intent]
      case .send(.want(let keys), _): spend(asking: keys, of: id, now: now) ? [intent] : []
      default: [intent]
      }
    }
  }

  private mutating func asker(_ id: ParticipantID, _ now: HostTime) -> Asker {
    if let known = askers[id] { return known }
    if askers.count >= Self.few {
      for (id, var asker) in askers where asker.isRested(now: now) { askers[id] = nil }
    }
    let full = TokenBucket(rate: Self.perSecond, burst: Self.burst, now: now)
    let new = Asker(bytes: full, questions: full)
    askers[id] = new
    return new
  }
}

extension Statement {
  /// Bytes that it takes in a message; of one that was not signed yet about as many.
  fileprivate var length: Int {
    if let signed { return signed.body.count + signed.signature.count + 16 }
    guard case .activity(let activity) = value else { return 256 }
    return 512 + activity.previewImage.count + activity.payload.count
  }
}
