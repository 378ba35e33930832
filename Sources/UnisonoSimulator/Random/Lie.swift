import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoWire

/// Something that a member signs and sends though no honest one would: of a kind, with numbers drawn from a seed of its own.
///
/// A statement goes by way of its bytes: what no reader of the wire takes never arrives.
package struct Lie: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    /// Registers of the group, with stamps and numbers from all over.
    case rate, position, continuation, clock, terms, playlist, attachment
    /// What it says of itself.
    case itself
    case beat
    /// Questions without end, and answers that nobody asked for.
    case questions, answers
    /// It takes over as if no owner were there.
    case takeover
  }

  package var kind: Kind
  package var seed: UInt64
  /// How many of them at once.
  package var count: Int
  /// What it is said of, which the liar may have or not; nil: the session's first one.
  package var coordinator: CoordinatorName?

  func happen(to person: Person, in room: SimulatedSession) {
    var liar = Liar(person, of: coordinator, in: room, seed: seed)
    // One lie in four tells half of the others something else, with the same stamps.
    var other = seed % 4 == 0 ? Liar(person, of: coordinator, in: room, seed: ~seed) : nil
    let others = room.participants.filter { $0.id != person.id }.map { $0.id }
    for _ in 0..<count {
      let messages = liar.messages(kind)
      let otherwise = other?.messages(kind) ?? []
      for (index, message) in messages.enumerated() {
        guard index < otherwise.count, let second = liar.restamped(otherwise[index], as: message) else {
          room.send(message, of: coordinator, from: person.participant, to: nil)
          continue
        }
        for (number, receiver) in others.enumerated() {
          room.send(number % 2 == 0 ? message : second, of: coordinator, from: person.participant, to: receiver)
        }
      }
    }
  }
}

/// Makes what a liar sends, of what it knows.
private struct Liar {
  private let id: ParticipantID
  private let coordinator: CoordinatorName?
  /// Names that somebody has or had.
  private let coordinators: [CoordinatorName]
  private let policy: PolicyStack
  private let present: [ParticipantID]
  private let groupTime: GroupTime
  private let hub: ClockID
  private let registers: RegisterReading
  private let origin: PolicyOrigin
  private var generator: Xoshiro256

  init(_ person: Person, of coordinator: CoordinatorName?, in room: SimulatedSession, seed: UInt64) {
    id = person.id
    self.coordinator = coordinator
    coordinators = room.coordinators.keys.sorted()
    policy = person.participant.coordination.policy
    present = room.participants.map { $0.id }
    groupTime = room.groupTime
    hub = room.hubs[person.participant.link.hub].clock
    registers = RegisterReading(of: room.open(coordinator, of: person.participant) ?? person.participant, in: room)
    origin = PolicyOrigin(root: room.participants[0].id, control: .everyone)
    generator = Xoshiro256(seed: seed)
  }

  mutating func messages(_ kind: Lie.Kind) -> [CoordinationMessage] {
    switch kind {
    case .rate: update(.rate(drawItem()), .rate(drawRate()))
    case .position: update(.position(drawItem()), .position(drawPosition()))
    case .continuation: drawContinuation()
    case .clock:
      update(
        .clock(generator.chance(0.7) ? hub : ClockID(high: generator.next(), low: generator.next())),
        .clock(ClockValue(offset: drawTime(), error: generator.pick([0, 1, 1_000, ClockValue.guess, .max]))))
    case .terms: drawTerms()
    case .playlist: drawPlaylist()
    case .attachment:
      update(
        .attachment(AttachmentSlot(author: generator.pick(present), number: UInt8(generator.number(in: 0...15)))),
        .attachment(generator.chance(0.3) ? nil : drawAttachment()))
    case .itself: update(.participant(id), .participant(drawParticipant()))
    case .beat: [.beat(drawBeat())]
    case .questions: drawQuestions()
    case .answers: [.snapshot(generator.chance(0.3) ? nil : drawStatements())]
    case .takeover: drawTakeover()
    }
  }

