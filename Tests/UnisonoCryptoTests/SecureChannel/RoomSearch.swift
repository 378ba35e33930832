import UnisonoBase
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto

/// One random room: a hub that hides and drops, a member that lies, a stranger with the invite, newcomers, links that break, removals;
/// then an honest hub. The owner is honest, and everybody goes on to talk.
final class RoomSearch {
  /// What an honest member said that somebody could read who is not on its roster, or was removed.
  private(set) var unlisted: String?
  /// Whether all honest ones spoke in one record and heard each other, within 60 s of the honest hub.
  private(set) var isOne = false
  /// How long that took.
  private(set) var mended: Nanoseconds = 0
  /// What was tried, for whoever looks into a seed.
  private(set) var steps: [String] = []
  /// How often somebody was let in, the owner removed one, and the liar told two records on one parent.
  private(set) var counts = (secured: 0, removals: 0, lies: 0)

  private let world: RoomWorld
  private var dice: RoomWorld.Dice
  private var owner: RoomWorld.Node
  private var liar: RoomWorld.Node?
  /// Who was removed, or not named by a re-key as no owner knew of it: it keeps what it has, and tries to read on.
  private var out: [RoomWorld.Node] = []
  private var strangers: [Stranger] = []
  /// From whom to whom the hub drops everything, by places in `world.nodes`.
  private var dropped: Set<[Int]> = []
  private var writer: LevelWriter?
  /// Door of the present room, where it is not the first.
  private var door: Door?

  init(seed: UInt64) {
    world = RoomWorld(seed: seed)
    dice = RoomWorld.Dice(seed: seed ^ 0x5EA_4C4)
    let count = Int.random(in: 2...4, using: &dice)
    let room = world.room(of: count)
    owner = room[0]
    for (index, node) in world.nodes.enumerated() { node.label = index }
    if Bool.random(using: &dice) { liar = room[count - 1] }
    world.drops = { [unowned self] speaker, listener in
      speaker.room.door.topic != listener.room.door.topic || dropped.contains([speaker.label, listener.label])
    }
    if Int.random(in: 0..<3, using: &dice) == 0 { addStranger() }
  }

  /// Members and guests that do what the specification says. Who was told that nobody answers, as the hub showed it a stranger alone, asks
  /// nobody any more: its host would join anew.
  private var honest: [RoomWorld.Node] {
    world.nodes.filter { node in
      node.takes == nil && node !== liar && node.unanswered == 0 && !out.contains { $0 === node }
    }
  }

  func run() {
    for _ in 0..<Int.random(in: 10...25, using: &dice) {
      act()
      talk(for: .seconds(Int64.random(in: 1...8, using: &dice)))
      guard unlisted == nil else { return }
    }
    mend()
  }

  /// Nothing more is asked of it.
  func close() { world.close() }

  // MARK: What goes wrong

  private func act() {
    let here = world.nodes.filter { $0.room.door.topic == owner.room.door.topic }
    guard let one = here.randomElement(using: &dice), let other = here.randomElement(using: &dice) else { return }
    switch Int.random(in: 0..<14, using: &dice) {
    case 0...2 where one !== other:
      steps.append("drop \(one.label) > \(other.label)")
      dropped.insert([one.label, other.label])
    case 3 where one !== other:
      steps.append("drop \(one.label) | \(other.label)")
      dropped.formUnion([[one.label, other.label], [other.label, one.label]])
    case 4:
      steps.append("nothing is dropped")
      dropped = []
    case 5...6 where world.nodes.count < 9: hideNewcomer(from: here)
    case 7 where world.nodes.count < 9: enter(add(), seenBy: nil)
    case 8...9 where one !== owner && one.takes == nil && !out.contains { $0 === one }:
      steps.append(one.isLinked ? "cut \(one.label)" : "back \(one.label)")
      if one.isLinked { world.cut(one) } else { enter(one, seenBy: nil) }
    case 10...11: lie()
    case 12:
      steps.append("noise")
      strangers.randomElement(using: &dice).map { world.forward($0.garbage(EpochID(high: dice.next(), low: 1)), from: $0.node) }
    case 13 where one !== owner && one.takes == nil && out.isEmpty && owner.isLinked: remove(one)
    default: talk(for: .seconds(Int64.random(in: 5...70, using: &dice)))
    }
  }

  private func add() -> RoomWorld.Node {
    let node = world.add(door: door)
    node.label = world.nodes.count - 1
    return node
  }

  private func enter(_ node: RoomWorld.Node, seenBy: [RoomWorld.Node]?) {
    let topic = node.room.door.topic
    let others = (seenBy ?? world.nodes).filter { $0.room.door.topic == topic }
    steps.append("enter \(node.label), seen by \(others.map(\.label))")
    world.enter(node, seenBy: others)
  }

  /// The hub shows a newcomer to some alone, and keeps what it says, and what they say of it, from the others.
  private func hideNewcomer(from here: [RoomWorld.Node]) {
    let (guest, welcomers) = (add(), here.filter { _ in Int.random(in: 0..<3, using: &dice) == 0 })
    let others = here.filter { node in !welcomers.contains { $0 === node } }
    for other in others { dropped.insert([guest.label, other.label]) }
    for welcomer in welcomers where Bool.random(using: &dice) {
      for other in others { dropped.insert([welcomer.label, other.label]) }
    }
    enter(guest, seenBy: welcomers)
  }

