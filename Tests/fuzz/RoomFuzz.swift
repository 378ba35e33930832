@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoCrypto
@testable import UnisonoReplica
@testable import UnisonoWire

/// A member that says whatever it likes, properly signed and sealed: what the others' rooms and registers make of it.
struct RoomFuzz {
  private var listener: SecureChannel
  private var liar: SecureChannel
  private var coordination: Coordination
  private var now: HostTime = .seconds(1_000)

  /// Everything up to the welcome; each input begins with a copy.
  private static let joined = RoomFuzz()

  static func run(_ bytes: [UInt8]) {
    var world = joined
    var reader = ByteReader(bytes)
    // Act, length, bytes; again and again.
    while let act = try? reader.integer(UInt8.self), let length = try? reader.integer(UInt8.self) {
      let count = min(reader.remaining, Int(length) << (act & 0x80 == 0 ? 0 : 4))
      guard let part = try? reader.array(count) else { return }
      world.act(act & 0x7F, part)
    }
  }

  private init() {
    func fixed(_ byte: UInt8) -> (Int) -> [UInt8] { { [UInt8](repeating: byte, count: $0) } }
    let (listening, lying) = (Identity(random: fixed(1)), Identity(random: fixed(2)))
    let origin = UnisonoCrypto.Origin(root: listening.id, controlPolicy: 0, joinerRole: 2)
    let door = Door(session: origin.session, secret: Secret(random: fixed(3)))
    listener = SecureChannel(door: door, identity: listening, root: listening.id, isCreator: true, random: fixed(4))
    liar = SecureChannel(door: door, identity: lying, root: listening.id, isCreator: false, random: fixed(5))
    coordination = Coordination(
      .init(
        local: listening.id, incarnation: 1, displayName: "Ann", deviceName: "", seed: 1, isCreator: true,
        policy: PolicyStack.origin, origin: origin.policy, hash: Hash.sha256, digestInput: StatementBody.digestInput,
        sign: { PolicySignature.sign($0, session: origin.session, author: listening.signing) }))
    let members = [Member(id: listening.id, connection: 1, age: 0), Member(id: lying.id, connection: 2, age: 0)]
    tell(.linkUp(members: [members[1]], clock: ClockID(high: 1, low: 1)))
    tell(.clock(ClockModel(hostTime: now, remoteTime: .seconds(50), errorBound: .milliseconds(1)), roundTrip: 1_000))
    take(listener.entered(members: [members[1]], now: now))
    tell(.participate)
    tell(.transition(to: "film", proposal: nil))
    var toLiar = listener.presence(joined: [members[1]], gone: [], now: now)
    var toListener = liar.entered(members: [members[0]], now: now)
    // Hello, welcome, introductions.
    for _ in 0..<3 {
      for case .transmit(let envelope, _) in toListener { toLiar += listener.received(envelope, now: now) }
      toListener = []
      for case .transmit(let envelope, _) in toLiar { toListener += liar.received(envelope, now: now) }
      toLiar = []
    }
    now = now.adding(.seconds(1))
    tell(.tick)
    tell(.changePolicy(.succession(SuccessionTerms(rule: .named, deputies: [lying.id], patience: .seconds(5)))))
  }

  private mutating func act(_ act: UInt8, _ bytes: [UInt8]) {
    switch act % 8 {
    case 0: say(bytes)
    case 1: say([InnerMessage.MessageType.update.rawValue] + item(1, signed(bytes)))
    case 2: state(bytes)
    case 3: say(bytes, unordered: true)
    case 4: tell(request(bytes))
    case 6: level(bytes)
    case 7: record(bytes)
    default:
      let step = bytes.prefix(6).reduce(Int64(0)) { $0 << 8 | Int64($1) }
      now = now.adding(step)
      take(listener.tick(now: now))
      tell(.tick)
    }
  }

  /// A statement whose register, key, stamp and value are as they come; policy and author are right.
  private mutating func state(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard let register = try? reader.integer(UInt8.self), let stamp = try? reader.array(8),
      let kind = try? reader.integer(UInt8.self)
    else { return }
    let key: [UInt8] =
      switch kind % 4 {
      case 0: []
      case 1: Array("film".utf8)
      case 2: liar.identity.id.bytes
      default: (try? reader.array(16)) ?? []
      }
    var body = item(1, [register])
    if !key.isEmpty { body += item(2, key) }
    body += item(3, liar.identity.id.bytes) + item(4, coordination.policy.id.bytes) + item(5, stamp) + item(6, reader.rest)
    say([InnerMessage.MessageType.update.rawValue] + item(1, signed(body)))
  }

