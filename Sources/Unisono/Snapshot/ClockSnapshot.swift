import CUnisono
import UnisonoBase

/// The line of session time against host time, as realtime reads find it in a latch.
struct ClockSnapshot: Equatable {
  /// Number of `unisono_clock_state`; 0: none.
  var status: Int32 = 0
  /// One more whenever session time is not continuous with what was read before.
  var epoch: UInt64 = 0
  var hostTime: HostTime = 0
  var sessionTime: Int64 = 0
  /// Session ns per host ns.
  var rate: Double = 0
  var errorBound: Nanoseconds = 0
  var errorGrowth: Double = 0

  var words: LatchWords {
    var words = LatchWords()
    words[signed: 0] = Int64(status)
    words[1] = epoch
    words[signed: 2] = hostTime
    words[signed: 3] = sessionTime
    words[real: 4] = rate
    words[signed: 5] = errorBound
    words[real: 6] = errorGrowth
    return words
  }

  /// What a latch holds, as the host's struct.
  static func reported(_ words: LatchWords) -> unisono_clock {
    var clock = unisono_clock()
    clock.state = unisono_clock_state(rawValue: Int32(truncatingIfNeeded: words[signed: 0])) ?? .UNISONO_CLOCK_NONE
    clock.epoch = words[1]
    clock.host_time = words[signed: 2]
    clock.session_time = words[signed: 3]
    clock.rate = words[real: 4]
    clock.error_bound = words[signed: 5]
    clock.error_growth = words[real: 6]
    return clock
  }
}
