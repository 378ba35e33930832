@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

/// Random policies of few owners at few times, so that races and ties are common.
struct PolicyMaker {
  var random: SplitMix64
  let origin: PolicyOrigin
  static let originID = PolicyID(high: 7, low: 7)

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    origin = PolicyOrigin(root: Self.id(1), control: .perRole, joinerRole: .member)
  }

  static func id(_ number: UInt64) -> ParticipantID { ParticipantID(high: number, low: 0) }

  var empty: PolicyOrder { PolicyOrder(origin: Self.originID, terms: origin, hash: RuleHarness.hash) }

  static func sign(_ body: [UInt8]) -> [UInt8] { RuleHarness.hash(body) + RuleHarness.hash(body) }

  /// What `author` says at `time` on top of what is in force in `order`; nil: it may not.
  func level(in order: PolicyOrder, by author: ParticipantID, at time: GroupTime, _ change: PolicyChange)
    -> PolicyLevel?
  {
    var terms = order.terms
    guard (try? change.apply(to: &terms, by: author, joinerRole: origin.joinerRole)) != nil else { return nil }
    return order.level(by: author, time: time, terms: terms, sign: Self.sign)
  }

  /// A random act of one of the owners.
  mutating func act(in order: PolicyOrder) -> PolicyLevel? {
    let author = order.terms.owners.randomElement(using: &random) ?? .none
    let other = Self.id(UInt64.random(in: 1...6, using: &random))
    let time = Int64.random(in: 1...4, using: &random)
    let change: PolicyChange
    switch Int.random(in: 0...3, using: &random) {
    case 0: change = .role(other, .owner)
    case 1: change = .role(other, [.viewer, .member, .host].randomElement(using: &random) ?? .viewer)
    case 2: change = .control(ControlPolicy.allCases.randomElement(using: &random) ?? .everyone)
    default:
      change = .removal(
        [other], topic: [UInt8](repeating: UInt8(time), count: 32), founding: RecordID(bytes: [UInt8](repeating: UInt8(time), count: 32)) ?? .none,
        leaving: [order.terms.topic])
    }
    return level(in: order, by: author, at: time, change)
  }

  /// Levels made at several places that hear little of each other.
  mutating func levels() -> [PolicyLevel] {
    var places = [empty, empty, empty]
    var all: [PolicyLevel] = []
    for _ in 0..<Int.random(in: 1...7, using: &random) {
      let place = Int.random(in: 0..<places.count, using: &random)
      if let level = act(in: places[place]) {
        places[place].add([level])
        all.append(level)
      }
      if Bool.random(using: &random) { places[Int.random(in: 0..<places.count, using: &random)].add(all) }
    }
    return all
  }
}
