import UnisonoBase
import UnisonoCoordination
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

/// Something that was said or a reaction, as a host is told of it.
package struct ChatNews: Equatable, Sendable {
  /// Of a reaction: number 0.
  package var entry: ChatEntry
  package var isReaction: Bool
  /// It was said before this one came, or while it was away.
  package var isHistory: Bool
  /// When it was said; nil: group time is not known.
  package var hostTime: HostTime?

  init(_ entry: ChatEntry, isHistory: Bool, clock: ClockModel?) {
    self.entry = entry
    isReaction = false
    self.isHistory = isHistory
    hostTime = clock?.host(at: entry.time)
  }

  /// Now.
  init(_ reaction: Reaction, by author: ParticipantID, now: HostTime) {
    entry = ChatEntry(
      id: ChatEntry.ID(author: author, number: 0), time: 0, text: reaction.text, item: reaction.item,
      itemTime: reaction.itemTime)
    isReaction = true
    isHistory = false
    hostTime = now
  }
}

/// The chat of a session between the pure `Chat` and the wire.
struct SessionChat {
  enum Output {
    case transmit(InnerMessage, to: [ParticipantID]?)
    case tell(ChatEntry, isHistory: Bool)
    case react(ChatNews)
    case flooded(Ignored)
    case dropped(ParticipantID)
  }

  private let local: ParticipantID
  private var chat: Chat
  /// In a room anew: the others are asked what was said, once there is something to ask with.
  private var isEntering = false

  init(identity: Identity, session: [UInt8]) {
    local = identity.id
    chat = Chat(
      local: identity.id, hash: Hash.sha256,
      sign: { ChatSignature.sign(ChatEntryBody.encode($0), session: session, author: identity.signing) })
  }

  func entries(clock: ClockModel?) -> [ChatNews] {
    chat.entries.map { ChatNews($0, isHistory: false, clock: clock) }
  }

  var nextWake: HostTime? { chat.nextWake }
  func isDue(now: HostTime) -> Bool { isEntering || chat.isDue(now: now) }

  mutating func enter() { isEntering = true }
  mutating func presenceChanged(now: HostTime) { chat.presenceChanged(now: now) }

  mutating func say(_ text: String, number: UInt64, as name: String, _ view: CoordinationView, now: HostTime) {
    chat.say(
      ChatEntry(
        id: ChatEntry.ID(author: local, number: number), time: 0, text: text, name: name, item: view.item,
        itemTime: Self.position(view, now)))
  }

  func react(_ text: String, _ view: CoordinationView, now: HostTime) -> [Output] {
    outputs(chat.react(Reaction(text, item: view.item, itemTime: Self.position(view, now))), now: now)
  }

  mutating func settle(_ around: Chat.Surroundings, now: HostTime) -> [Output] {
    if isEntering { chat.entered(around, now: now) }
    isEntering = false
    return outputs(chat.settle(around, now: now), now: now)
  }

  mutating func receive(_ saying: ChatSaying, from sender: ParticipantID, _ around: Chat.Surroundings, now: HostTime) -> [Output] {
    outputs(chat.receive(saying, from: sender, around, now: now), now: now)
  }

  /// Where the group is in what is on.
  private static func position(_ view: CoordinationView, _ now: HostTime) -> ItemTime? {
    guard view.item != nil, view.timing.status != .none else { return nil }
    let line = now < view.timing.line.since ? view.timing.prior ?? view.timing.line : view.timing.line
    let position = line.position(at: max(now, line.since))
    return position == .min ? nil : position
  }

  private func outputs(_ effects: [Chat.Effect], now: HostTime) -> [Output] {
    effects.map { effect in
      switch effect {
      case .send(let saying, let to): .transmit(InnerMessage(saying), to: to.map { [$0] })
      case .tell(let entry, let isHistory): .tell(entry, isHistory: isHistory)
      case .tellReaction(let reaction, let author): .react(ChatNews(reaction, by: author, now: now))
      case .flooded(let id, let until):
        .flooded(Ignored(participant: id, byOther: false, reason: .budget, until: until, part: .chat))
      case .dropped(let id): .dropped(id)
      }
    }
  }
}

extension InnerMessage {
  fileprivate init(_ saying: ChatSaying) {
    self =
      switch saying {
      case .entry(let entry): .chat(entry.signed)
      case .reaction(let reaction): .reaction(reaction)
      case .digest(let digest): .chatDigest(digest)
      case .want(let names): .chatWant(names)
      case .history(let entries): .chatHistory(entries.map { $0.signed })
      }
  }
}
