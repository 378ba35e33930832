import CUnisono
import UnisonoBase
import UnisonoCoordination

/// The timing of a coordinator as realtime reads find it in a latch.
extension PublishedTiming {
  var words: LatchWords {
    var words = LatchWords()
    words[signed: 0] = Int64(status.rawValue)
    words[signed: 1] = line.at
    words[real: 2] = line.rate
    words[signed: 3] = line.since
    words[signed: 4] = errorBound
    words[signed: 5] = outputOffset
    if let prior {
      words[6] = 1
      words[signed: 7] = prior.at
      words[real: 8] = prior.rate
      words[signed: 9] = prior.since
    }
    words[signed: 10] = reach?.lowerBound ?? .min
    words[signed: 11] = reach?.upperBound ?? .max
    return words
  }

  init(words: LatchWords) {
    self.init(
      status: TimingStatus(rawValue: Int32(truncatingIfNeeded: words[signed: 0])) ?? .none,
      line: Line(at: words[signed: 1], rate: words[real: 2], since: words[signed: 3]),
      prior: words[6] == 1 ? Line(at: words[signed: 7], rate: words[real: 8], since: words[signed: 9]) : nil,
      errorBound: words[signed: 4], outputOffset: words[signed: 5],
      reach: words[signed: 10] <= words[signed: 11] ? words[signed: 10]...words[signed: 11] : nil)
  }

  /// Where the own player should be: the group's position, ahead by the own output offset while it moves. Before a line
  /// that is still to come the one before it holds; one that has begun is anchored anywhere on itself. What the player
  /// cannot reach is not expected of it.
  func expectedItemTime(at host: HostTime) -> ItemTime {
    let wanted = wantedItemTime(at: host)
    guard let reach else { return wanted }
    return min(max(wanted, reach.lowerBound), reach.upperBound)
  }

  private func wantedItemTime(at host: HostTime) -> ItemTime {
    let ahead = host.adding(outputOffset)
    if status != .playing { return line.at }
    if let prior, ahead < line.since { return prior.position(at: ahead) }
    return line.position(at: ahead)
  }

  /// The newest line for the host, own output offset included.
  var reported: unisono_timing {
    var timing = unisono_timing()
    timing.state = unisono_timing_state(rawValue: status.rawValue) ?? .UNISONO_TIMING_NONE
    timing.rate = status == .playing ? line.rate : 0
    timing.item_time = status == .playing ? line.at.adding(outputOffset.scaled(by: line.rate)) : line.at
    timing.host_time = line.since
    timing.error_bound = errorBound
    timing.flags = UInt32(UNISONO_HAS_HOST_TIME)
    return timing
  }
}
