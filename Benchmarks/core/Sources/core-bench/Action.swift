import UnisonoCoordination

/// What a person does, and how many messages it may cost a group of n (docs/coordination.md states the formula).
enum Action: String, CaseIterable {
  case play
  case seekPlaying = "seek while playing"
  case rate
  case pause
  case seekPaused = "seek while paused"

  var event: CoordinationEvent {
    switch self {
    case .play: .rateChange(rate: 1, immediately: false)
    case .seekPlaying: .seek(to: .seconds(600), resumeImmediately: false)
    case .rate: .rateChange(rate: 1.25, immediately: false)
    case .pause: .rateChange(rate: 0, immediately: false)
    case .seekPaused: .seek(to: .seconds(60), resumeImmediately: false)
    }
  }

  /// Whether everybody prepares before it takes effect.
  var hasBarrier: Bool { self == .play || self == .seekPlaying }
  var plays: Bool { self != .pause && self != .seekPaused }

  /// The most messages that it may cost.
  func formula(_ n: Int) -> Int { hasBarrier ? 4 * n + 2 : n + 1 }
}