  private func addStranger(at door: Door? = nil) {
    let stranger = Stranger(in: world, entering: false, door: door)
    stranger.node.label = world.nodes.count - 1
    let known = world.nodes.filter { $0.takes == nil }
    stranger.answers { [unowned stranger] in stranger.claims(known, to: $0) }
    strangers.append(stranger)
    enter(stranger.node, seenBy: nil)
  }

  /// The liar tells some of a record, which lets somebody in or nobody, and others of another one on the same parent.
  private func lie() {
    guard let liar, liar.isLinked, liar.record != nil else { return }
    var branches: [SecureChannel] = []
    for _ in 0..<2 {
      var channel = liar.room
      let invented = Introduction(Identity { [unowned self] in dice.bytes($0) }, session: channel.door.scope.session)
      _ = channel.introduce(invented, by: invented.id, now: world.now)
      let effects = channel.makeRecord(admitting: Bool.random(using: &dice) ? [invented] : [], now: world.now) ?? []
      let told = world.nodes.filter { $0 !== liar && $0.takes == nil && $0.isLinked && Bool.random(using: &dice) }
      steps.append("\(liar.label) lies to \(told.map(\.label))")
      for case .transmit(let envelope, _) in effects {
        for node in told where node.room.door.topic == channel.door.topic { world.inject(envelope, into: node) }
      }
      branches.append(channel)
    }
    counts.lies += 1
    if let branch = branches.randomElement(using: &dice) { liar.room = branch }
  }

  /// The owner begins another room without one. Who is named is handed it now, or at the old door when it comes back: that is 6.6 and 6.8,
  /// which have tests of their own. The removed one keeps its keys, and helps a stranger who has the new invite.
  private func remove(_ one: RoomWorld.Node) {
    let secrets = owner.room.makeRoom(without: [one.id], basis: PolicyStack.origin, now: world.now)
    let writer = writer ?? LevelWriter(owner, session: world.door.scope.session)
    let place = secrets.place(in: world.door.scope.session)
    guard let level = writer.level(
      .removal([one.id], topic: place.topic, founding: secrets.founding.id, leaving: [owner.room.door.topic]))
    else { return }
    let named = world.nodes.filter { $0.takes == nil && secrets.founding.body.admitted.contains($0.id) }
    steps.append("remove \(one.label), to \(named.map(\.label))")
    out += world.nodes.filter { node in node.takes == nil && !named.contains { $0 === node } }
    let linked = named.filter(\.isLinked)
    for node in named {
      if node.isLinked { world.cut(node) }
      node.room.setPolicy(levels: [level])
      node.room = node.room.relocated(to: secrets, now: world.now)
    }
    for node in out where node.isLinked { world.cut(node) }
    world.run(.milliseconds(100))
    door = place
    if Bool.random(using: &dice) { addStranger(at: place) }
    for node in linked { enter(node, seenBy: nil) }
    counts.removals += 1
  }

  // MARK: What must hold

  /// Everybody says something every 4 s.
  private func talk(for length: Nanoseconds) {
    let end = world.now + length
    while world.now < end {
      for node in world.nodes where node.isLinked && node.takes == nil {
        world.say(node)
        judge(node)
      }
      world.run(min(.seconds(4), end - world.now))
    }
  }

  /// Whoever can read what an honest one just said is on its roster, and was not removed.
  private func judge(_ speaker: RoomWorld.Node) {
    guard let record = speaker.record, honest.contains(where: { $0 === speaker }) else { return }
    let (roster, removed) = (speaker.room.roster, speaker.room.policy.removed)
    for reader in world.nodes where reader !== speaker {
      var records = reader.room.records
      guard records.key(of: record, now: world.now) != nil else { continue }
      if !roster.contains(reader.id) || removed.contains(reader.id) {
        unlisted = unlisted ?? "\(reader.label) reads \(speaker.label)"
      }
    }
  }

  /// The hub shows everybody, and drops nothing, from now on. The liar goes on.
  private func mend() {
    dropped = []
    steps.append("honest")
    for node in honest where !node.isLinked { enter(node, seenBy: nil) }
    enter(add(), seenBy: nil)
    let here = world.nodes.filter { $0.isLinked && $0.room.door.topic == owner.room.door.topic }
    for (index, node) in here.enumerated() {
      for other in here[(index + 1)...] { world.meet(node, other) }
    }
    let (begun, honest) = (world.now, honest)
    while world.now - begun < .seconds(60), !isOne, unlisted == nil {
      if Int.random(in: 0..<4, using: &dice) == 0 { lie() }
      talk(for: .seconds(2))
      isOne = Set(honest.map(\.record)).count == 1 && owner.record != nil && hearEachOther(honest)
      mended = world.now - begun
    }
    counts.secured = world.nodes.count { $0.secured > 0 }
  }

  private func hearEachOther(_ nodes: [RoomWorld.Node]) -> Bool {
    let said = nodes.map { ($0, world.say($0)) }
    world.run(world.delay * 2 + 1)
    return nodes.allSatisfy { listener in
      said.allSatisfy { $0.0 === listener || listener.numbers(from: $0.0).contains($0.1) }
    }
  }

  /// Where everybody is, for whoever looks into a seed.
  var standing: String {
    world.nodes.map { node in
      "\(node.label)\(node === liar ? " liar" : node.takes != nil ? " stranger" : out.contains { $0 === node } ? " out" : ""): "
        + "\(node.number.map(String.init) ?? "-") \(node.record.map { "\($0.epoch)" } ?? "") \(node.isLinked ? "here" : "away")"
    }.joined(separator: "; ")
  }
}
