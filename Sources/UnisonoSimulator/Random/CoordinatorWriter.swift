import UnisonoBase
import UnisonoCoordination

/// What a person does with one of its coordinators beside the first one in a random run.
package indirect enum ScriptCoordinator: Sendable {
  case open
  case close
  /// The same as at the first one.
  case act(ScriptAction)

  /// Its participant says so to the session.
  var isAboutSession: Bool {
    switch self {
    case .open, .close: true
    case .act: false
    }
  }

  var length: Nanoseconds {
    switch self {
    case .open, .close: 0
    case .act(let action): action.length
    }
  }

  func happen(to person: Person, at name: CoordinatorName, in room: SimulatedSession) {
    switch self {
    case .open: person.opens(name)
    case .close: person.closes(name)
    case .act(let action): if let person = person.at(name) { action.happen(to: person, in: room) }
    }
  }

  func description(at name: CoordinatorName) -> String {
    switch self {
    case .open: "opens \(name)"
    case .close: "closes \(name)"
    case .act(let action): "at \(name) \(action)"
    }
  }
}

/// Gives people of a third of all scripts one or two coordinators beside the first one, each some of them: most from the beginning, some
/// later, and some close theirs, and open it again.
///
/// Draws from a generator of its own, so that what the seeds had before stays as it was.
struct CoordinatorWriter {
  private static let names = ["screen", "kitchen"].compactMap { CoordinatorName($0) }
  private var draft: ScriptDraft

  static func equip(_ script: Script) -> Script {
    guard let draft = ScriptDraft(script, probability: 1.0 / 3, salt: 0xC00D_0000_000C) else { return script }
    var writer = CoordinatorWriter(draft: draft)
    return writer.equipped()
  }

  private mutating func equipped() -> Script {
    for name in Self.names.prefix(draft.generator.chance(0.3) ? 2 : 1) { add(name) }
    return draft.finished()
  }

  private mutating func add(_ name: CoordinatorName) {
    let holders = drawHolders()
    for holder in holders {
      open(name, by: holder, at: draft.generator.chance(0.6) ? draft.generator.number(in: 0...(.seconds(1))) : draft.drawTime())
    }
    var time = draft.drawTime()
    for _ in 0..<draft.generator.number(in: 3...10) {
      let holder = draft.generator.pick(holders)
      draft.add(.coordinator(name, .act(drawAction())), by: holder, at: time)
      time = draft.generator.chance(0.4) ? time + draft.generator.number(in: .milliseconds(5)...(.milliseconds(200))) : draft.drawTime()
    }
    guard draft.generator.chance(0.3) else { return }
    let (holder, closes) = (draft.generator.pick(holders), draft.drawTime())
    draft.add(.coordinator(name, .close), by: holder, at: closes)
    guard draft.generator.chance(0.5) else { return }
    open(name, by: holder, at: closes + draft.generator.number(in: .milliseconds(1)...(.seconds(3))))
  }

  /// Mostly two or three.
  private mutating func drawHolders() -> [String] {
    var rest = draft.names
    var holders: [String] = []
    for _ in 0..<draft.generator.number(in: draft.generator.chance(0.1) ? 1...1 : 2...4) where !rest.isEmpty {
      holders.append(rest.remove(at: Int(draft.generator.number(in: 0...Int64(rest.count - 1)))))
    }
    return holders
  }

  /// On an item that is called like the session's film.
  private mutating func open(_ name: CoordinatorName, by holder: String, at time: Nanoseconds) {
    draft.add(.coordinator(name, .open), by: holder, at: time)
    let proposal = draft.generator.chance(0.4) ? Proposal(rate: draft.generator.chance(0.3) ? 1 : 0, itemTime: drawPosition()) : nil
    let later = draft.generator.chance(0.5) ? 0 : draft.generator.number(in: 0...(.milliseconds(400)))
    draft.add(.coordinator(name, .act(.move(to: "X", proposing: proposal))), by: holder, at: time + later)
  }

  private mutating func drawAction() -> ScriptAction {
    switch draft.generator.number(in: 0...99) {
    case 0..<34: return .play(rate: draft.generator.pick([1, 1, 1.5]), immediately: false)
    case 34..<52: return .pause
    case 52..<76: return .seek(to: drawPosition(), immediately: false)
    case 76..<80: return .play(rate: 1, immediately: true)
    case 80..<84: return .seek(to: drawPosition(), immediately: true)
    case 84..<90:
      return .suspend(
        reason: "scrubbing", length: draft.generator.number(in: .milliseconds(100)...(.seconds(4))),
        local: draft.generator.chance(0.4) ? drawPosition() : nil, proposing: draft.generator.chance(0.5) ? drawPosition() : nil)
    case 90..<94: return .stallPlayer(length: draft.generator.number(in: .milliseconds(100)...(.seconds(5))))
    default: return .move(to: draft.generator.chance(0.6) ? "X" : "Y", proposing: nil)
    }
  }

  private mutating func drawPosition() -> ItemTime { draft.generator.number(in: 0...(.seconds(3_000))) }
}
