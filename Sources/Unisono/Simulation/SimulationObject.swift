import CUnisono
import Synchronization
import UnisonoRuntime

/// A simulation: one virtual clock and network, and the contexts that live on it.
final class SimulationObject: APIObject, @unchecked Sendable {
  override class var kind: HandleKind { .simulation }

  private static let usualStart: Int64 = 1_000_000_000_000

  private let simulation: Simulation
  /// Those that were made and perhaps destroyed since; nil: the simulation ends and makes no more.
  private let contexts = Mutex<[HandleToken]?>([])

  private init(token: HandleToken, seed: UInt64, startTime: Int64) {
    simulation = Simulation(seed: seed, startTime: startTime)
    super.init(token: token)
  }

  static func create(_ pointer: UnsafePointer<unisono_simulation_options>?) throws(Failure) -> SimulationObject {
    let options = try copied(pointer, into: unisono_simulation_options(), atLeast: 24, "options")
    guard (0...Limits.offset).contains(options.start_time) else {
      throw Failure(.UNISONO_EINVAL, "options.start_time is \(options.start_time); give 0...10^15 ns")
    }
    ChildProcess.watch()
    guard let token = HandleTable.shared.make(.simulation) else {
      throw Failure(.UNISONO_ENOMEM, "\(HandleToken.slotCount) handles are in use; destroy some")
    }
    let made = SimulationObject(
      token: token, seed: options.random_seed, startTime: options.start_time == 0 ? usualStart : options.start_time)
    HandleTable.shared.publish(made)
    return made
  }

  func makeContext(
    _ options: UnsafePointer<unisono_context_options>?, _ callbacks: UnsafePointer<unisono_context_callbacks>?,
    user: UnsafeMutableRawPointer?, clockOffset: Int64, drift: Double
  ) throws(Failure) -> ContextObject {
    guard (-Limits.offset...Limits.offset).contains(clockOffset) else {
      throw Failure(.UNISONO_EINVAL, "clock_offset is \(clockOffset); give -10^15...10^15 ns")
    }
    guard (-500...500).contains(drift) else {
      throw Failure(.UNISONO_EINVAL, "clock_drift_ppm is \(drift); give -500...500")
    }
    let context = try ContextObject.create(
      try ContextOptions(simulated: options, callbacks, user: user) {
        simulation.makeLoop(clockOffset: clockOffset, drift: drift / 1_000_000)
      })
    let isKept = contexts.withLock { list in
      list?.append(context.token)
      return list != nil
    }
    guard isKept else {
      context.destroy()
      throw Failure(.UNISONO_ECLOSED, "the simulation was destroyed")
    }
    return context
  }

  func setLink(of context: ContextObject, _ pointer: UnsafePointer<unisono_simulated_link>?) throws(Failure) {
    guard pointer != nil else { throw Failure(.UNISONO_EINVAL, "link is NULL; give the address of a unisono_simulated_link") }
    let given = try copied(pointer, into: unisono_simulated_link(), atLeast: 40, "link")
    for (name, time) in [("delay_out", given.delay_out), ("delay_in", given.delay_in), ("jitter", given.jitter)] {
      guard (0...Limits.delay).contains(time) else {
        throw Failure(.UNISONO_EINVAL, "link.\(name) is \(time); give 0...60 s in ns")
      }
    }
    guard (0...1).contains(given.loss) else { throw Failure(.UNISONO_EINVAL, "link.loss is \(given.loss); give 0...1") }
    guard let loop = context.simulated, loop.belongs(to: simulation) else {
      throw Failure(.UNISONO_EINVAL, "the context is none of this simulation's")
    }
    var link = SimulatedLink()
    (link.isDown, link.delayOut, link.delayIn) = (given.down != 0, given.delay_out, given.delay_in)
    (link.jitter, link.loss) = (given.jitter, given.loss)
    loop.setLink(link)
  }

  func advance(by duration: Int64) throws(Failure) {
    guard duration >= 0 else { throw Failure(.UNISONO_EINVAL, "duration is \(duration); give ns, 0 or more") }
    switch simulation.advance(by: duration) {
    case .ran: return
    case .busy: throw Failure(.UNISONO_EBUSY, "another thread advances this simulation; one thread at a time")
    case .insideCallback:
      throw Failure(.UNISONO_ESTATE, "called inside a callback; return from it, what is due comes by itself")
    }
  }

  func destroy() {
    guard HandleTable.shared.retire(token) else { return }
    markDead()
    let left = contexts.withLock { list in
      defer { list = nil }
      return list ?? []
    }
    for token in left.reversed() { (try? HandleTable.shared.object(token.pointer, ContextObject.self))?.destroy() }
  }

  private enum Limits {
    /// ns.
    static let offset: Int64 = 1_000_000_000_000_000
    static let delay: Int64 = 60_000_000_000
  }
}
