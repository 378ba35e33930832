import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// What a coordinator beside the session's first one has to tell its host.
package enum CoordinatorNews: Sendable {
  case playback(PlaybackEffect)
  case participants(ParticipantsChange)
  case refused(operation: Operation, status: CoordinationStatus, message: String)
}

/// This participant's coordinators beside the session's first one, by name (coordination 2.22).
///
/// Each has registers of its own, for those alone who have one of the same name; link, membership, policies and group time are the
/// session's. It acts for itself alone until this participant is a member of the group.
struct NamedCoordinations {
  /// One step's effects, to be carried out in order.
  typealias Effects = [(name: CoordinatorName, effects: [CoordinationEffect])]

  private struct Open {
    var coordination: Coordination
    /// Tells it from another of its name, before or after it.
    let firstCommand: UInt64
    /// Who has one of this name, as it was told.
    var others: Set<ParticipantID> = []
    /// It knows of the link by now.
    var isLinked = false
    let deliver: (CoordinatorNews) -> Void

    /// What an event of the session's coordination is to this one; nil: nothing. Of a new link it hears once the session's group is met.
    func event(_ event: CoordinationEvent) -> CoordinationEvent? {
      switch event {
      case .tick: return event
      case .linkDown, .secured: return isLinked ? event : nil
      case .moved(let members, let hub): return isLinked ? .moved(members: members.filter { others.contains($0.id) }, clock: hub) : nil
      case .presence(let joined, let gone):
        let (here, away) = (joined.filter { others.contains($0.id) }, gone.filter { others.contains($0.id) })
        return isLinked && !(here.isEmpty && away.isEmpty) ? .presence(joined: here, gone: away) : nil
      case .missed(let ids):
        let these = ids.filter { others.contains($0) }
        return isLinked && !these.isEmpty ? .missed(these) : nil
      default: return nil
      }
    }
  }

  /// The room at the hub.
  struct Surroundings {
    /// The number of each one's connection.
    var members: [ParticipantID: UInt64]
    var hub: ClockID

    func members(of ids: Set<ParticipantID>) -> [Member] {
      ids.sorted().compactMap { id in members[id].map { Member(id: id, connection: $0, age: 0) } }
    }
  }

  private var open: [CoordinatorName: Open] = [:]

  var names: Set<CoordinatorName> { Set(open.keys) }
  var isEmpty: Bool { open.isEmpty }
  var isPlaying: Bool { open.values.contains { $0.coordination.isPlaying } }
  var authors: Set<ParticipantID> { open.values.reduce(into: []) { $0.formUnion($1.coordination.authors) } }
  var nextWake: HostTime? { open.values.compactMap { $0.coordination.nextWake }.min() }

  func view(of name: CoordinatorName) -> CoordinationView? { open[name]?.coordination.view }
  func deliver(_ news: CoordinatorNews, of name: CoordinatorName) { open[name]?.deliver(news) }

  /// One of its name that is still there is forgotten.
  mutating func add(_ name: CoordinatorName, _ configuration: Coordination.Configuration, deliver: @escaping (CoordinatorNews) -> Void) {
    open[name] = Open(coordination: Coordination(configuration), firstCommand: configuration.firstCommand, deliver: deliver)
  }

  /// Says goodbye to the others of this name, unless that is another's by now.
  mutating func remove(_ name: CoordinatorName, firstCommand: UInt64, _ session: Coordination, now: HostTime) -> Effects {
    guard open[name]?.firstCommand == firstCommand else { return [] }
    let effects = handle(.leave, of: name, session, now: now)
    open[name] = nil
    return effects
  }

  /// What one of them was asked, or told by others: who does not say to have one of its name has no say in it.
  mutating func handle(_ event: CoordinationEvent, of name: CoordinatorName, _ session: Coordination, now: HostTime) -> Effects {
    guard open[name] != nil else { return [] }
    if case .message(_, let sender) = event, session.has(name, sender) != true { return [] }
    var effects = open[name]?.coordination.follow(session, now: now) ?? []
    effects += open[name]?.coordination.handle(event, now: now) ?? []
    return [(name, effects)]
  }

  /// What the session's coordination was told of link, others and time.
  mutating func follow(_ event: CoordinationEvent, _ session: Coordination, now: HostTime) -> Effects {
    var effects: Effects = []
    for name in open.keys.sorted() {
      guard let one = open[name], let event = one.event(event) else { continue }
      if case .linkDown = event { open[name]?.isLinked = false }
      effects += handle(event, of: name, session, now: now)
    }
    return effects
  }

  /// Ends a loop turn, after the session's coordination has.
  mutating func settle(_ session: Coordination, _ surroundings: Surroundings?, now: HostTime) -> Effects {
    var effects: Effects = []
    for name in open.keys.sorted() {
      if let surroundings, session.isConnected { effects += meet(name, session, surroundings, now: now) }
      effects.append((name, open[name]?.coordination.follow(session, now: now) ?? []))
      effects.append((name, open[name]?.coordination.settle(now: now) ?? []))
    }
    return effects
  }

  /// Who has one of this name by now, and has none any more.
  private mutating func meet(_ name: CoordinatorName, _ session: Coordination, _ surroundings: Surroundings, now: HostTime) -> Effects {
    guard let one = open[name] else { return [] }
    let others = Set(surroundings.members.keys.filter { session.has(name, $0) == true })
    open[name]?.others = others.union(one.others.filter { session.has(name, $0) == true })
    guard one.isLinked else {
      open[name]?.isLinked = true
      let members = surroundings.members(of: others)
      return handle(.linkUp(members: members, clock: surroundings.hub), of: name, session, now: now)
        + handle(.secured, of: name, session, now: now)
    }
    let joined = surroundings.members(of: others.subtracting(one.others))
    let gone = one.others.subtracting(others).filter { session.has(name, $0) != true }.sorted().map {
      Departure(id: $0, connection: .max, left: session.has(name, $0) == false)
    }
    guard !joined.isEmpty || !gone.isEmpty else { return [] }
    return handle(.presence(joined: joined, gone: gone), of: name, session, now: now)
  }
}
