import CUnisono
import UnisonoBase
import UnisonoRuntime

/// Turns what the session knows of group time into what hosts read, and notices where session time jumps.
struct SessionClockReport {
  /// Beyond this a clock is not corrected by slewing, but set.
  private static let step = Nanoseconds.milliseconds(40)

  private(set) var snapshot = ClockSnapshot()
  private var model: ClockModel?
  private var epoch: UInt64 = 0

  mutating func update(model new: ClockModel?, status: unisono_clock_state, now: HostTime) {
    guard let new else {
      snapshot = ClockSnapshot(status: unisono_clock_state.UNISONO_CLOCK_NONE.rawValue)
      return
    }
    if let model {
      let jump = new.remote(at: now).subtracting(model.remote(at: now))
      if jump > Self.step || jump < -Self.step { epoch += 1 }
    } else {
      epoch = 1
    }
    model = new
    snapshot = ClockSnapshot(
      status: status.rawValue, epoch: epoch, hostTime: new.hostTime, sessionTime: new.remoteTime, rate: new.rate,
      errorBound: new.errorBound, errorGrowth: new.errorGrowth)
  }
}

extension SessionClock.Status {
  var number: unisono_clock_state {
    switch self {
    case .none: .UNISONO_CLOCK_NONE
    case .synchronizing: .UNISONO_CLOCK_SYNCHRONIZING
    case .synchronized: .UNISONO_CLOCK_SYNCHRONIZED
    case .holdover: .UNISONO_CLOCK_HOLDOVER
    }
  }
}
