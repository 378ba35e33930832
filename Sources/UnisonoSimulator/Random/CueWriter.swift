import UnisonoBase
import UnisonoCoordination

/// Lets people of a third of all scripts send messages to places of both items, some of them more than are kept.
///
/// Draws from a generator of its own, so that what the seeds had before stays as it was.
struct CueWriter {
  private var draft: ScriptDraft

  static func equip(_ script: Script) -> Script {
    guard let draft = ScriptDraft(script, probability: 1.0 / 3, salt: 0xC0E5_0000_000A) else { return script }
    var writer = CueWriter(draft: draft)
    return writer.equipped()
  }

  private mutating func equipped() -> Script {
    for number in 1...UInt64(draft.generator.number(in: 4...25)) {
      let count = draft.generator.chance(0.1) ? Int(draft.generator.number(in: 50...90)) : Int(draft.generator.number(in: 1...4))
      let action = ScriptAction.sendAt(
        draft.generator.chance(0.85) ? "X" : "Y", number: number << 8, count: count, ahead: drawWay(),
        spacing: draft.generator.pick([0, .milliseconds(1), .milliseconds(700), .seconds(9)]))
      draft.add(action, by: draft.drawName(), at: draft.drawTime())
    }
    return draft.finished()
  }

  /// From where the sender's group is; mostly a little ahead.
  private mutating func drawWay() -> Nanoseconds {
    switch draft.generator.number(in: 0...9) {
    case 0: draft.generator.number(in: .seconds(-60)...0)
    case 1...6: draft.generator.number(in: 0...(.seconds(15)))
    default: draft.generator.number(in: .seconds(15)...(.seconds(300)))
    }
  }
}

extension InvariantCheck {
  /// Timers are late by up to a millisecond and a half, and rates are up to 16.
  private static let early = Nanoseconds.milliseconds(1)

  /// (n): each message came to a host once at most, never before its player was there, and where that ran past the place it came, unless
  /// there was no room for it, which the host was told.
  func checkCues(of participant: Participant) {
    for arrival in participant.cues?.arrivals ?? [] {
      let name = "\(participant.name), message \(arrival.saying.number) at \(seconds(arrival.saying.itemTime)) of \(arrival.saying.item)"
      if arrival.told.count > 1 { room.violate("n", "\(name) came \(arrival.told.count) times") }
      if let ahead = arrival.told.first, ahead > Self.early { room.violate("n", "\(name) came \(ahead / 1_000) us too early") }
      if arrival.isDropped, !arrival.told.isEmpty { room.violate("n", "\(name) came though there was no room for it") }
      if arrival.isPassed, arrival.told.isEmpty, !arrival.isDropped { room.violate("n", "\(name) did not come, though its player ran past") }
    }
  }
}
