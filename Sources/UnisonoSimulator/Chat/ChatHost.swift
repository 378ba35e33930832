import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoWire

/// A participant's chat, and what came of it at its host.
struct ChatHost {
  var chat: Chat
  /// In a room anew: the others are asked what was said.
  var isEntering = false
  /// What its host was told, in that order, its own words, too.
  var told: [ChatEntry] = []
  /// Whose words its host was told to be too many, and when.
  var floods: [Dated<ParticipantID>] = []
  var reactions = 0
  /// What it dropped.
  var dropped = 0
  private(set) var said: UInt64 = 0

  init(of id: ParticipantID) {
    chat = Chat(
      local: id, hash: Digest.hash,
      sign: {
        let body = ChatEntryBody.encode($0)
        return SignedStatement(body: body, signature: Signature.sign(body, by: id))
      })
  }

  /// Whether there is something to do; `mutating`, so that it is asked in place: a chat is no small value.
  mutating func isDue(now: HostTime) -> Bool { isEntering || chat.isDue(now: now) }

  mutating func say(_ text: String, as id: ParticipantID, name: String) {
    said += 1
    chat.say(ChatEntry(id: ChatEntry.ID(author: id, number: said), time: 0, text: text, name: name))
  }
}

/// What people write to each other.
extension SimulatedSession {
  /// From now on all have a chat.
  func opensChats() {
    for participant in participants where participant.chat == nil { participant.chat = ChatHost(of: participant.id) }
  }

  private func surroundings(of participant: Participant) -> Chat.Surroundings {
    let host = participant.clock.host(at: now)
    let clock = participant.read { $0.waitsForClock } ? nil : participant.groupClock
    return Chat.Surroundings(
      present: participant.sight.present, readers: participant.sight.readers, groupTime: clock?.remote(at: host),
      clockError: clock?.error(at: host) ?? 0)
  }

  func hearChat(_ saying: ChatSaying, from sender: ParticipantID, at participant: Participant) {
    guard participant.chat != nil else { return }
    let around = surroundings(of: participant)
    let host = participant.clock.host(at: now)
    carryOut(participant.chat?.chat.receive(saying, from: sender, around, now: host) ?? [], of: participant)
  }

  func settleChat(of participant: Participant) {
    let host = participant.clock.host(at: now)
    guard participant.chat?.isDue(now: host) == true else { return }
    let around = surroundings(of: participant)
    if participant.chat?.isEntering == true { participant.chat?.chat.entered(around, now: host) }
    participant.chat?.isEntering = false
    carryOut(participant.chat?.chat.settle(around, now: host) ?? [], of: participant)
  }

  func carryOut(_ effects: [Chat.Effect], of participant: Participant) {
    for effect in effects {
      switch effect {
      case .send(let saying, let to): send(.chat(saying), from: participant, to: to)
      case .tell(let entry, let isHistory):
        participant.chat?.told.append(entry)
        fingerprint?.add(201)
        fingerprint?.add(entry.id.author)
        fingerprint?.add(entry.id.number)
        log.note(now, participant.name, "-> chat \(name(of: entry.id.author)) \(entry.id.number)\(isHistory ? ", said before" : "")")
      case .tellReaction: participant.chat?.reactions += 1
      case .flooded(let id, _):
        participant.chat?.floods.append(Dated(at: now, value: id))
        fingerprint?.add(202)
        log.note(now, participant.name, "-> chat: \(name(of: id)) says too much")
      case .dropped: participant.chat?.dropped += 1
      }
    }
  }
}

extension Person {
  /// Writes lines, of so many letters each, as fast as it can.
  package func writes(_ count: Int, letters: Int) {
    for _ in 0..<count { participant.chat?.say(String(repeating: "x", count: letters), as: id, name: name) }
    room.settleSide(participant)
  }

  package func reacts() {
    guard participant.takesPart else { return }
    room.carryOut(participant.chat?.chat.react(Reaction("!")) ?? [], of: participant)
  }

  /// What is kept of the chat, in the order of the conversation.
  package var chatEntries: [ChatEntry] { participant.chat?.chat.entries ?? [] }
}