  private mutating func update(_ key: RegisterKey, _ value: RegisterValue) -> [CoordinationMessage] {
    signed(key, value).map { [.update([$0])] } ?? []
  }

  private mutating func signed(_ key: RegisterKey, _ value: RegisterValue) -> Statement? {
    let original: Stamp? = generator.chance(0.1) ? Stamp(time: drawTime(), author: generator.pick(present)) : nil
    return readable(Statement(key: key, author: id, policy: policy.id, time: drawTime(), value: value, original: original))
  }

  /// As a reader would have it; nil: none would take it.
  private func readable(_ statement: Statement) -> Statement? {
    guard let body = try? StatementBody.encode(statement, of: coordinator) else { return nil }
    // Of two with one stamp the bytes decide.
    var signed = (try? StatementBody.decode(body, of: coordinator)) ?? nil
    signed?.signed = SignedStatement(body: body, signature: [])
    return signed
  }

  /// The statements of one message under the stamps of another's of the same registers, in their order; nil: there are none.
  func restamped(_ message: CoordinationMessage, as other: CoordinationMessage) -> CoordinationMessage? {
    guard case .update(let statements) = message, case .update(let models) = other, statements.count == models.count else {
      return nil
    }
    var restamped: [Statement] = []
    for (statement, model) in zip(statements, models) {
      var statement = statement
      statement.key = model.key
      statement.time = model.time
      statement.original = model.original
      guard let read = readable(statement) else { return nil }
      restamped.append(read)
    }
    return .update(restamped)
  }

  private mutating func drawStatements() -> [Statement] {
    let first = drawItem()
    let values: [(RegisterKey, RegisterValue)] = [
      (.rate(first), .rate(drawRate())), (.position(first), .position(drawPosition())),
      (.participant(id), .participant(drawParticipant())),
    ]
    return values.compactMap { signed($0.0, $0.1) }
  }

  // MARK: Numbers

  private mutating func drawItem() -> ItemID { generator.pick(["X", "X", "X", "Y", "Z"]) }

  /// Of now, of about now, and from all over.
  private mutating func drawTime() -> GroupTime {
    switch generator.number(in: 0...9) {
    case 0..<4: groupTime
    case 4: groupTime.adding(generator.number(in: -.seconds(2)...(.seconds(2))))
    case 5: groupTime.adding(generator.number(in: -.seconds(100)...(.seconds(100))))
    case 6: groupTime.adding(.seconds(3_600))
    case 7: groupTime.subtracting(.seconds(3_600))
    case 8: generator.pick([.min, .max, 0, -1])
    default: Int64(bitPattern: generator.next())
    }
  }

  private mutating func drawMaybeTime() -> GroupTime? { generator.chance(0.5) ? drawTime() : nil }

  private mutating func drawItemTime() -> ItemTime {
    generator.chance(0.5)
      ? generator.number(in: 0...(.seconds(3_000)))
      : generator.pick([.min, .max, -1, .seconds(1_000_000), Int64(bitPattern: generator.next())])
  }

  private mutating func drawNumber() -> Double { generator.pick([1, 0, -1, 16, -16, 1e-300, 0.001, 17, .infinity, .nan]) }

  private mutating func drawKey() -> CellKey {
    CellKey(
      policy: policy.id, rank: generator.pick([.nullProposal, .proposal, .command]),
      stamp: Stamp(time: drawTime(), author: generator.pick(present)))
  }

  private mutating func drawWaits() -> [Wait] {
    generator.chance(0.3) ? [Wait(reason: "scrubbing", limit: generator.pick([0, 1, .max]))] : []
  }

  private mutating func drawNamed() -> [ParticipantID] {
    generator.chance(0.2) ? present.filter { _ in generator.chance(0.5) }.sorted() : []
  }

  // MARK: Values

