import UnisonoBase
import UnisonoCoordination
import UnisonoRuntime

/// Coordination of a coordinator that is in no session: nobody to wait for, nobody to tell. On the loop.
final class SoloCoordination: CoordinationHost, EndOfTurnParticipant {
  let firstCommand: UInt64
  private var coordination: Coordination
  private unowned let coordinator: CoordinatorObject
  private let context: ContextObject
  private var timer: (any LoopTimer)?

  init(coordinator: CoordinatorObject) {
    self.coordinator = coordinator
    context = coordinator.context
    firstCommand = context.nextCommandRange()
    coordination = Coordination(
      Coordination.Configuration(
        local: ParticipantID(high: context.loop.randomNumber() | 1, low: context.loop.randomNumber()),
        incarnation: context.loop.randomNumber(),
        displayName: context.options.deviceName, deviceName: context.options.deviceName, seed: context.options.seed,
        firstCommand: firstCommand, isCreator: true, policy: .none,
        // Digests are for others; here is nobody to send one to.
        hash: { _ in [UInt8](repeating: 0, count: 32) }, digestInput: { _ in [] }))
    timer = context.loop.makeTimer { [weak self] in self?.handle(.tick) }
    context.settleOnce(self)
  }

  var coordinationView: CoordinationView { coordination.view }

  func handle(_ event: CoordinationEvent) {
    carryOut(coordination.handle(event, now: context.now))
    context.settleOnce(self)
  }

  func settle() {
    guard timer != nil else { return }
    let effects = coordination.settle(now: context.now)
    timer?.arm(at: coordination.nextWake)
    coordinator.publish(coordination.view)
    carryOut(effects)
  }

  /// There is nobody to send anything to, and no session that anything of a session could concern.
  private func carryOut(_ effects: [CoordinationEffect]) {
    for effect in effects {
      switch effect {
      case .playback(let effect): coordinator.carryOut(effect)
      case .session(.participantsChanged(let change)): coordinator.deliver(change)
      case .session(.log(let level, let message)): context.log(level, message)
      case .send, .session: break
      }
    }
  }

  func isOf(_ session: SessionObject, as name: CoordinatorName?) -> Bool { false }

  func release(_ coordinator: CoordinatorObject) {
    timer?.close()
    timer = nil
  }
}
