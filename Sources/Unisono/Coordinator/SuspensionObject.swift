import CUnisono
import Synchronization
import UnisonoBase

/// One suspension of a coordinator: a reason and a beginning; reading them works until it is destroyed.
final class SuspensionObject: ContextChild, @unchecked Sendable {
  override class var kind: HandleKind { .suspension }
  override var tellsRelease: Bool { false }

  let reason: String
  let beginTime: HostTime
  private let coordinator: CoordinatorObject
  private let ended = Atomic<Bool>(false)

  init(token: HandleToken, coordinator: CoordinatorObject, reason: String) {
    self.coordinator = coordinator
    self.reason = reason
    beginTime = coordinator.context.now
    super.init(token: token, context: coordinator.context, user: nil, released: nil)
  }

  static func begin(_ coordinator: CoordinatorObject, _ reason: UnsafePointer<CChar>?) throws(Failure)
    -> SuspensionObject
  {
    let text = try InputText.required(reason, atMost: 127, "reason")
    let hasRoom = coordinator.calls.withLock { calls in
      guard calls.openSuspensions < CoordinatorObject.suspensionLimit else { return false }
      calls.openSuspensions += 1
      return true
    }
    guard hasRoom else {
      throw Failure(.UNISONO_EFULL, "\(CoordinatorObject.suspensionLimit) suspensions are open; end some")
    }
    let suspension: SuspensionObject
    do throws(Failure) {
      suspension = try coordinator.context.publish(.suspension) {
        SuspensionObject(token: $0, coordinator: coordinator, reason: text)
      }
    } catch {
      coordinator.calls.withLock { $0.openSuspensions -= 1 }
      throw error
    }
    coordinator.calls.withLock { $0.suspensions.append(suspension) }
    try coordinator.submit(.beginSuspension(id: suspension.number, reason: text))
    return suspension
  }

  /// Names it towards the coordination.
  private var number: UInt64 { UInt64(token.raw) }

  /// `proposing` nil: rejoin where the group is.
  func end(proposing itemTime: ItemTime?) throws(Failure) {
    guard itemTime != .max else { throw Failure(.UNISONO_EINVAL, "item_time is INDEFINITE; give a position in ns") }
    guard claimEnd() else { throw Failure(.UNISONO_ESTATE, "the suspension was ended before") }
    try coordinator.submit(.endSuspension(id: number, proposing: itemTime))
  }

  private func claimEnd() -> Bool {
    guard !ended.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    coordinator.calls.withLock { $0.openSuspensions -= 1 }
    return true
  }

  override func tearDown() {
    coordinator.calls.withLock { calls in calls.suspensions.removeAll { $0 === self } }
    if claimEnd() { coordinator.handle(.endSuspension(id: number, proposing: nil)) }
  }
}
