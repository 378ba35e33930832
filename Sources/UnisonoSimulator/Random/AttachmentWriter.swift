import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// What a person does with attachments in a random run; contents have numbers, and are the same for all.
package enum ScriptAttachment: Hashable, Sendable {
  case offer(Int)
  case takeBack(Int)
  case fetch(Int)
  case endLoad(Int)
  /// From now on it gives other bytes than it has.
  case giveOtherBytes

  func happen(to person: Person) {
    switch self {
    case .offer(let number): person.offers(number)
    case .takeBack(let number): person.takesBack(number)
    case .fetch(let number): person.fetches(number)
    case .endLoad(let number): person.endsLoad(number)
    case .giveOtherBytes: person.givesOtherBytes()
    }
  }

  /// It is written to registers.
  var isWritten: Bool {
    switch self {
    case .offer, .takeBack: true
    case .fetch, .endLoad, .giveOtherBytes: false
    }
  }
}

/// Lets people of a third of all scripts offer attachments, take them back and fetch them from each other; in some of these one gives
/// other bytes.
///
/// Draws from a generator of its own, so that what the seeds had before stays as it was.
struct AttachmentWriter {
  private var draft: ScriptDraft

  static func equip(_ script: Script) -> Script {
    guard let draft = ScriptDraft(script, probability: 1.0 / 3, salt: 0xA77A_0000_0007) else { return script }
    var writer = AttachmentWriter(draft: draft)
    return writer.equipped()
  }

  private mutating func equipped() -> Script {
    for _ in 0..<draft.generator.number(in: 4...20) {
      draft.add(.attachment(drawAction()), by: draft.drawName(), at: draft.drawTime())
    }
    if draft.names.count > 2, draft.generator.chance(0.25) {
      draft.add(.attachment(.giveOtherBytes), by: draft.drawName(), at: draft.drawTime())
    }
    return draft.finished()
  }

  private mutating func drawAction() -> ScriptAttachment {
    let number = Int(draft.generator.number(in: 0...Int64(AttachmentContent.count - 1)))
    switch draft.generator.number(in: 0...19) {
    case 0..<8: return .offer(number)
    case 8..<11: return .takeBack(number)
    case 11..<19: return .fetch(number)
    default: return .endLoad(number)
    }
  }
}

extension InvariantCheck {
  /// (o): what somebody who is there offered last in a place of its own is offered everywhere, there or in another place; what somebody who
  /// is there took back last is not there. With roles, what was taken back may have counted for a while only.
  func checkOffers(of participants: [Participant]) {
    guard !script.hasRoles else { return }
    for (slot, acts) in Dictionary(grouping: room.placeActs, by: { $0.value.slot }).sorted(by: { $0.key < $1.key }) {
      guard let last = acts.max(by: { $0.at < $1.at }), participants.contains(where: { $0.id == last.value.by }) else { continue }
      // What two did almost at once is as their clocks say.
      guard !acts.contains(where: { $0.value.by != last.value.by && $0.at > last.at - .milliseconds(100) }) else { continue }
      for participant in participants {
        let shelf = participant.coordination.attachments
        let what = "place \(slot.number) of \(room.name(of: slot.author))"
        switch last.value.deed {
        case .offered(let content):
          if shelf.offer(of: content) == nil { room.violate("o", "\(participant.name) does not see what was offered in \(what)") }
        case .tookBack(let time):
          if let offer = shelf.offer(in: slot), offer.time <= time {
            room.violate("o", "\(participant.name) sees what was taken back out of \(what)")
          }
        }
      }
    }
  }

  /// (x): whoever fetched something has exactly its bytes, or was told why not; and now that all is whole, everybody can fetch whatever
  /// is offered that somebody honest has.
  func checkLoads(of participants: [Participant], within length: Nanoseconds) {
    let available = (0..<AttachmentContent.count).filter { number in
      participants.contains { $0.files?.gives(AttachmentContent.value(number).id) ?? false }
    }
    for participant in participants {
      for number in available { Person(room: room, participant: participant).fetches(number) }
    }
    var known = 0
    room.run(for: length)
    // Who was given other bytes asks for all of it anew.
    while participants.contains(where: { $0.files?.loads.contains { $0.end == nil } ?? false }) {
      let forgeries = participants.reduce(0) { $0 + ($1.files?.forgeries.count ?? 0) }
      guard forgeries > known else { break }
      known = forgeries
      room.run(for: Attachments.patience)
    }
    for participant in participants {
      guard let files = participant.files else { continue }
      for load in files.loads {
        if load.end == nil { room.violate("x", "\(participant.name) was not told what became of a load") }
        guard case .loaded(let bytes)? = load.end, AttachmentContent.id(of: bytes) != load.id else { continue }
        room.violate("x", "\(participant.name) loaded other bytes than were offered")
      }
      for number in available where files.contents[AttachmentContent.value(number).id] != AttachmentContent.bytes(number) {
        room.violate("x", "\(participant.name) could not fetch content \(number), though somebody has it")
      }
    }
  }
}
