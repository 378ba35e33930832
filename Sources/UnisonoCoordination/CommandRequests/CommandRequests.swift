import UnisonoBase
import UnisonoReplica

/// The requests of one participant for commands: its own, and those that others made of it. Pure.
///
/// A request goes to all who may command then. The first who grants it carries it out; it is declined when all of them have
/// declined or gone, and unanswered after `patience`. What comes from outside is counted before it is looked at.
package struct CommandRequests: Sendable {
  package static let patience: Nanoseconds = .seconds(30)
  /// Open ones of one asker, and of all.
  package static let openLimit = 4
  package static let totalLimit = 64
  /// One asker's within `window`, whatever became of them.
  package static let rateLimit = 8
  package static let window: Nanoseconds = .seconds(10)

  package enum Effect: Equatable, Sendable {
    case send(CommandRequestMessage, to: [ParticipantID])
    case tell(CommandRequestNews)
    /// A host's granted request, to be carried out now.
    case carryOut(CommandRequest)
    /// From this sender, and not looked at.
    case dropped(ParticipantID)
  }

  /// Why a call is refused.
  package enum Refusal: Error, Equatable, Sendable {
    /// Nobody who may command is there.
    case nobody
    case tooMany
    case notOpen
    /// The asker may command itself.
    case needless
    /// There is nothing to ask about.
    case noItem

    package var status: CoordinationStatus {
      switch self {
      case .nobody, .notOpen: .notFound
      case .tooMany: .busy
      case .needless, .noItem: .state
      }
    }

    /// For whoever wrote the host.
    package var sentence: String {
      switch self {
      case .nobody: "nobody who may command is there"
      case .tooMany: "\(CommandRequests.openLimit) requests are open; wait for an answer"
      case .notOpen: "the request is not open any more, or cannot be carried out here: it was about another item"
      case .needless: "this participant may command itself; it need not ask"
      case .noItem: "there is no current item; make a transition to one first"
      }
    }
  }

  private struct Own: Sendable {
    var request: CommandRequest
    var asked: Set<ParticipantID>
    var decliner: ParticipantID?
    var until: HostTime
  }
  private struct Others: Sendable {
    var request: CommandRequest
    var until: HostTime
    /// This host has declined it: it is told no more of it.
    var isDeclined = false
  }
  private struct Name: Hashable, Comparable, Sendable {
    var asker: ParticipantID
    var number: UInt64
    static func < (left: Self, right: Self) -> Bool { (left.asker, left.number) < (right.asker, right.number) }
  }
  /// What one asker sent lately.
  private struct Rate: Sendable {
    var since: HostTime
    var count = 0
    var lastNumber: UInt64 = 0
  }

  private let local: ParticipantID
  private var own: [UInt64: Own] = [:]
  private var others: [Name: Others] = [:]
  private var rates: [ParticipantID: Rate] = [:]

  package init(local: ParticipantID) { self.local = local }

  /// Requests that the own host may answer now: asker and number.
  package var answerable: [(asker: ParticipantID, number: UInt64, item: ItemID)] {
    others.filter { !$0.value.isDeclined }.sorted { $0.key < $1.key }
      .map { ($0.key.asker, $0.key.number, $0.value.request.item) }
  }

  /// What the own host can ask about, as things are: its current item.
  package static func subject(in view: CoordinationView) throws(Refusal) -> ItemID {
    guard !view.mayCommand else { throw .needless }
    guard let item = view.item else { throw .noItem }
    guard view.participants.contains(where: { !$0.isLocal && view.isCommander($0) }) else { throw .nobody }
    return item
  }

  // MARK: The own host

  /// `number`: ascending; `commanders`: who may command and is there.
  package mutating func ask(_ request: CommandRequest, number: UInt64, of commanders: [ParticipantID], now: HostTime)
    throws(Refusal) -> [Effect]
  {
    let asked = Set(commanders).subtracting([local])
    guard !asked.isEmpty else { throw .nobody }
    guard own.count < Self.openLimit else { throw .tooMany }
    own[number] = Own(request: request, asked: asked, until: now.adding(Self.patience))
    return [.send(.request(number: number, request), to: asked.sorted())]
  }

  /// The own host's answer. `commanders` hear that it was granted, so that nobody else is asked any more.
  package mutating func answer(
    _ asker: ParticipantID, _ number: UInt64, isGranted: Bool, commanders: [ParticipantID]
  ) throws(Refusal) -> [Effect] {
    let name = Name(asker: asker, number: number)
    guard let entry = others[name], !entry.isDeclined else { throw .notOpen }
    guard isGranted else {
      others[name]?.isDeclined = true
      return [.send(.answer(asker: asker, number: number, isGranted: false), to: [asker])]
    }
    others[name] = nil
    let hearers = Set(commanders + [asker]).subtracting([local])
    return [
      .carryOut(entry.request), .send(.answer(asker: asker, number: number, isGranted: true), to: hearers.sorted()),
    ]
  }

  // MARK: From others

  /// `mayCommand`: this participant; `isEntitled`: the sender may not command, so that it has reason to ask.
  package mutating func take(
    _ number: UInt64, _ request: CommandRequest, from sender: ParticipantID, mayCommand: Bool, isEntitled: Bool,
    now: HostTime
  ) -> [Effect] {
    guard count(sender, now: now) else { return [.dropped(sender)] }
    guard mayCommand, isEntitled, number > rates[sender]?.lastNumber ?? 0 else { return [] }
    guard others.keys.count(where: { $0.asker == sender }) < Self.openLimit, others.count < Self.totalLimit else {
      return [.dropped(sender)]
    }
    rates[sender]?.lastNumber = number
    others[Name(asker: sender, number: number)] = Others(request: request, until: now.adding(Self.patience))
    return [.tell(news(sender, number, request, .open))]
  }

  /// `mayCommand`: the sender.
  package mutating func take(
    answerTo asker: ParticipantID, _ number: UInt64, isGranted: Bool, from sender: ParticipantID, mayCommand: Bool
  ) -> [Effect] {
    guard asker == local else {
      guard isGranted, mayCommand, let entry = others.removeValue(forKey: Name(asker: asker, number: number)) else {
        return []
      }
      return entry.isDeclined ? [] : [.tell(news(asker, number, entry.request, .granted, by: sender))]
    }
    guard var entry = own[number], entry.asked.contains(sender) else { return [] }
    if isGranted {
      own[number] = nil
      return [.tell(news(local, number, entry.request, .granted, by: sender))]
    }
    entry.asked.remove(sender)
    entry.decliner = sender
    own[number] = entry
    return closeIfNobodyIsLeft(number)
  }

  /// These may answer no more, or ask: they are gone.
  package mutating func forget(_ participants: [ParticipantID]) -> [Effect] {
    var effects: [Effect] = []
    for number in own.keys.sorted() {
      own[number]?.asked.subtract(participants)
      effects += closeIfNobodyIsLeft(number)
    }
    for name in others.keys.sorted() where participants.contains(name.asker) { effects += close(name) }
    for id in participants { rates[id] = nil }
    return effects
  }

  package mutating func tick(now: HostTime) -> [Effect] {
    var effects: [Effect] = []
    for (number, entry) in own.sorted(by: { $0.key < $1.key }) where entry.until <= now {
      own[number] = nil
      effects.append(.tell(news(local, number, entry.request, .unanswered)))
    }
    for (name, entry) in others.sorted(by: { $0.key < $1.key }) where entry.until <= now { effects += close(name) }
    return effects
  }

  package var nextWake: HostTime? { (own.values.map { $0.until } + others.values.map { $0.until }).min() }

  private mutating func close(_ name: Name) -> [Effect] {
    guard let entry = others.removeValue(forKey: name), !entry.isDeclined else { return [] }
    return [.tell(news(name.asker, name.number, entry.request, .unanswered))]
  }

  private mutating func closeIfNobodyIsLeft(_ number: UInt64) -> [Effect] {
    guard let entry = own[number], entry.asked.isEmpty else { return [] }
    own[number] = nil
    let status: CommandRequestStatus = entry.decliner == nil ? .unanswered : .declined
    return [.tell(news(local, number, entry.request, status, by: entry.decliner ?? .none))]
  }

  private func news(
    _ asker: ParticipantID, _ number: UInt64, _ request: CommandRequest, _ status: CommandRequestStatus,
    by answerer: ParticipantID = .none
  ) -> CommandRequestNews {
    CommandRequestNews(asker: asker, number: number, request: request, status: status, answerer: answerer)
  }

  /// false: too many of one sender.
  private mutating func count(_ sender: ParticipantID, now: HostTime) -> Bool {
    if rates[sender] == nil, rates.count >= WireLimits.participants { return false }
    var rate = rates[sender] ?? Rate(since: now)
    if now.subtracting(rate.since) >= Self.window { (rate.since, rate.count) = (now, 0) }
    rate.count = min(rate.count + 1, Self.rateLimit + 1)
    rates[sender] = rate
    return rate.count <= Self.rateLimit
  }
}
