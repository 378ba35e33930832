import UnisonoBase
import UnisonoReplica

/// This participant's coordinators beside the session's first one, by name (coordination 2.22).
///
/// Each has registers of its own, for those alone who have one of the same name; link, membership, policies and group time are the
/// session's. It acts for itself alone until this participant is a member of the group.
package struct NamedCoordinations: ~Copyable {
  /// One step's effects, to be carried out in order.
  package typealias Effects = [(name: CoordinatorName, effects: [CoordinationEffect])]

  private final class Open {
    let name: CoordinatorName
    private var stored: Coordination
    /// Tells it from another of its name, before or after it.
    let firstCommand: UInt64
    /// Who has one of this name, as it was told, with the number of each one's connection.
    var others: [ParticipantID: UInt64] = [:]
    /// It knows of the link by now.
    var isLinked = false

    init(_ name: CoordinatorName, _ configuration: Coordination.Configuration) {
      self.name = name
      stored = Coordination(configuration)
      firstCommand = configuration.firstCommand
    }

    /// Read in place: a copy for each question of a turn would cost more than most answers.
    var coordination: Coordination {
      _read { yield stored }
      _modify { yield &stored }
    }

    /// What an event of the session's coordination is to this one; nil: nothing. Of a new link it hears once the session's group is met.
    func event(_ event: CoordinationEvent) -> CoordinationEvent? {
      switch event {
      case .tick: return event
      case .linkDown, .secured: return isLinked ? event : nil
      case .moved(let members, let hub): return isLinked ? .moved(members: members.filter { others[$0.id] != nil }, clock: hub) : nil
      case .presence(let joined, let gone):
        let (here, away) = (joined.filter { others[$0.id] != nil }, gone.filter { others[$0.id] != nil })
        return isLinked && !(here.isEmpty && away.isEmpty) ? .presence(joined: here, gone: away) : nil
      case .missed(let ids):
        let these = ids.filter { others[$0] != nil }
        return isLinked && !these.isEmpty ? .missed(these) : nil
      default: return nil
      }
    }
  }

  /// The room at the hub.
  package struct Surroundings {
    /// The number of each one's connection.
    let members: [ParticipantID: UInt64]
    let hub: ClockID

    package init(members: [ParticipantID: UInt64], hub: ClockID) {
      self.members = members
      self.hub = hub
    }

    fileprivate func members(of ids: Set<ParticipantID>) -> [Member] {
      ids.sorted().compactMap { id in members[id].map { Member(id: id, connection: $0, age: 0) } }
    }
  }

  /// In the order of their names.
  private var open: [Open] = []

  package init() {}

  package var names: Set<CoordinatorName> { Set(open.lazy.map { $0.name }) }
  package var isEmpty: Bool { open.isEmpty }
  package var isPlaying: Bool { open.contains { $0.coordination.isPlaying } }
  package var authors: Set<ParticipantID> { open.reduce(into: []) { $0.formUnion($1.coordination.authors) } }
  package var nextWake: HostTime? { open.lazy.compactMap { $0.coordination.nextWake }.min() }

  private func one(_ name: CoordinatorName) -> Open? { open.first { $0.name == name } }

  package func has(_ name: CoordinatorName) -> Bool { one(name) != nil }

  /// Something of one of them, read in place.
  package func read<Value>(_ name: CoordinatorName, _ what: (inout Coordination) -> Value) -> Value? {
    one(name).map { what(&$0.coordination) }
  }

  /// One of its name that is still there is forgotten.
  ///
  /// - Parameters:
  ///   - session: what the session's coordination was made of.
  ///   - firstCommand: of those that its host gets; no other coordinator here has had it.
  ///   - digestInput: what digests hash of a statement that is said of this name.
  package mutating func add(
    _ name: CoordinatorName, of session: Coordination.Configuration, firstCommand: UInt64,
    digestInput: @escaping @Sendable (Statement) -> [UInt8]
  ) {
    var configuration = session
    configuration.isNamed = true
    (configuration.firstCommand, configuration.isCreator, configuration.participates) = (firstCommand, false, true)
    (configuration.roleWish, configuration.succession) = (nil, nil)
    configuration.digestInput = digestInput
    open.removeAll { $0.name == name }
    open.append(Open(name, configuration))
    open.sort { $0.name < $1.name }
  }

  /// Says goodbye to the others of this name, unless that is another's by now.
  package mutating func remove(_ name: CoordinatorName, firstCommand: UInt64, _ session: borrowing Coordination, now: HostTime) -> Effects {
    guard one(name)?.firstCommand == firstCommand else { return [] }
    let effects = handle(.leave, of: name, session, now: now)
    open.removeAll { $0.name == name }
    return effects
  }

  /// What others told one of them: who does not say to have one of its name has no say in it, and who has just opened one is met first.
  package mutating func receive(
    _ message: CoordinationMessage, from sender: ParticipantID, of name: CoordinatorName, _ session: borrowing Coordination,
    _ surroundings: Surroundings?, now: HostTime
  ) -> Effects {
    guard let one = one(name), session.has(name, sender) == true else { return [] }
    let isMet = one.others[sender] != nil
    var effects = isMet ? [] : meet(one, session, surroundings, now: now)
    if let connection = one.others[sender], one.coordination.isGone(sender) {
      // It closed its own and has another one by now, of which the session's list, read at once, tells nothing.
      let again = Member(id: sender, connection: connection, age: 0)
      effects += handle(.presence(joined: [again], gone: []), of: name, session, now: now)
    }
    return effects + handle(.message(message, from: sender), of: name, session, now: now)
  }

  /// What one of them was asked.
  package mutating func handle(
    _ event: CoordinationEvent, of name: CoordinatorName, _ session: borrowing Coordination, now: HostTime
  ) -> Effects {
    guard let one = one(name) else { return [] }
    let followed = one.coordination.follow(session, now: now)
    return [(name, followed + one.coordination.handle(event, now: now))]
  }

  /// What the session's coordination was told of link, others and time.
  package mutating func follow(_ event: CoordinationEvent, _ session: borrowing Coordination, now: HostTime) -> Effects {
    var effects: Effects = []
    for one in open {
      guard let event = one.event(event) else { continue }
      if case .linkDown = event { one.isLinked = false }
      effects += handle(event, of: one.name, session, now: now)
    }
    return effects
  }

  /// Ends a loop turn, after the session's coordination has.
  package mutating func settle(_ session: borrowing Coordination, _ surroundings: Surroundings?, now: HostTime) -> Effects {
    var effects: Effects = []
    for one in open {
      effects += meet(one, session, surroundings, now: now)
      effects.append((one.name, one.coordination.follow(session, now: now)))
      effects.append((one.name, one.coordination.settle(now: now)))
    }
    return effects
  }

  /// Who has one of this name by now, and has none any more.
  private mutating func meet(_ one: Open, _ session: borrowing Coordination, _ surroundings: Surroundings?, now: HostTime) -> Effects {
    guard let surroundings, session.isConnected else { return [] }
    let (name, before) = (one.name, Set(one.others.keys))
    var others: Set<ParticipantID> = []
    for (id, connection) in surroundings.members where session.has(name, id) == true {
      others.insert(id)
      one.others[id] = connection
    }
    for id in before where session.has(name, id) != true { one.others[id] = nil }
    guard one.isLinked else {
      one.isLinked = true
      let members = surroundings.members(of: others)
      return handle(.linkUp(members: members, clock: surroundings.hub), of: name, session, now: now)
        + handle(.secured, of: name, session, now: now)
    }
    let joined = surroundings.members(of: others.subtracting(before))
    var gone: [Departure] = []
    for id in before.subtracting(others).sorted() where session.has(name, id) != true {
      gone.append(Departure(id: id, connection: .max, left: session.has(name, id) == false))
    }
    guard !joined.isEmpty || !gone.isEmpty else { return [] }
    return handle(.presence(joined: joined, gone: gone), of: name, session, now: now)
  }
}
