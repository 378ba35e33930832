import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// Lets the groups of a third of all scripts have entries with ranges that are left out, change which kinds are, and take back what was.
///
/// Draws from a generator of its own, so that what the seeds had before stays as it was.
struct SkipWriter {
  private var draft: ScriptDraft

  static func equip(_ script: Script) -> Script {
    guard let draft = ScriptDraft(script, probability: 1.0 / 3, salt: 0x5C1B_0000_0009) else { return script }
    var writer = SkipWriter(draft: draft)
    return writer.equipped()
  }

  private mutating func equipped() -> Script {
    let first: UInt64 = 1 << 41
    for (number, item) in (["X", "Y"] as [ItemID]).enumerated() {
      let edit = ScriptEdit.addRanges(item, number: first + UInt64(number), drawRanges())
      draft.add(.edit(edit), by: draft.names[0], at: .milliseconds(400))
    }
    draft.add(.setSkipPolicy(drawKinds()), by: draft.names[0], at: .milliseconds(500))
    draft.add(.edit(.choose(number: first)), by: draft.names[0], at: .milliseconds(700))
    for _ in 0..<draft.generator.number(in: 0...3) {
      draft.add(.setSkipPolicy(drawKinds()), by: draft.drawName(), at: draft.drawTime())
    }
    for _ in 0..<draft.generator.number(in: 0...4) { draft.add(.undoJump, by: draft.drawName(), at: draft.drawTime()) }
    if draft.generator.chance(0.5) {
      draft.add(.edit(.choose(number: first + UInt64(draft.generator.number(in: 0...1)))), by: draft.drawName(), at: draft.drawTime())
    }
    return draft.finished()
  }

  private mutating func drawKinds() -> [SkipRange.Kind] { SkipRange.Kind.allCases.filter { _ in draft.generator.chance(0.7) } }

  /// Some follow each other at once, some begin where the item does.
  private mutating func drawRanges() -> [SkipRange] {
    var ranges: [SkipRange] = []
    var end: ItemTime = 0
    for _ in 0..<draft.generator.number(in: 1...6) {
      let begin = end + (draft.generator.chance(0.3) ? 0 : draft.generator.number(in: .milliseconds(1)...(.seconds(90))))
      end = begin + draft.generator.pick([.seconds(1), .seconds(20), .seconds(90), .seconds(300)])
      ranges.append(SkipRange(begin: begin, end: end, kind: draft.generator.pick(SkipRange.Kind.allCases)))
    }
    return ranges
  }
}

extension InvariantCheck {
  /// Ranges of the entries of this script.
  private var rangeCount: Int {
    script.steps.reduce(0) { count, step in
      if case .edit(.addRanges(_, _, let ranges)) = step.action { count + ranges.count } else { count }
    }
  }

  /// (v): a group that leaves a range out is not found playing it long after it came to it, unless the last command led there.
  func checkSkips(of participant: Participant, _ registers: RegisterReading) {
    let view = participant.coordination.groupView
    guard view.suspensionReasons.isEmpty, view.timing.status == .playing, view.timing.line.rate > 0, let item = view.item, hasKeeper(item),
      let line = participant.coordination.playlist.lines.first(where: { $0.id == participant.coordination.currentEntry }),
      line.entry.item == item, let cells = registers.cells(of: item)
    else { return }
    let rate = view.timing.line.rate
    let position = view.timing.line.position(at: participant.clock.host(at: room.now))
    // Whoever was to write it may be gone, so that another one does, and then all get ready at its end.
    let late = Nanoseconds.seconds(12).scaled(by: rate)
    for range in line.entry.ranges where view.skipPolicy.skips(range.kind) {
      guard range.contains(position), position - range.begin > late, !range.contains(cells.at) else { continue }
      room.violate("v", "\(participant.name) plays \(seconds(position)) of \(item), in a range that is left out")
    }
  }

  /// (v): hosts are told of ranges as often as these can be come to, and no more: once for each, after each thing that was done.
  func checkSkipCount(of participant: Participant) {
    let count = participant.player.commands.count { $0.command.cause == .range }
    let limit = 3 * rangeCount * (1 + actions + faults)
    if count > limit { room.violate("v", "\(participant.name) was told \(count) times of ranges, \(limit) are enough") }
  }
}
