import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoWire

/// What a person does in the chat in a random run.
package enum ScriptChat: Hashable, Sendable {
  /// So many lines at once, of so many letters each.
  case write(Int, letters: Int)
  case react

  func happen(to person: Person) {
    switch self {
    case .write(let count, let letters): person.writes(count, letters: letters)
    case .react: person.reacts()
    }
  }
}

/// Lets people of a third of all scripts write to each other, some of them far too much, in some scripts more than is kept.
///
/// Draws from a generator of its own, so that what the seeds had before stays as it was.
struct ChatWriter {
  private var draft: ScriptDraft

  static func equip(_ script: Script) -> Script {
    guard let draft = ScriptDraft(script, probability: 1.0 / 3, salt: 0xC4A7_0000_0006) else { return script }
    var writer = ChatWriter(draft: draft)
    return writer.equipped()
  }

  private mutating func equipped() -> Script {
    let isTalkative = draft.generator.chance(0.25)
    for _ in 0..<draft.generator.number(in: 4...25) {
      let (time, name) = (draft.drawTime(), draft.drawName())
      draft.add(.chat(drawChat(floods: isTalkative ? 0.5 : 0.1)), by: name, at: time)
    }
    return draft.finished()
  }

  private mutating func drawChat(floods: Double) -> ScriptChat {
    if draft.generator.chance(floods) {
      return .write(Int(draft.generator.number(in: 15...40)), letters: Int(draft.generator.pick([1, 30, 500, 900])))
    }
    if draft.generator.chance(0.15) { return .react }
    return .write(Int(draft.generator.number(in: 1...3)), letters: Int(draft.generator.number(in: 1...60)))
  }
}

extension InvariantCheck {
  /// (w): all have the same chat; it is the newest of what was said, as much of that as is kept; each host was told each entry once.
  func checkChats(of participants: [Participant]) {
    guard let first = participants.first, let kept = first.chat?.chat.entries else { return }
    let names = Set(kept.map { $0.id })
    var lost: [ChatEntry] = []
    for participant in participants {
      guard let host = participant.chat else { continue }
      let entries = host.chat.entries
      if entries != kept {
        room.violate("w", "\(participant.name) has \(entries.count) entries of the chat, \(first.name) \(kept.count) others")
      }
      let told = Set(host.told.map { $0.id })
      if told.count != host.told.count { room.violate("w", "\(participant.name) was told an entry of the chat twice") }
      if !told.isSuperset(of: entries.map { $0.id }) {
        room.violate("w", "\(participant.name) was not told all that it has of the chat")
      }
      let own = host.told.filter { $0.id.author == participant.id }
      if own.count != Int(host.said) { room.violate("w", "\(participant.name) wrote \(host.said) lines, and was told of \(own.count)") }
      lost += own.filter { !names.contains($0.id) }
    }
    guard let newest = lost.max(by: ChatEntry.precedes) else { return }
    let bytes = kept.reduce(0) { $0 + $1.signed.body.count + $1.signed.signature.count }
    let isFull = kept.count == WireLimits.chatEntries || bytes > WireLimits.chatNewerBytes
    if !isFull || kept.contains(where: { ChatEntry.precedes($0, newest) }) {
      room.violate("w", "line \(newest.id.number) of \(room.name(of: newest.id.author)) is lost, though there was room for it")
    }
  }
}
