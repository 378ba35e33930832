import UnisonoBase
import UnisonoCoordination
import UnisonoPlayer
import UnisonoReplica
import UnisonoRuntime

// Calls of the player of a session, or of a place in an audience. Times of an item are ns.

/// What plays is JavaScript's: it is told by "renderer" events, and says what it does by `player_report`, its position ten times a second
/// while it plays. `capabilities`: UNISONO_RENDERER_... of the C header; `nudgeLimit`: 0...0.1, 0: 0.02; `deadBand`: ns, 0: 5 ms.
@_expose(wasm, "player_create")
@_cdecl("player_create")
public func createPlayer(now: Int64, capabilities: Int32, nudgeLimit: Double, deadBand: Int64) -> UnsafeMutableRawPointer {
  performTogether(now) { (participation) throws(Failure) in
    guard capabilities & ~7 == 0 else { throw Failure(.invalid, "capabilities has bits that are none") }
    guard nudgeLimit >= 0, nudgeLimit <= 0.1 else { throw Failure(.invalid, "nudgeLimit is not 0...0.1") }
    guard deadBand >= 0 else { throw Failure(.invalid, "deadBand is negative") }
    try participation.place.attach(
      RendererAbilities(
        startsExactly: capabilities & 1 != 0, playsBackwards: capabilities & 2 != 0, nudges: capabilities & 4 != 0, tellsPosition: false,
        nudgeLimit: nudgeLimit, deadBand: deadBand))
  }
}

/// The player goes; what it was in goes on without it.
@_expose(wasm, "player_destroy")
@_cdecl("player_destroy")
public func destroyPlayer(now: Int64) -> UnsafeMutableRawPointer {
  performTogether(now) { (participation) throws(Failure) in try participation.place.detach() }
}

/// `uri`: for the renderer alone, never sent; none: the identifier. `duration` 0: not known.
@_expose(wasm, "player_replace_current_item")
@_cdecl("player_replace_current_item")
public func replaceCurrent(
  now: Int64, isLive: Int32, start: Int64, duration: Int64, identifier: UnsafeRawPointer, identifierLength: Int32, uri: UnsafeRawPointer,
  uriLength: Int32
) -> UnsafeMutableRawPointer {
  performTogether(now) { (participation) throws(Failure) in
    let id = try Given(identifier, identifierLength).item("item")
    let uri = try Given(uri, uriLength).text(atMost: 8_191, "uri")
    try checkPosition(start)
    guard isLive != 0 || start >= 0 else { throw Failure(.invalid, "start is negative") }
    guard duration >= 0 else { throw Failure(.invalid, "duration is negative") }
    try participation.place.requirePlayer().handle(
      .replaceCurrent(
        PlayerItem(
          id: id, uri: Array((uri ?? "").utf8), isLive: isLive != 0, startTime: start,
          duration: duration == 0 || duration == .max ? nil : duration)))
  }
}

/// Nothing plays here any more.
@_expose(wasm, "clear_current_item")
@_cdecl("clear_current_item")
public func clear(now: Int64) -> UnsafeMutableRawPointer {
  performTogether(now) { (participation) throws(Failure) in try participation.place.requirePlayer().handle(.replaceCurrent(nil)) }
}

private func request(_ now: Int64, _ event: PlayerEvent) -> UnsafeMutableRawPointer {
  performTogether(now) { (participation) throws(Failure) in try playerWithItem(participation).handle(event) }
}

func playerWithItem(_ participation: any Participation) throws(Failure) -> WebPlayer {
  let player = try participation.place.requirePlayer()
  guard !player.queuedItems.isEmpty else { throw Failure(.state, "there is no current item; load one first") }
  return player
}

private func checkPosition(_ itemTime: Int64) throws(Failure) {
  guard itemTime != .min, itemTime != .max else { throw Failure(.invalid, "itemTime is no position") }
}

@_expose(wasm, "player_play")
@_cdecl("player_play")
public func play(now: Int64) -> UnsafeMutableRawPointer { request(now, .play) }

@_expose(wasm, "player_pause")
@_cdecl("player_pause")
public func pause(now: Int64) -> UnsafeMutableRawPointer { request(now, .pause) }

@_expose(wasm, "player_set_rate")
@_cdecl("player_set_rate")
public func setRate(now: Int64, rate: Double) -> UnsafeMutableRawPointer {
  performTogether(now) { (participation) throws(Failure) in
    guard rate.isFinite, (-16...16).contains(rate) else { throw Failure(.invalid, "rate is not -16...16") }
    try playerWithItem(participation).handle(.setRate(rate))
  }
}

