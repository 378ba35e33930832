import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

@Suite struct CommandRequestsTests {
  private let ids = (UInt64(1)...9).map { ParticipantID(high: $0, low: 0) }
  private var asker: ParticipantID { ids[0] }
  private let pause = CommandRequest(.pause, item: "X", text: "the door")

  /// The asker, and those who may command, each with its requests.
  private struct RuleHarness {
    var parties: [ParticipantID: CommandRequests]
    var told: [ParticipantID: [CommandRequestNews]] = [:]
    var done: [ParticipantID: [CommandRequest]] = [:]
    var now: HostTime = 0
    let commanders: [ParticipantID]

    init(_ ids: [ParticipantID], commanders: [ParticipantID]) {
      parties = Dictionary(uniqueKeysWithValues: ids.map { ($0, CommandRequests(local: $0)) })
      self.commanders = commanders
    }

    mutating func carryOut(_ effects: [CommandRequests.Effect], of id: ParticipantID) {
      for effect in effects {
        switch effect {
        case .tell(let news): told[id, default: []].append(news)
        case .carryOut(let request): done[id, default: []].append(request)
        case .dropped: break
        case .send(let message, let to):
          for other in to { deliver(message, from: id, to: other) }
        }
      }
    }

    mutating func deliver(_ message: CommandRequestMessage, from sender: ParticipantID, to id: ParticipantID) {
      guard var party = parties[id] else { return }
      var effects: [CommandRequests.Effect] = []
      switch message {
      case .request(let number, let request):
        effects = party.take(
          number, request, from: sender, mayCommand: commanders.contains(id), isEntitled: !commanders.contains(sender),
          now: now)
      case .answer(let asker, let number, let isGranted):
        effects = party.take(
          answerTo: asker, number, isGranted: isGranted, from: sender, mayCommand: commanders.contains(sender))
      }
      parties[id] = party
      carryOut(effects, of: id)
    }

    mutating func ask(_ request: CommandRequest, number: UInt64, by id: ParticipantID) throws {
      var party = parties[id] ?? CommandRequests(local: id)
      let effects = try party.ask(request, number: number, of: commanders, now: now)
      parties[id] = party
      carryOut(effects, of: id)
    }

    mutating func answer(_ asker: ParticipantID, _ number: UInt64, _ isGranted: Bool, by id: ParticipantID) throws {
      var party = parties[id] ?? CommandRequests(local: id)
      let effects = try party.answer(asker, number, isGranted: isGranted, commanders: commanders)
      parties[id] = party
      carryOut(effects, of: id)
    }

    mutating func wait(_ time: Nanoseconds) {
      now += time
      for id in parties.keys.sorted() { carryOut(parties[id]?.tick(now: now) ?? [], of: id) }
    }

    func statuses(of id: ParticipantID) -> [CommandRequestStatus] { told[id, default: []].map(\.status) }
  }

  private func room() -> RuleHarness { RuleHarness(Array(ids.prefix(4)), commanders: [ids[1], ids[2]]) }

  @Test("P12: all who may command are asked, the first who grants it does it, and everybody learns of that once")
  func granted() throws {
    var room = room()
    try room.ask(pause, number: 1, by: asker)
    #expect(room.statuses(of: ids[1]) == [.open] && room.statuses(of: ids[2]) == [.open])
    #expect(room.told[ids[3]] == nil)
    #expect(room.told[ids[1]]?.first?.request == pause && room.told[ids[1]]?.first?.asker == asker)
    try room.answer(asker, 1, true, by: ids[2])
    #expect(room.done == [ids[2]: [pause]])
    #expect(room.statuses(of: asker) == [.granted] && room.told[asker]?.first?.answerer == ids[2])
    #expect(room.statuses(of: ids[1]) == [.open, .granted])
    #expect(throws: CommandRequests.Refusal.notOpen) { try room.answer(asker, 1, true, by: ids[2]) }
    #expect(throws: CommandRequests.Refusal.notOpen) { try room.answer(asker, 1, true, by: ids[1]) }
    room.wait(.seconds(100))
    #expect(room.statuses(of: asker).count == 1 && room.done.count == 1)
  }

