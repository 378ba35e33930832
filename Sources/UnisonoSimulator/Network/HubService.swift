import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// Hubs that make one service: one room at all of them, and a clock each; the first is the session's first hub.
struct HubService {
  /// By how much a hub may be wrong of another's clock, ns, and how fast that grows, us a second.
  static let error = Nanoseconds.microseconds(150)
  static let growth: UInt16 = 6
  /// A hub is gone for the others when it said nothing for so long; and how long its clock is remembered.
  static let patience = Nanoseconds.seconds(3)
  static let memory = Nanoseconds.seconds(600)

  /// The others.
  var hubs: [Hub] = []
  /// By place: since when the others do not hear it.
  var gone: [Int: Nanoseconds] = [:]
  /// By place of the teller: what it adds to what it says of others' clocks.
  var lies: [Int: Nanoseconds] = [:]
}

extension SimulatedSession {
  /// The room is at so many hubs, whose clocks differ by up to a day and run off by up to `drift`, parts per million.
  package func isServed(by count: Int, drift: Int64 = 50) {
    let base = hubs[0].base
    service.hubs = (1..<count).map { _ in
      var hub = Hub(
        clock: ClockID(high: generator.next(), low: generator.next()),
        base: base + generator.number(in: -.seconds(86_400)...(.seconds(86_400))))
      hub.drift = Double(generator.number(in: -drift...drift))
      return hub
    }
    hubs[0].drift = Double(generator.number(in: -drift...drift))
    firstHub.drift = hubs[0].drift
    after(.seconds(60)) { $0.repeatClocks() }
  }

  /// The hub whose clock a participant measures.
  func clockHub(of participant: Participant) -> Hub {
    participant.link.place == 0 ? hubs[participant.link.hub] : service.hubs[participant.link.place - 1]
  }

  /// A hub of the service ends; who was there goes to another one.
  package func serviceLoses(_ place: Int, to other: Int) {
    log.note(now, "hub \(place + 1) of the service", "dies")
    service.gone[place] = now
    for participant in participants where participant.link.place == place {
      participant.link.place = other
      breakLink(of: participant, noticedAfter: 0, hubNoticesAfter: HubService.patience, backAfter: .milliseconds(300))
    }
    after(HubService.patience) { $0.tellEverybodyClocks() }
  }

  /// The others do not hear a hub of the service for so long, though it goes on; who is there is seen by them all the same.
  package func serviceDoesNotHear(_ place: Int, for duration: Nanoseconds) {
    service.gone[place] = now
    after(min(duration, HubService.patience)) { $0.tellEverybodyClocks() }
    after(duration) { room in
      room.service.gone[place] = nil
      room.tellEverybodyClocks()
    }
  }

  /// From now on a hub of the service is wrong, by so much, in what it says of others' clocks.
  package func serviceLies(at place: Int, by shift: Nanoseconds) {
    service.lies[place] = shift
    tellEverybodyClocks()
  }

  private func repeatClocks() {
    tellEverybodyClocks()
    after(.seconds(60)) { $0.repeatClocks() }
  }

  private func tellEverybodyClocks() {
    for participant in participants { tellOtherClocks(participant) }
  }

  /// What the hub says of the clocks of others (wire 3.12), right after it let somebody in, and when that changed.
  func tellOtherClocks(_ participant: Participant) {
    guard !service.hubs.isEmpty, let connection = participant.link.connection else { return }
    let own = clockHub(of: participant)
    let place = participant.link.place
    let readings = (0...service.hubs.count).filter { $0 != place }.compactMap { reading(of: $0, from: own, at: place) }
    let report = ClockReport(at: own.time(at: now), readings: readings.sorted { $0.clock < $1.clock })
    fromHub(participant.link.hub, to: participant, connection: connection) { room in
      guard participant.link.place == place else { return }
      room.deliver(.clocks(report), to: participant)
    }
  }

  private func reading(of other: Int, from own: Hub, at place: Int) -> ClockReading? {
    let hub = other == 0 ? hubs[0] : service.hubs[other - 1]
    let away = service.gone[other].map { now - $0 } ?? 0
    guard away < HubService.memory else { return nil }
    let isGone = away >= HubService.patience
    let error = HubService.error + (isGone ? away.scaled(by: Double(HubService.growth) / 1e6) : 0)
    let wrong = generator.number(in: -HubService.error...HubService.error) + (service.lies[place] ?? 0)
    return ClockReading(
      clock: hub.clock, offset: hub.time(at: now) - own.time(at: now) + wrong,
      rate: Int32(((hub.drift - own.drift) * 1_000).rounded()), error: UInt32(error / 1_000) + 1, growth: HubService.growth,
      goneFor: isGone ? UInt16(clamping: max(1, away / .seconds(1))) : 0)
  }
}

extension Person {
  /// Which hub of the service it goes to next.
  package func goes(to place: Int) { participant.link.place = place }

  /// Clocks of hubs that it mapped onto group time, when it said so first.
  package var mappings: [(clock: ClockID, value: ClockValue, at: Nanoseconds)] {
    var found: [(clock: ClockID, value: ClockValue, at: Nanoseconds)] = []
    for sent in history.sent {
      guard case .update(let statements) = sent.value.message else { continue }
      for statement in statements where statement.author == id {
        guard case .clock(let clock) = statement.key, case .clock(let value) = statement.value else { continue }
        if !found.contains(where: { $0.clock == clock && $0.value == value }) { found.append((clock, value, sent.at)) }
      }
    }
    return found
  }
}
