import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// Lets people of a third of all scripts say which copy of an entry they have, another one later, and nothing any more.
///
/// The list has an entry of each item. Draws from a generator of its own, so that what the seeds had before stays as it was.
struct CopyWriter {
  private var draft: ScriptDraft

  static func equip(_ script: Script) -> Script {
    guard let draft = ScriptDraft(script, probability: 1.0 / 3, salt: 0xC0B1_0000_0011) else { return script }
    var writer = CopyWriter(draft: draft)
    return writer.equipped()
  }

  private mutating func equipped() -> Script {
    draft.addList(from: 1 << 42)
    for _ in 0..<draft.generator.number(in: 3...14) {
      draft.add(.stateCopy(drawCopy()), by: draft.drawName(), at: draft.drawTime())
    }
    guard draft.generator.chance(0.4) else { return draft.finished() }
    let time = draft.drawTime()
    draft.add(.edit(.select(1)), by: draft.drawName(), at: time)
    for name in draft.names {
      draft.add(.stateCopy(drawCopy()), by: name, at: time + draft.generator.number(in: .milliseconds(50)...(.seconds(3))))
    }
    return draft.finished()
  }

  /// One release, the same in another container, one that is longer; with less or more known of it.
  private mutating func drawCopy() -> Copy? {
    if draft.generator.chance(0.1) { return nil }
    let release = UInt8(draft.generator.number(in: 1...3))
    var copy = Copy(duration: release == 3 ? .seconds(5_400) : .seconds(5_000), size: UInt64(release) << 30, hash: [])
    copy.hash = [UInt8](repeating: release, count: Copy.hashLength)
    if draft.generator.chance(0.3) { copy.duration += draft.generator.number(in: -.milliseconds(900)...(.milliseconds(900))) }
    switch draft.generator.number(in: 0...5) {
    case 0: copy.hash = []
    case 1: copy.duration = 0
    case 2: (copy.size, copy.hash) = (0, [])
    default: break
    }
    return copy
  }
}

extension InvariantCheck {
  /// (copies): of everybody whose copy of the same entry can be compared with its own a host was last told what differs.
  func checkCopies(of participant: Participant, among all: [Participant], _ registers: RegisterReading) {
    guard let own = registers.copy(of: participant.id) else { return }
    for other in all where other !== participant {
      guard let stated = registers.copy(of: other.id), stated.entry == own.entry,
        let difference = CopyDifference(own.copy, stated.copy)
      else { continue }
      let told = participant.history.copies.last { $0.value.participant == other.id }?.value
      if told?.entry != own.entry || told?.difference != difference {
        room.violate("copies", "\(participant.name) was not told how the copy of \(other.name) differs from its own")
      }
    }
  }
}
