import UnisonoBase

/// The volume that is heard: the person's own, lowered while others speak.
struct PlayerVolume: Sendable {
  /// The person's own, 0...1.
  private(set) var own = 1.0
  private var ramp = DuckingRamp()
  /// The ramp's, as the renderer has it.
  private var gain = 1.0

  /// Sets the person's own volume; returns what is to be heard, nil: that is no volume.
  mutating func set(_ volume: Double, at now: HostTime) -> Double? {
    guard volume.isFinite, volume >= 0, volume <= 1 else { return nil }
    own = volume
    return heard(at: now)
  }

  /// Turns the ramp: somebody began to speak, or all ceased. Returns what is to be heard, nil: as before.
  mutating func duck(_ ducks: Bool, at now: HostTime) -> Double? {
    ramp.duck(ducks, at: now)
    return followRamp(at: now)
  }

  /// Returns what is to be heard by now; nil: as before.
  mutating func followRamp(at now: HostTime) -> Double? {
    ramp.gain(at: now) == gain ? nil : heard(at: now)
  }

  /// Host time of the next step of the ramp; nil: it stands.
  func wake(at now: HostTime) -> HostTime? { ramp.isMoving(at: now) ? now.adding(DuckingRamp.step) : nil }

  private mutating func heard(at now: HostTime) -> Double {
    gain = ramp.gain(at: now)
    let heard = own * gain
    return heard
  }
}
