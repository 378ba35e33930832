import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// What a person does to the playlist in a random run; whom it concerns is chosen of what is on that person's list by then.
package enum ScriptEdit: Hashable, Sendable {
  /// `number`: of the entry, another for each.
  case add(ItemID, number: UInt64, before: Int?)
  case move(Int, before: Int?)
  case remove(Int)
  /// One with ranges that may be left out, at the end.
  case addRanges(ItemID, number: UInt64, [SkipRange])
  /// The group goes to the entry that was added under a number.
  case choose(number: UInt64)
  case select(Int)
  case next
  /// Goes to the item of the entry that the group is at, if it is not there.
  case follow

  func happen(to person: Person) {
    let lines = person.playlist.lines
    func entry(_ number: Int) -> EntryID? { lines.isEmpty ? nil : lines[number % lines.count].id }
    switch self {
    case .add(let item, let number, let other):
      person.adds(item, as: Self.id(number), before: other.flatMap(entry))
    case .addRanges(let item, let number, let ranges): person.adds(item, as: Self.id(number), ranges: ranges)
    case .choose(let number): person.edits(.select(Self.id(number)))
    case .move(let number, let other):
      if let id = entry(number) { person.edits(.move(id, before: other.flatMap(entry))) }
    case .remove(let number): if let id = entry(number) { person.edits(.remove(id)) }
    case .select(let number): if let id = entry(number) { person.edits(.select(id)) }
    case .next: person.edits(.next(follows: person.currentEntry))
    case .follow:
      guard let current = lines.first(where: { $0.id == person.currentEntry })?.entry.item, current != person.view.item else { return }
      ScriptAction.move(to: current, proposing: nil).happen(to: person, in: person.room)
    }
  }

  private static func id(_ number: UInt64) -> EntryID { EntryID(high: number &* 0x9E37_79B9_7F4A_7C15, low: number) }
}

/// Lets people edit the playlist in a third of all scripts, often several at once.
///
/// Draws from a generator of its own, so that what the seeds had before stays as it was.
struct PlaylistWriter {
  private var draft: ScriptDraft

  static func equip(_ script: Script) -> Script {
    guard let draft = ScriptDraft(script, probability: 1.0 / 3, salt: 0x91A7_0000_0003) else { return script }
    var writer = PlaylistWriter(draft: draft)
    return writer.equipped()
  }

  private mutating func equipped() -> Script {
    for number in 1...UInt64(draft.generator.number(in: 4...20)) {
      let time = draft.drawTime()
      // Several at once, as far as nets let them be.
      for _ in 0..<draft.generator.pick([1, 1, 2, 3]) {
        let number = number << 8 | UInt64(draft.script.steps.count & 0xFF)
        let at = time + draft.generator.number(in: 0...(.milliseconds(80)))
        let name = draft.drawName()
        draft.add(.edit(draw(number)), by: name, at: at)
      }
    }
    return draft.finished()
  }

  private mutating func draw(_ number: UInt64) -> ScriptEdit {
    let one = Int(draft.generator.number(in: 0...30))
    let other: Int? = draft.generator.chance(0.5) ? Int(draft.generator.number(in: 0...30)) : nil
    switch draft.generator.number(in: 0...9) {
    case 0..<4: return .add(draft.generator.pick(["X", "Y"]), number: number, before: other)
    case 4..<6: return .move(one, before: other)
    case 6..<7: return .remove(one)
    case 7..<9: return .select(one)
    default: return .next
    }
  }
}

extension InvariantCheck {
  /// (m): no entry of the playlist is lost, and none is there twice. Where roles change, or somebody is gone for good, an edit may never
  /// have counted.
  func checkPlaylists(of participants: [Participant]) {
    let removed = Set(room.participants.flatMap { $0.edits }.compactMap { if case .remove(let id) = $0.value { id } else { nil } })
    for participant in participants {
      let ids = participant.coordination.playlist.lines.map { $0.id }
      if Set(ids).count != ids.count { room.violate("m", "\(participant.name) has an entry twice") }
      for id in ids where removed.contains(id) && !script.hasRoles {
        if room.participants.allSatisfy({ $0.isRunning && $0.refused(.removeEntry) == 0 }) {
          room.violate("m", "\(participant.name) has an entry that was removed")
        }
      }
    }
    guard !script.hasRoles else { return }
    for author in participants where author.refused(.addEntry) == 0 {
      for case .add(let id, _, _) in author.edits.map({ $0.value }) where !removed.contains(id) {
        for participant in participants where !participant.coordination.playlist.lines.contains(where: { $0.id == id }) {
          room.violate("m", "\(participant.name) lacks an entry that \(author.name) added")
        }
      }
    }
  }
}

extension Participant {
  fileprivate func refused(_ operation: Operation) -> Int { history.refusals.count { $0.value.operation == operation } }
}