/// Answered by a "player" event of the kind "seek-done" with the number that "seeking" has.
@_expose(wasm, "player_seek")
@_cdecl("player_seek")
public func seek(now: Int64, itemTime: Int64, before: Int64, after: Int64) -> UnsafeMutableRawPointer {
  performTogether(now) { (participation) throws(Failure) in
    try checkPosition(itemTime)
    guard before >= 0, after >= 0 else { throw Failure(.invalid, "a tolerance is negative") }
    let player = try playerWithItem(participation)
    let id = player.newRequest()
    participation.report.add("seeking") { $0.add("request", number: id) }
    player.handle(.seek(id: id, to: itemTime, before: before, after: after))
  }
}

/// 0...1, the person's own.
@_expose(wasm, "player_set_volume")
@_cdecl("player_set_volume")
public func setVolume(now: Int64, volume: Double) -> UnsafeMutableRawPointer {
  performTogether(now) { (participation) throws(Failure) in
    guard volume.isFinite, (0...1).contains(volume) else { throw Failure(.invalid, "volume is not 0...1") }
    try participation.place.requirePlayer().handle(.setVolume(volume))
  }
}

/// Whether the picture is in sight.
@_expose(wasm, "show_player")
@_cdecl("show_player")
public func setShown(now: Int64, shown: Int32) -> UnsafeMutableRawPointer {
  performTogether(now) { (participation) throws(Failure) in try participation.place.requirePlayer().handle(.shown(shown != 0)) }
}

/// This player takes no part until `suspension_end` of the same number: a person has to do something first.
@_expose(wasm, "coordinator_begin_suspension")
@_cdecl("coordinator_begin_suspension")
public func beginSuspension(now: Int64, number: Int64, reason: UnsafeRawPointer, reasonLength: Int32) -> UnsafeMutableRawPointer {
  performTogether(now) { (participation) throws(Failure) in
    let reason = try Given(reason, reasonLength).required(atMost: WireLimits.reason, "reason")
    try participation.place.suspend(UInt64(bitPattern: number), reason)
  }
}

@_expose(wasm, "suspension_end")
@_cdecl("suspension_end")
public func endSuspension(now: Int64, number: Int64) -> UnsafeMutableRawPointer {
  performTogether(now) { (participation) throws(Failure) in try participation.place.resume(UInt64(bitPattern: number)) }
}

/// What the renderer has to say: `unisono_player_report`. INVALID (the least number) for what is not said.
@_expose(wasm, "player_report")
@_cdecl("player_report")
public func report(
  now: Int64, state: Int32, request: Int64, itemTime: Int64, hostTime: Int64, duration: Int64, seekableStart: Int64, seekableEnd: Int64,
  status: Int32
) -> UnsafeMutableRawPointer {
  performTogether(now) { (participation) throws(Failure) in
    guard let state = RendererReport.State(rawValue: state) else { throw Failure(.invalid, "there is no such state") }
    let hasPosition = itemTime != .min && itemTime != .max && hostTime != .min && hostTime != .max
    var seekable: ClosedRange<ItemTime>?
    if seekableStart != .min, seekableEnd != .min {
      guard seekableStart <= seekableEnd else { throw Failure(.invalid, "seekableEnd is before seekableStart") }
      seekable = seekableStart...seekableEnd
    }
    try participation.place.requirePlayer().handle(
      .report(
        RendererReport(
          state, request: UInt64(bitPattern: request),
          position: hasPosition ? PlaybackReport.Position(itemTime: itemTime, hostTime: hostTime) : nil,
          duration: duration > 0 ? duration : nil, seekable: seekable, status: status)))
  }
}

/// Answers a "statistics" event.
@_expose(wasm, "player_get_statistics")
@_cdecl("player_get_statistics")
public func statistics(now: Int64) -> UnsafeMutableRawPointer {
  performTogether(now) { (participation) throws(Failure) in
    let counted = try participation.place.requirePlayer().view.statistics
    let model = participation.groupClock
    participation.report.add("statistics") { object in
      object.add("skewLast", time: counted.skew.last)
      object.add("skewMedian", time: counted.skew.median)
      object.add("skewP95", time: counted.skew.percentile95)
      object.add("skewMaximum", time: counted.skew.maximum)
      object.add("nudges", number: counted.nudges)
      object.add("seeks", number: counted.seeks)
      object.add("stalls", number: counted.stalls)
      object.add("startLatency", time: counted.startLatency)
      object.add("roundTrip", time: participation.roundTrip)
      object.add("clockError", time: model?.error(at: now))
    }
  }
}