  /// A level by the liar, who is a deputy, on the policy in force: a takeover at a time that comes, or items as they come.
  private mutating func level(_ bytes: [UInt8]) {
    let stack = coordination.policy
    let (identity, session) = (liar.identity, liar.door.scope.session)
    let sign: ([UInt8]) -> [UInt8] = { PolicySignature.sign($0, session: session, author: identity.signing) }
    let level: [UInt8]
    if bytes.first ?? 0 < 128, let terms = stack.levels.last?.terms {
      let time = bytes.dropFirst().prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
      level =
        PolicyLevel(
          author: liar.identity.id, basis: stack.id, time: max(time, .min + 1), terms: terms.taken(over: liar.identity.id), sign: sign,
          hash: Hash.sha256
        ).bytes
    } else {
      let body = item(1, liar.identity.id.bytes) + item(2, stack.id.bytes) + bytes.dropFirst()
      level = item(1, body) + item(2, sign(body))
    }
    say([InnerMessage.MessageType.update.rawValue] + item(3, level))
  }

  /// A roster record by the liar: right but for whom it admits and what it shows of its key, right in all, or with a body that comes.
  private mutating func record(_ bytes: [UInt8]) {
    guard let (current, entry, chain) = liar.records.present else { return }
    let (identity, scope, mode) = (liar.identity, liar.door.scope, bytes.first ?? 0)
    let rest = Array(bytes.dropFirst())
    let admitted = stride(from: 0, to: rest.count - rest.count % 16, by: 16).compactMap { ParticipantID(bytes: rest[$0..<($0 + 16)]) }
    var record: [UInt8]
    switch mode % 4 {
    case 0:
      record =
        RosterRecord.step(
          after: entry.record, roster: entry.roster, admitting: Array(admitted.prefix(64)), chain: chain, scope: scope,
          author: identity.signing
        ).record.bytes
    case 1:
      // It speaks there from now on, and tells it, or not.
      let told = liar.makeRecord(admitting: [], now: now) ?? []
      guard mode & 0x80 == 0 else { return }
      for case .transmit(let envelope, _) in told { take(listener.received(envelope, now: now)) }
      return
    default:
      var body = rest
      if mode % 4 == 2 {
        let number = withUnsafeBytes(of: (entry.record.number &+ 1).bigEndian) { Array($0) }
        body = item(1, [1]) + item(2, current.bytes) + item(3, number) + item(4, identity.id.bytes)
        body += item(5, admitted.flatMap(\.bytes)) + item(6, RosterRecord.rosterHash(entry.roster + admitted))
        body += item(8, Array((rest + [UInt8](repeating: 0, count: 32)).prefix(32)))
      }
      record = item(1, body) + item(2, identity.signing.sign(.record, scope.bytes + body))
    }
    say([InnerMessage.MessageType.epoch.rawValue] + item(1, record))
  }

  private func signed(_ body: [UInt8]) -> [UInt8] {
    let statement = StatementSignature.sign(body, session: liar.door.scope.session, author: liar.identity.signing)
    return item(1, statement.body) + item(2, statement.signature)
  }

  private func item(_ tag: UInt8, _ value: [UInt8]) -> [UInt8] {
    var writer = ItemWriter()
    writer.item(tag, value)
    return writer.bytes
  }

  private mutating func say(_ content: [UInt8], unordered: Bool = false) {
    guard !content.isEmpty else { return }
    for case .transmit(let envelope, _) in liar.send(to: nil, unordered: unordered, now: now, content: { _ in content })
    {
      take(listener.received(envelope, now: now))
    }
  }

  /// What the listener's own host does meanwhile.
  private func request(_ bytes: [UInt8]) -> CoordinationEvent {
    let number = bytes.dropFirst().prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    return switch (bytes.first ?? 0) % 6 {
    case 0: .rateChange(rate: 1, immediately: false)
    case 1: .rateChange(rate: 0, immediately: false)
    case 2: .seek(to: number == .min ? 0 : number, resumeImmediately: false)
    case 3: .completed(command: UInt64(bitPattern: number))
    case 4: .reapply
    default: .presence(joined: [], gone: [Departure(id: liar.identity.id, connection: 2, left: bytes.count % 2 == 0)])
    }
  }

  private mutating func tell(_ event: CoordinationEvent) {
    carryOut(coordination.handle(event, now: now))
    carryOut(coordination.settle(now: now))
  }

  private mutating func take(_ effects: [ChannelEffect]) {
    for effect in effects {
      switch effect {
      case .secured: tell(.secured)
      case .deliver(let message, let sender): tell(.message(message, from: sender))
      default: break
      }
    }
  }

  /// What the listener says of it is sealed, too.
  private mutating func carryOut(_ effects: [CoordinationEffect]) {
    for case .send(let message, let receiver) in effects { _ = listener.send(message, to: receiver, now: now) }
  }
}
