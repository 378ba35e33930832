import UnisonoBase

/// A change of speed with an end: it is through with its error by itself, whatever the renderer's buffers delay.
struct NudgePulse: Sendable {
  /// Part of 1, on top of the constant change.
  let size: Double
  let until: HostTime
  /// In rest: slow enough that nobody hears it, and measured through.
  let isSlow: Bool
}
