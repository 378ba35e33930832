import UnisonoBase
import UnisonoCoordination
import UnisonoPlayer
import UnisonoReplica
import UnisonoRuntime

/// A player over what JavaScript plays with: the host of its session's coordination.
final class WebPlayer {
  private var machine: MediaPlayer
  private let environment: DrivenEnvironment
  private let report: Report
  private let coordinate: (CoordinationEvent) -> Void
  private var effects: [PlayerEffect] = []
  private var isCarryingOut = false
  private var timer: (any LoopTimer)?
  private var lastRequest: UInt64 = 0

  init(
    _ abilities: RendererAbilities, environment: DrivenEnvironment, report: Report, coordinate: @escaping (CoordinationEvent) -> Void
  ) {
    machine = MediaPlayer(renderer: abilities)
    (self.environment, self.report, self.coordinate) = (environment, report, coordinate)
    // One player lives as long as its module's instance.
    timer = environment.makeTimer { self.handle(.tick) }
    coordinate(.setPreparesAhead(true))
    for notice in machine.presentState { effects.append(.notify(notice)) }
    carryOutAll()
  }

  var view: MediaPlayerView { machine.view }
  var queuedItems: [ItemID] { machine.queuedItems }

  func newRequest() -> UInt64 {
    lastRequest += 1
    return lastRequest
  }

  func handle(_ event: PlayerEvent) {
    guard timer != nil else { return }
    effects += machine.handle(event, now: environment.now)
    carryOutAll()
    timer?.arm(at: machine.nextWake)
  }

  /// Looks at the coordination after a turn of it.
  func follow(_ view: CoordinationView, othersSpeak: Bool) {
    for event in PlayerEvent.following(view, othersSpeak: othersSpeak) { handle(event) }
  }

  /// Follows what the coordination says beside its timing.
  func receive(_ effect: PlaybackEffect) {
    if let event = PlayerEvent(effect, status: { $0.code.rawValue }) { handle(event) }
  }

  /// Nothing plays any more; what was asked for is answered.
  func close() {
    handle(.close)
    timer?.close()
    timer = nil
  }

  /// Carries effects out in the order in which they came: what one brings about waits for the rest.
  private func carryOutAll() {
    guard !isCarryingOut else { return }
    isCarryingOut = true
    while !effects.isEmpty {
      let due = effects
      effects = []
      for effect in due { carryOut(effect) }
    }
    isCarryingOut = false
  }

  private func carryOut(_ effect: PlayerEffect) {
    switch effect {
    case .coordinate(let event): coordinate(event)
    case .render(let command): report.add("renderer") { $0.add(command) }
    // Positions come by themselves: `tellsPosition` is false.
    case .askPosition: break
    case .notify(let notice): report.add("player") { $0.add(notice) }
    case .refuse(let operation, let message): report.refuse(operation, .state, message)
    }
  }
}

extension JSONObject {
  fileprivate mutating func add(_ command: RendererCommand) {
    add("kind", command.kind.name)
    add("request", number: command.request)
    add("item", item: command.item)
    add("uri", String(decoding: command.uri, as: UTF8.self))
    add("rate", command.rate)
    add("itemTime", time: command.itemTime)
    add("hostTime", time: command.hostTime)
    add("volume", command.volume)
  }

  fileprivate mutating func add(_ notice: PlayerNotice) {
    add("kind", notice.kind.name)
    add("item", item: notice.item)
    add("timeControl", notice.timeControl.status.name)
    add("waitingReason", notice.timeControl.reason.name)
    add("itemState", notice.itemStatus.name)
    add("rate", notice.rate)
    add("rateReason", notice.rateReason.name)
    add("originator", id: notice.originator)
    add("itemTime", time: notice.itemTime)
    add("hostTime", time: notice.hostTime)
    add("request", number: notice.request)
    add("outcome", notice.outcome.name)
    add("status", number: notice.status)
  }
}
