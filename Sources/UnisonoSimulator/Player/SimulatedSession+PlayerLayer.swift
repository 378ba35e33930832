import UnisonoBase
import UnisonoCoordination
import UnisonoPlayer

/// Between a coordination, the player layer of its host, and the renderer below it.
extension SimulatedSession {
  /// Feeds the layer; what it wants of others happens at the same instant, after what is under way.
  func feed(_ event: PlayerEvent, to participant: Participant) {
    guard let layer = participant.layer, participant.isRunning else { return }
    guard now >= participant.stoppedUntil else {
      // What comes while its process stands still is read afterwards, in order.
      return at(participant.stoppedUntil) { $0.feed(event, to: participant) }
    }
    let effects = layer.player.handle(event, now: participant.clock.host(at: now))
    for rule in layer.player.brokenInvariants { violate("t", "\(participant.name)'s player: not so: \(rule)") }
    if case .transition(let item)? = effects.lazy.compactMap(Self.transition).first {
      participant.player.load(item, line: Line(at: 0, rate: 0, since: 0), at: participant.clock.host(at: now))
    }
    at(now) { room in
      for effect in effects { room.carryOut(effect, for: participant, layer: layer) }
      room.scheduleWake(of: participant, layer: layer)
    }
  }

  /// What the layer looks at after a turn of its coordination.
  func feed(_ view: CoordinationView, to participant: Participant) {
    feed(.company(waitsForStalls: view.waitsForStalls, isAlone: view.isAlone, actionAtEnd: view.actionAtEnd), to: participant)
    feed(.timing(view.timing), to: participant)
  }

  private enum Moved { case transition(ItemID?) }

  private static func transition(_ effect: PlayerEffect) -> Moved? {
    guard case .coordinate(.transition(let item, _)) = effect else { return nil }
    return .transition(item)
  }

  private func carryOut(_ effect: PlayerEffect, for participant: Participant, layer: PlayerLayer) {
    let host = participant.clock.host(at: now)
    switch effect {
    case .coordinate(let event):
      deliver(event, to: participant)
    case .render(let command):
      log.note(now, participant.name, "RENDER \(command.kind) x\(command.rate) \(seconds(command.itemTime))")
      layer.rendered.append(Dated(at: now, value: command))
      mark(command, of: participant)
      let steps = layer.renderer.tell(command, at: host)
      for step in steps { schedule(step, of: participant, layer: layer) }
      foreseeEnd(of: participant, layer: layer)
    case .askPosition:
      guard let position = layer.renderer.toldPosition(at: host) else { return }
      let seekable = layer.renderer.seekable(at: host)
      feed(.report(RendererReport(.position, position: position, seekable: seekable)), to: participant)
    case .notify(let notice):
      layer.notices.append(Dated(at: now, value: notice))
    case .refuse(let operation, _):
      layer.refusals.append(Dated(at: now, value: operation))
    }
  }

  private func schedule(_ step: RendererModel.Step, of participant: Participant, layer: PlayerLayer) {
    at(step.at, of: participant) { room in
      guard let reports = layer.renderer.carryOut(step, at: participant.clock.host(at: room.now)) else { return }
      for report in reports { room.feed(.report(report), to: participant) }
      room.foreseeEnd(of: participant, layer: layer)
    }
  }

  func foreseeEnd(of participant: Participant, layer: PlayerLayer) {
    layer.ends += 1
    let count = layer.ends
    guard let end = layer.renderer.end(from: participant.clock.host(at: now)) else { return }
    at(end.at, of: participant) { room in
      guard layer.ends == count else { return }
      room.schedule(end, of: participant, layer: layer)
    }
  }

  private func scheduleWake(of participant: Participant, layer: PlayerLayer) {
    guard let host = layer.player.nextWake else {
      layer.wakesAt = nil
      return
    }
    let time = max(now, participant.clock.time(at: host))
    guard layer.wakesAt != time else { return }
    layer.wakesAt = time
    at(firing(of: time, for: participant)) { room in
      guard layer.wakesAt == time else { return }
      layer.wakesAt = nil
      room.feed(.tick, to: participant)
    }
  }

  /// What a coordination tells beside commands.
  func tellLayer(_ effect: PlaybackEffect, of participant: Participant) {
    switch effect {
    case .timingChanged(let change): feed(.timingChanged(change), to: participant)
    case .suspensionsChanged(let reasons): feed(.suspensionsChanged(reasons), to: participant)
    case .refused(let operation, _, _): feed(.refused(operation: operation, status: -104), to: participant)
    case .command, .commandOverdue: break
    }
  }
}
