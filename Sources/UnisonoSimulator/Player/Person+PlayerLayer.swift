import UnisonoBase
import UnisonoCoordination
import UnisonoPlayer

/// A person who has the player layer, and how tests speak of it.
extension Person {
  /// From now on the library's player drives a renderer; this comes before the first item.
  package func usesPlayer(over renderer: RendererModel = RendererModel()) {
    var renderer = renderer
    // A live item is where it is for everybody, whatever their clocks count from.
    renderer.habits.liveEpoch -= participant.clock.host(at: 0)
    participant.layer = PlayerLayer(renderer: renderer)
    preparesAhead()
  }

  private var layer: PlayerLayer {
    guard let layer = participant.layer else { preconditionFailure("\(name) has no player layer") }
    return layer
  }

  /// What the person does at the player.
  package func does(_ event: PlayerEvent) {
    room.noteAction()
    room.feed(event, to: participant)
  }

  /// Seeks at the player; the number is in the answer.
  @discardableResult
  package func seeks(to target: ItemTime, before: Nanoseconds = 0, after: Nanoseconds = 0) -> UInt64 {
    layer.requests += 1
    does(.seek(id: layer.requests, to: target, before: before, after: after))
    return layer.requests
  }

  package var media: MediaPlayerView { layer.player.view }
  /// Where the renderer really is now, ns of the item.
  package var renderedPosition: ItemTime {
    layer.renderer.position(at: participant.clock.host(at: room.now))
  }
  /// How fast the renderer really runs now.
  package var renderedRate: Double { layer.renderer.motion.rate }
  /// Ahead of the group by so much, ns of the item.
  package var skew: Nanoseconds { renderedPosition - groupPosition }

  package func notices(_ kind: PlayerNotice.Kind, since time: Nanoseconds = 0) -> [PlayerNotice] {
    layer.notices.filter { $0.at >= time && $0.value.kind == kind }.map { $0.value }
  }

  package func rendered(_ kind: RendererCommand.Kind, since time: Nanoseconds = 0) -> [Dated<RendererCommand>] {
    layer.rendered.filter { $0.at >= time && $0.value.kind == kind }
  }

  package var refused: [Operation] { layer.refusals.map { $0.value } }

  package func changeRenderer(_ change: (inout RendererModel.Habits) -> Void) {
    layer.renderer.change(at: participant.clock.host(at: room.now), change)
    room.foreseeEnd(of: participant, layer: layer)
  }

  /// The renderer says something that nobody asked for.
  package func rendererSays(_ state: RendererReport.State) {
    let position = layer.renderer.toldPosition(at: participant.clock.host(at: room.now))
    room.feed(.report(RendererReport(state, position: position)), to: participant)
  }

  /// The renderer stops, or goes on, by itself and says so.
  package func rendererWanders(rate: Double) {
    layer.renderer.wander(rate: rate, at: participant.clock.host(at: room.now))
    room.foreseeEnd(of: participant, layer: layer)
    rendererSays(rate == 0 ? .paused : .playing)
  }

  /// The renderer stops by itself, where it runs, and says so. Returns how it goes on: not if it was told anything meanwhile.
  @discardableResult
  func rendererStopsByItself() -> () -> Void {
    let rate = layer.renderer.rate
    guard rate != 0 else { return {} }
    let orders = layer.orders
    rendererWanders(rate: 0)
    return { if layer.orders == orders { rendererWanders(rate: rate) } }
  }

  /// The renderer has no data for so long.
  package func rendererStarves(for duration: Nanoseconds) {
    let layer = layer
    let participant = participant
    layer.renderer.starve(at: participant.clock.host(at: room.now))
    room.foreseeEnd(of: participant, layer: layer)
    rendererSays(.stalled)
    room.after(duration) { room in
      layer.renderer.feed(at: participant.clock.host(at: room.now))
      room.foreseeEnd(of: participant, layer: layer)
      room.feed(.report(RendererReport(.recovered)), to: participant)
    }
  }

  /// The renderer stands for so long, and says nothing of it.
  package func rendererStandsSilently(for duration: Nanoseconds) {
    let layer = layer
    let participant = participant
    layer.renderer.starve(at: participant.clock.host(at: room.now))
    room.foreseeEnd(of: participant, layer: layer)
    room.after(duration) { room in
      layer.renderer.feed(at: participant.clock.host(at: room.now))
      room.foreseeEnd(of: participant, layer: layer)
    }
  }
}