  private mutating func drawRate() -> RateValue {
    RateValue(
      rank: generator.pick([.nullProposal, .proposal, .command, .command]), rate: drawNumber(), at: drawItemTime(),
      basePosition: generator.chance(0.3) ? drawKey() : nil, snap: generator.chance(0.5), waits: drawWaits(),
      deadline: drawMaybeTime(), settle: drawMaybeTime(), readyUntil: drawMaybeTime(), named: drawNamed())
  }

  private mutating func drawPosition() -> PositionValue {
    PositionValue(
      rank: generator.pick([.nullProposal, .proposal, .command, .command]), position: drawItemTime(), waits: drawWaits(),
      deadline: drawMaybeTime(), readyUntil: drawMaybeTime(), named: drawNamed())
  }

  /// Mostly of the commands that are in force.
  private mutating func drawContinuation() -> [CoordinationMessage] {
    let item = drawItem()
    let pair = generator.chance(0.8) ? registers.pair(of: item) : Pair(rate: drawKey(), position: drawKey())
    guard let pair else { return [] }
    let kind: ContinuationValue.Kind
    switch generator.number(in: 0...3) {
    case 0: kind = .hold(at: drawItemTime(), deadline: drawTime())
    case 1: kind = .ended(at: drawItemTime())
    default:
      kind = .line(
        coverage: generator.pick([0, 1, 2, .max]), since: drawTime(), at: generator.chance(0.5) ? drawItemTime() : nil,
        prior: generator.chance(0.3) ? Line(at: drawItemTime(), rate: drawNumber(), since: drawTime()) : nil)
    }
    let sequence = generator.pick([0, 1, registers.step(on: item) &+ 1, registers.step(on: item) &+ 2, .max])
    return update(.continuation(item), .continuation(ContinuationValue(base: pair, sequence: sequence, kind: kind)))
  }

  private mutating func drawTerms() -> [CoordinationMessage] {
    switch generator.number(in: 0...3) {
    case 0:
      update(
        .stallPolicy,
        .stallPolicy(
          StallPolicy(waits: generator.chance(0.5), debounce: drawItemTime(), limit: generator.pick([0, .seconds(20), drawItemTime()]))))
    case 1:
      update(
        .startPolicy,
        .startPolicy(
          StartPolicy(
            waiting: generator.pick([.none, .first, .every]), limit: generator.pick([0, .seconds(20), .seconds(600), drawItemTime()]),
            leaving: generator.pick([.goOn, .pause]))))
    case 2: update(.actionAtEnd, .actionAtEnd(generator.pick([.advance, .pause, .none])))
    default: update(.activity, .activity(Activity(identifier: "film \(generator.number(in: 0...9))", lifetime: 0)))
    }
  }

  private mutating func drawPlaylist() -> [CoordinationMessage] {
    let entry = EntryID(high: generator.next() % 16, low: 1)
    if generator.chance(0.4) {
      let base: Stamp? = generator.chance(0.5) ? Stamp(time: drawTime(), author: generator.pick(present)) : nil
      return update(
        .playlistCurrent,
        .playlistCurrent(PlaylistCurrent(entry: entry, base: base, step: generator.pick([0, 1, .max]), isByEnd: generator.chance(0.5))))
    }
    guard let place = PlaylistPlace([UInt8(generator.number(in: 1...255))]) else { return [] }
    return update(
      .playlistEntry(entry),
      .playlistEntry(PlaylistEntry(place: place, item: drawItem(), added: drawTime(), title: "", copy: drawCopy())))
  }

  private mutating func drawCopy() -> Copy {
    let byte = UInt8(truncatingIfNeeded: generator.next())
    return Copy(
      duration: generator.pick([0, 1, .seconds(60), .max, -1]), size: generator.pick([0, 1, .max]),
      hash: generator.pick([[], [UInt8](repeating: byte, count: Copy.hashLength), [byte]]))
  }