  @Test("P12: it is declined when all have declined or gone, and unanswered after thirty seconds")
  func declined() throws {
    var room = room()
    try room.ask(pause, number: 1, by: asker)
    try room.answer(asker, 1, false, by: ids[1])
    #expect(room.told[asker] == nil && room.statuses(of: ids[2]) == [.open])
    try room.answer(asker, 1, false, by: ids[2])
    #expect(room.statuses(of: asker) == [.declined] && room.told[asker]?.first?.answerer == ids[2])
    try room.ask(pause, number: 2, by: asker)
    try room.answer(asker, 2, false, by: ids[1])
    room.carryOut(room.parties[asker]?.forget([ids[2]]) ?? [], of: asker)
    #expect(room.statuses(of: asker) == [.declined, .declined])
    room.wait(.seconds(31))
    room.told = [:]
    try room.ask(pause, number: 3, by: asker)
    room.wait(.seconds(29))
    #expect(room.told[asker] == nil)
    room.wait(.seconds(1))
    for id in [asker, ids[1], ids[2]] { #expect(room.told[id]?.last?.status == .unanswered) }
    #expect(throws: CommandRequests.Refusal.notOpen) { try room.answer(asker, 3, true, by: ids[1]) }
  }

  @Test("P12: who asks is gone, or nobody who may command is there: it ends, and is refused")
  func nobody() throws {
    var room = room()
    try room.ask(pause, number: 1, by: asker)
    room.carryOut(room.parties[ids[1]]?.forget([asker]) ?? [], of: ids[1])
    #expect(room.statuses(of: ids[1]) == [.open, .unanswered])
    room.carryOut(room.parties[asker]?.forget([ids[1], ids[2]]) ?? [], of: asker)
    #expect(room.statuses(of: asker) == [.unanswered])
    var lonely = CommandRequests(local: asker)
    #expect(throws: CommandRequests.Refusal.nobody) { try lonely.ask(pause, number: 1, of: [], now: 0) }
    #expect(throws: CommandRequests.Refusal.nobody) { try lonely.ask(pause, number: 1, of: [asker], now: 0) }
  }

  @Test("P12: a member that asks without end is heard four at a time and eight in ten seconds, and costs nothing more")
  func flood() {
    var party = CommandRequests(local: ids[1])
    var told = 0
    for number in UInt64(1)...10_000 {
      for effect in party.take(
        number, pause, from: asker, mayCommand: true, isEntitled: true, now: .milliseconds(Int64(number / 10)))
      {
        if case .tell = effect { told += 1 }
      }
    }
    #expect(told == CommandRequests.openLimit && party.answerable.count == CommandRequests.openLimit)
    // Another one is heard all the same.
    let other = party.take(1, pause, from: ids[2], mayCommand: true, isEntitled: true, now: .seconds(1))
    #expect(other.count == 1)
    // Of all askers together no more are open than the limit.
    for index in UInt64(0)..<400 {
      let id = ParticipantID(high: 77, low: index)
      _ = party.take(1, pause, from: id, mayCommand: true, isEntitled: true, now: .seconds(1))
    }
    #expect(party.answerable.count == CommandRequests.totalLimit)
  }

  @Test("P12: copies, requests of one who may command, and to one who may not, and false answers change nothing")
  func refused() throws {
    var room = room()
    try room.ask(pause, number: 5, by: asker)
    // A copy, and an older number.
    for number in [UInt64(5), 4] { room.deliver(.request(number: number, pause), from: asker, to: ids[1]) }
    room.deliver(.request(number: 1, pause), from: ids[2], to: ids[1])
    room.deliver(.request(number: 1, pause), from: asker, to: ids[3])
    #expect(room.statuses(of: ids[1]) == [.open] && room.told[ids[3]] == nil)
    // Who may not command cannot say that it was granted, to the asker or to the others.
    for id in [asker, ids[1]] {
      room.deliver(.answer(asker: asker, number: 5, isGranted: true), from: ids[3], to: id)
    }
    room.deliver(.answer(asker: asker, number: 6, isGranted: true), from: ids[1], to: asker)
    #expect(room.told[asker] == nil && room.statuses(of: ids[1]) == [.open])
    #expect(room.parties[ids[1]]?.answerable.count == 1)
  }
}
