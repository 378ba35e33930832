import UnisonoBase
import UnisonoCoordination

/// Lets people in a third of all scripts have ranges of their own in their copies, different for each, some of them others later; in all of
/// the profile for it.
struct InterstitialWriter {
  private var draft: ScriptDraft

  static func equip(_ script: Script) -> Script {
    let probability = script.profile == .interstitials ? 1 : 1.0 / 3
    guard let draft = ScriptDraft(script, probability: probability, salt: 0x1A75_0000_000B) else { return script }
    var writer = InterstitialWriter(draft: draft)
    return writer.equipped()
  }

  private mutating func equipped() -> Script {
    // What several are sent to is a beginning for some of them.
    let targets = draft.script.steps.compactMap { step in
      if case .seek(let target, _) = step.action { target } else { nil as ItemTime? }
    }
    for name in draft.names where draft.generator.chance(0.6) {
      for item in ["X", "Y"] as [ItemID] { draft.add(.setInterstitials(item, drawRanges(targets)), by: name, at: 0) }
    }
    for _ in 0..<draft.generator.number(in: 0...3) {
      let ranges = draft.generator.chance(0.3) ? [] : drawRanges(targets)
      draft.add(.setInterstitials(draft.generator.chance(0.7) ? "X" : "Y", ranges), by: draft.drawName(), at: draft.drawTime())
    }
    return draft.finished()
  }

  /// One at the beginning of some, as advertisements are; the others close enough for a run to meet them.
  private mutating func drawRanges(_ targets: [ItemTime]) -> [InterstitialRange] {
    var ranges: [InterstitialRange] = []
    var begin: ItemTime = draft.generator.chance(0.3) ? 0 : draft.generator.number(in: .milliseconds(1)...(.seconds(20)))
    for _ in 0..<draft.generator.number(in: 1...50) {
      let length: Nanoseconds = draft.generator.pick([.milliseconds(200), .seconds(1), .seconds(3), .seconds(8), .seconds(30)])
      ranges.append(InterstitialRange(start: begin, end: begin + length))
      begin += length + draft.generator.number(in: .milliseconds(1)...(.seconds(40)))
    }
    for target in targets.sorted() where target > begin && draft.generator.chance(0.5) {
      begin = target + .seconds(5)
      ranges.append(InterstitialRange(start: target, end: begin))
    }
    return InterstitialRange.ordered(Array(ranges.prefix(InterstitialRange.most))) ?? []
  }
}

extension InvariantCheck {
  /// Where a player may still, or already, be in a range: it starts late, and says where it is now and then.
  private static let margin = Nanoseconds.seconds(2)

  /// (y): who runs through a range of its own copy says so, and who says so is in one.
  func checkInterstitials(of participant: Participant) {
    // Where a host is that never did what it was told, nobody knows.
    guard let item = participant.player.item, hasObeyed(participant) else { return }
    let person = Person(room: room, participant: participant)
    let position = participant.layer == nil ? room.player(of: participant).position : person.renderedPosition
    let rate = participant.layer == nil ? room.player(of: participant).rate : person.renderedRate
    let reasons = participant.coordination.view.suspensionReasons
    let margin = Self.margin.scaled(by: max(1, abs(rate)))
    let ranges = participant.interstitials[item] ?? []
    if reasons.isEmpty, rate > 0, ranges.contains(where: { $0.start + margin < position && position < $0.end - margin }) {
      room.violate("y", "\(participant.name) plays \(seconds(position)) of its \(item), in a range that is not the group's")
    }
    // One that its person stopped, or that has nothing to play, stays there.
    if reasons.contains("playing-interstitial"), rate > 0,
      !ranges.contains(where: { $0.start - margin <= position && position <= $0.end + margin })
    {
      room.violate("y", "\(participant.name) is at \(seconds(position)) of its \(item), in no range, and apart for one")
    }
  }

  /// How often a participant came into a range, or was through one.
  func interstitialTimes(of participant: Participant) -> [Nanoseconds] {
    var was = false
    return participant.history.suspensions.compactMap { change in
      let isIn = change.value.contains("playing-interstitial")
      defer { was = isIn }
      return isIn != was ? change.at : nil
    }
  }
}