  private mutating func drawAttachment() -> AttachmentValue {
    AttachmentValue(
      id: AttachmentID([UInt8](repeating: UInt8(generator.number(in: 0...255)), count: AttachmentID.length)) ?? .none,
      name: generator.pick(["a.vtt", "../a", "b"]), size: generator.pick([0, 1, 100_000_000, .max]))
  }

  private mutating func drawParticipant() -> ParticipantValue {
    var value = ParticipantValue(incarnation: generator.next(), displayName: "liar")
    value.item = generator.chance(0.8) ? drawItem() : nil
    value.availableSince = drawMaybeTime()
    if generator.chance(0.5), let pair = registers.pair(of: "X") {
      value.ready = .init(base: pair, sequence: generator.pick([0, 1, registers.step(on: "X"), .max]))
    }
    if generator.chance(0.3) { value.suspensions = [.init(reason: "scrubbing", since: drawTime(), status: -1)] }
    if generator.chance(0.4) { value.stalled = .init(at: drawItemTime(), since: drawTime()) }
    if generator.chance(0.2) { value.ended = .init(at: drawItemTime(), since: drawTime()) }
    if generator.chance(0.2) { value.apart = [.init(from: drawTime(), to: drawTime())] }
    value.waits = drawWaits()
    value.startLatency = generator.pick([0, .seconds(1), .max, .min])
    value.outputOffset = generator.pick([0, .max, .min])
    value.left = generator.chance(0.1)
    value.roleWish = UInt8(generator.number(in: 0...5))
    value.rate = drawNumber()
    value.position = drawItemTime()
    value.positionAt = drawMaybeTime()
    value.word = generator.pick([.notSaid, .ready, .notReady])
    if generator.chance(0.3) {
      let entry = EntryID(high: generator.next() % 16, low: 1)
      value.copy = StatedCopy(entry: entry, copy: drawCopy())
      value.state(CutOffset(entry: entry, offset: generator.pick([1, -CutOffset.greatest, .max, .min])))
    }
    // Some that it does not have, perhaps, and not all that it has.
    if coordinator == nil, !coordinators.isEmpty { value.coordinators = coordinators.filter { _ in generator.chance(0.5) } }
    return value
  }

  private mutating func drawBeat() -> Beat {
    let timing =
      generator.chance(0.7)
      ? Beat.Timing(
        sent: drawTime(), number: UInt32(truncatingIfNeeded: generator.next()),
        echoes: present.map { Beat.Echo(of: $0, number: UInt32(generator.number(in: 1...20)), received: drawTime()) },
        error: generator.pick([nil, 0, .max])) : nil
    return Beat(
      digest: (0..<32).map { _ in UInt8(truncatingIfNeeded: generator.next()) }, newestStamp: drawTime(),
      hubDelay: generator.pick([0, 1_000, .max]), clockError: generator.pick([0, 1_000, .max]), timing: timing,
      heard: [UInt8(truncatingIfNeeded: generator.next())])
  }

  private mutating func drawQuestions() -> [CoordinationMessage] {
    let keys: [RegisterKey] = [.rate("X"), .position("X"), .continuation("X"), .playlistCurrent]
    let entries = keys.map {
      HaveEntry(key: $0, stamp: Stamp(time: drawTime(), author: generator.pick(present)), sum: RegisterSum(high: 0, low: 0))
    }
    return generator.pick([[.want([])], [.want(keys)], [.have(entries)], [.have([])]])
  }

  private mutating func drawTakeover() -> [CoordinationMessage] {
    // Levels are the session's: no reader takes one that is said of a named coordinator.
    guard coordinator == nil else { return [] }
    let id = id
    let level = PolicyLevel(
      author: id, basis: policy.id, time: drawTime(), terms: policy.terms(origin: origin).taken(over: id),
      sign: { Signature.sign($0, by: id) }, hash: Digest.hash)
    return [.levels(policy.levels + [level])]
  }
}
