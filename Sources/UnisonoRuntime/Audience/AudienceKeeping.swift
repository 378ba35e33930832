import UnisonoBase
import UnisonoCrypto
import UnisonoReplica

/// Who speaks to the session's audience, and the key for it (wire 8.29): decided of what the register says and of who is there.
///
/// The *keeper* is who wrote the register last, and speaks. Where it is gone whoever is most senior of those who have the key writes it
/// anew; the next ones wait a second longer each, as nobody knows who has it.
struct AudienceKeeping {
  /// What is to be done; the register is the session's.
  enum Step: Equatable {
    case write(AudienceValue?)
    /// Another owner or host for the key of this topic.
    case ask(ParticipantID, topic: [UInt8])
  }

  struct Situation {
    var local: ParticipantID
    var register: (value: AudienceValue, keeper: ParticipantID)?
    /// Owners and hosts who are here, the most senior first, this participant among them if it is one.
    var hosts: [ParticipantID]
    /// What this participant writes counts for the group at once.
    var isInStep: Bool
    /// This process can speak to an audience.
    var isAble: Bool
    var now: HostTime
  }

  /// Before the first one takes over; as much for each who goes before it.
  static let patience = Nanoseconds.seconds(1)
  /// Between two questions for the key.
  static let asking = Nanoseconds.seconds(1)

  private struct Key {
    let topic: [UInt8]
    let seed: Secret
    let key: SigningKey
  }

  private var held: Key?
  /// To be written once that counts.
  private var wish: AudienceValue??
  private var vacantSince: HostTime?
  private var asked: (count: Int, at: HostTime)?
  private(set) var nextWake: HostTime?

  /// Opened here, and the others do not know it yet.
  var opening: AudienceValue? { wish ?? nil }
  var isOpening: Bool { opening != nil }
  var isClosing: Bool { hasWish && !isOpening }
  var hasWish: Bool { wish != nil }

  /// Of an audience, to enter it at a hub as who speaks; nil: it is not here.
  func key(of topic: [UInt8]) -> SigningKey? { held?.topic == topic ? held?.key : nil }

  /// The same for another host.
  func seed(of topic: [UInt8]) -> [UInt8]? { held?.topic == topic ? held?.seed.bytes : nil }

  /// Makes another audience, and gives what the register is to say. `former`: the name of that whose listeners are led there; nil: none.
  mutating func open(
    hubs: [HubAddress], former: [UInt8]? = nil, terms: AudienceTerms = AudienceTerms(), random: (Int) -> [UInt8]
  ) -> AudienceValue {
    let seed = Secret(random: random)
    let key = SigningKey(seed: seed)
    held = Key(topic: key.publicKey.bytes, seed: seed, key: key)
    let value = AudienceValue(
      secret: Secret(random: random).bytes, topic: key.publicKey.bytes, hubs: hubs, former: former, terms: terms)
    wish = .some(value)
    return value
  }

  mutating func close() { wish = .some(nil) }

  /// A key, by whomever it is handed over; false: it is not this topic's.
  mutating func take(_ seed: [UInt8], of topic: [UInt8]) -> Bool {
    guard let seed = Secret(seed) else { return false }
    let key = SigningKey(seed: seed)
    guard key.publicKey.bytes == topic else { return false }
    held = Key(topic: topic, seed: seed, key: key)
    return true
  }

  /// Ends a turn.
  mutating func review(_ situation: Situation) -> [Step] {
    nextWake = nil
    if let wish {
      guard situation.isInStep else { return [] }
      self.wish = nil
      return [.write(wish)]
    }
    guard let (value, keeper) = situation.register, situation.isAble, situation.hosts.contains(situation.local) else {
      (vacantSince, asked) = (nil, nil)
      return []
    }
    return [ask(value, keeper, situation), takeOver(value, keeper, situation)].compactMap { $0 }
  }

  private mutating func ask(_ value: AudienceValue, _ keeper: ParticipantID, _ situation: Situation) -> Step? {
    guard key(of: value.topic) == nil else {
      asked = nil
      return nil
    }
    // Who speaks has it; of the others anybody may.
    let others = situation.hosts.filter { $0 == keeper } + situation.hosts.filter { $0 != keeper }
    let whom = others.filter { $0 != situation.local }
    guard !whom.isEmpty else { return nil }
    let due = asked?.at.adding(Self.asking) ?? situation.now
    guard situation.now >= due else {
      wake(at: due)
      return nil
    }
    let count = asked?.count ?? 0
    asked = (count + 1, situation.now)
    wake(at: situation.now.adding(Self.asking))
    return .ask(whom[count % whom.count], topic: value.topic)
  }

  private mutating func takeOver(_ value: AudienceValue, _ keeper: ParticipantID, _ situation: Situation) -> Step? {
    guard keeper != situation.local, !situation.hosts.contains(keeper), situation.isInStep,
      let rank = situation.hosts.firstIndex(of: situation.local)
    else {
      vacantSince = nil
      return nil
    }
    let since = vacantSince ?? situation.now
    vacantSince = since
    guard key(of: value.topic) != nil else { return nil }
    let due = since.adding(Int64(rank + 1) * Self.patience)
    guard situation.now >= due else {
      wake(at: due)
      return nil
    }
    vacantSince = nil
    return .write(value)
  }

  private mutating func wake(at time: HostTime) { nextWake = min(nextWake ?? time, time) }
}
