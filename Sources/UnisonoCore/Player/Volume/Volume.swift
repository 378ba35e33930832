/// What is heard: the person's volume, lowered while others speak; and how large the picture is.
extension MediaPlayer {
  mutating func setVolume(_ volume: Double) {
    guard volume.isFinite, volume >= 0, volume <= 1 else { return }
    self.volume = volume
    renderVolume()
  }

  mutating func duck(_ speak: Bool) {
    ducking.duck(speak, at: now)
    rampVolume()
  }

  mutating func rampVolume() {
    let gain = ducking.gain(at: now)
    guard gain != told.gain else { return }
    renderVolume()
  }

  private mutating func renderVolume() {
    let gain = ducking.gain(at: now)
    told.gain = gain
    let heard = volume * gain
    render(.volume) { $0.volume = heard }
  }

  mutating func setRenderSize(width: Int32, height: Int32) {
    render(.size) {
      $0.width = width
      $0.height = height
    }
  }
}
