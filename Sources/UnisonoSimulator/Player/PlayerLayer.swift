import UnisonoBase
import UnisonoPlayer

/// A participant's player layer over a model of a renderer, and all that came of it.
final class PlayerLayer {
  var player: MediaPlayer
  var renderer: RendererModel
  var notices: [Dated<PlayerNotice>] = []
  var rendered: [Dated<RendererCommand>] = []
  var refusals: [Dated<Operation>] = []
  /// True time of the wake-up that is scheduled.
  var wakesAt: Nanoseconds?
  var requests: UInt64 = 0
  /// Counts changes of the renderer's motion: an end foreseen before one is void.
  var ends: UInt64 = 0

  /// How often the renderer was told where to be, or to run or stand.
  var orders: Int { rendered.count { ![.nudge, .volume, .size].contains($0.value.kind) } }

  init(renderer: RendererModel) {
    self.renderer = renderer
    player = MediaPlayer(renderer: renderer.abilities)
  }
}
