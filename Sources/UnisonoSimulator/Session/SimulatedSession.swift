import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoWire

/// A session of several participants on virtual time: their coordinations, players, clocks and the network between.
///
/// One seed is one run. Nothing happens but in `run`, `join` and the like; what people do happens at the present instant.
package final class SimulatedSession {
  package let seed: UInt64
  /// What happened since time passed last; where that has no end nothing goes on.
  private var eventsAtOnce = 0
  private static let mostAtOnce = 1_000_000
  /// True time since the beginning, ns.
  package private(set) var now: Nanoseconds = 0
  /// What broke a rule so far; a run without faults ends with none.
  package internal(set) var violations: [Violation] = []
  /// Cells of commands, in the order in which their authors first sent them.
  package internal(set) var written: [WrittenCell] = []
  /// True times at which a person did something or a link came or went, oldest first.
  package internal(set) var actionTimes: [Nanoseconds] = []
  package var log: EventLog
  /// Of all that was decided so far; nil: none is made.
  package internal(set) var fingerprint: Fingerprint?
  var generator: Xoshiro256
  /// Chance of what travels beside messages.
  var sideGenerator: Xoshiro256
  /// In the common order in which participants try them.
  var hubs: [Hub]
  /// The first hub as it was in the beginning: its clock is group time, also after it is gone or has come back with another.
  var firstHub: Hub
  /// Others that make one service with the first; none in most runs.
  var service = HubService()
  /// Which hubs a participant can reach, by its name; nil: all.
  var reach: [String: Set<Int>]?
  var participants: [Participant] = []
  /// The session's coordinators beside the first one.
  var coordinators: [CoordinatorName: NamedCoordinator] = [:]
  /// Who can read, in the order in which they came in.
  var roster: [ParticipantID] = []
  /// Persons by their devices; who is missing is a person of its own.
  var persons: [ParticipantID: ParticipantID] = [:]
  /// Messages that arrive before the session's keys are dropped instead of held.
  package var dropsUnreadable = false
  /// Updates that were sent.
  package internal(set) var messageCount = 0
  /// What people did to places of attachments, oldest first.
  var placeActs: [Dated<PlaceAct>] = []
  /// How many can hear each other in the largest connected group, from which true time on.
  var connectedGroups: [Dated<Int>] = []
  /// How many hub clocks there have been.
  var clockCount = 1
  /// Events that coordinations took in.
  package internal(set) var eventCount = 0
  private var schedule = Schedule()

  /// - Parameters:
  ///   - participants: names; ids ascend in this order unless `shufflesIDs`. The first creates the session.
  ///   - delay: one way between a participant and the hub, ns: from one participant to another it is twice that.
  ///   - jitter: added to each message at random, up to this, ns.
  ///   - clockError: what each states as the bound of its clock's error; the true error is drawn within it.
  ///   - control: who may command from the beginning; the first is the owner, the others get `joinerRole`.
  ///   - succession: who stands in for the owner when it is gone; nil: nobody.
  ///   - drift: each clock is off by up to this, parts per million.
  ///   - hubs: how many there are; the first in the common order is tried first.
  package init(
    seed: UInt64 = 1, participants names: [String], delay: Nanoseconds = .milliseconds(10), jitter: Nanoseconds = 0,
    clockError: Nanoseconds = .microseconds(500), drift: Int64 = 20, abilities: PlayerAbilities = PlayerAbilities(),
    shufflesIDs: Bool = false, hubs: Int = 1, control: ControlPolicy = .everyone, joinerRole: Role = .member,
    succession: SuccessionTerms? = nil, logs: Bool = false, hasFingerprint: Bool = false
  ) {
    self.seed = seed
    log = EventLog(isOn: logs)
    fingerprint = hasFingerprint ? Fingerprint() : nil
    generator = Xoshiro256(seed: seed)
    sideGenerator = Xoshiro256(seed: seed ^ 0x51DE_0000_0001)
    let firstHub = Hub(
      clock: ClockID(high: generator.next(), low: generator.next()), base: generator.number(in: 0...(.seconds(100_000)))
    )
    self.hubs = [firstHub]
    self.firstHub = firstHub
    var ranks = Array(0..<UInt64(names.count))
    if shufflesIDs {
      for index in ranks.indices.reversed() { ranks.swapAt(index, Int(generator.number(in: 0...Int64(index)))) }
    }
    var root = ParticipantID.none
    for (index, name) in names.enumerated() {
      let id = ParticipantID(high: (ranks[index] + 1) << 56 | generator.next() >> 8, low: generator.next())
      if index == 0 { root = id }
      let clock = LocalClock(
        base: generator.number(in: .seconds(1_000)...(.seconds(50_000))),
        drift: Double(generator.number(in: -drift...drift)),
        error: generator.number(in: -clockError...clockError), errorBound: clockError)
      let configuration = Coordination.Configuration(
        local: id, incarnation: generator.next(), displayName: name, deviceName: "simulated", seed: generator.next(),
        isCreator: index == 0, policy: .none,
        origin: PolicyOrigin(root: root, control: control, joinerRole: joinerRole),
        succession: index == 0 ? succession : nil, hash: Digest.hash, digestInput: StatementBody.digestInput,
        sign: { Signature.sign($0, by: id) })
      let link = Link(quality: LinkQuality(up: delay, down: delay, jitter: jitter))
      self.participants.append(
        Participant(
          name: name, id: id, machine: Machine(configuration: configuration, clock: clock, link: link),
          player: Player(abilities: abilities, at: clock.host(at: 0)), lateness: Xoshiro256(seed: ~seed &- UInt64(index))))
    }
    for _ in 1..<max(1, hubs) { addHub(clockError: clockError) }
  }

  private func addHub(clockError: Nanoseconds) {
    hubs.append(
      Hub(
        clock: ClockID(high: generator.next(), low: generator.next()),
        base: generator.number(in: 0...(.seconds(100_000)))))
    clockCount += 1
    for participant in participants { participant.hubErrors.append(generator.number(in: -clockError...clockError)) }
  }

  /// "A", "B" and so on, at most 26.
  package static func names(_ count: Int) -> [String] {
    Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ".prefix(count)).map(String.init)
  }

  package var names: [String] { participants.map { $0.name } }

  func participant(_ name: String) -> Participant {
    guard let participant = participants.first(where: { $0.name == name }) else {
      preconditionFailure("no participant is called \(name)")
    }
    return participant
  }

  func name(of id: ParticipantID) -> String { participants.first { $0.id == id }?.name ?? "\(id)" }

  /// A person does something now, at one of its coordinators.
  func noteAction(at coordinator: CoordinatorName? = nil) {
    if let coordinator { coordinators[coordinator]?.actionTimes.append(now) } else { actionTimes.append(now) }
  }

  /// Lets `action` happen at a true time, now at the earliest.
  func at(_ time: Nanoseconds, _ action: @escaping (SimulatedSession) -> Void) {
    schedule.add(at: max(time, now), action)
  }

  /// Lets `action` happen once a participant's clock shows `host`: later than it looks now if its machine sleeps meanwhile.
  func at(_ host: HostTime, of participant: Participant, _ action: @escaping (SimulatedSession) -> Void) {
    at(participant.clock.time(at: host)) { room in
      guard participant.clock.host(at: room.now) >= host else { return room.at(host, of: participant, action) }
      action(room)
    }
  }

  /// Lets `action` happen after a time.
  package func after(_ delay: Nanoseconds, _ action: @escaping (SimulatedSession) -> Void) { at(now + delay, action) }

  package func run(for duration: Nanoseconds) { run(until: now + duration) }

  /// Lets everything happen that is due until then.
  package func run(until end: Nanoseconds) {
    while eventsAtOnce < Self.mostAtOnce, let (time, action) = schedule.next(until: end) {
      eventsAtOnce = time > now ? 0 : eventsAtOnce + 1
      now = time
      action(self)
      if eventsAtOnce == Self.mostAtOnce { violate("endless", "\(eventsAtOnce) things happened, and no time passed") }
    }
    now = max(now, end)
  }

  /// Runs until `condition` holds, looked at each millisecond; false: it did not within `limit`.
  @discardableResult
  package func run(atMost limit: Nanoseconds, until condition: (SimulatedSession) -> Bool) -> Bool {
    let end = now + limit
    while !condition(self) {
      guard now < end else { return false }
      run(until: min(now + .milliseconds(1), end))
    }
    return true
  }
}
