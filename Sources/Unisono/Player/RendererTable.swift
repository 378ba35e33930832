import CUnisono
import UnisonoPlayer

/// The functions of a host's renderer, and what it can do.
struct RendererTable {
  let functions: unisono_renderer
  let abilities: RendererAbilities

  typealias Function = @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<unisono_renderer_command>?) -> Void

  /// What every renderer must have, unless all of it goes to the queue.
  private static func required(_ given: unisono_renderer) -> [(name: String, function: Function?)] {
    [
      ("load", given.load), ("play", given.play), ("pause", given.pause), ("seek", given.seek), ("stop", given.stop),
    ]
  }

  init(_ pointer: UnsafePointer<unisono_renderer>?, hasQueue: Bool) throws(Failure) {
    guard let pointer else {
      guard hasQueue else {
        throw Failure(.UNISONO_EINVAL, "renderer is NULL, and the context has no event queue for its commands")
      }
      functions = unisono_renderer()
      abilities = RendererAbilities(nudges: false, tellsPosition: false)
      return
    }
    let given = try copied(pointer, into: unisono_renderer(), atLeast: 112, "renderer")
    let known = UInt32(UNISONO_RENDERER_EXACT_START | UNISONO_RENDERER_REVERSE | UNISONO_RENDERER_NUDGES)
    guard given.capabilities & ~known == 0 else {
      throw Failure(.UNISONO_EINVAL, "renderer.capabilities has bits that are none; give UNISONO_RENDERER_...")
    }
    guard given.nudge_limit >= 0, given.nudge_limit <= 0.1 else {
      throw Failure(.UNISONO_EINVAL, "renderer.nudge_limit is \(given.nudge_limit); give 0...0.1")
    }
    guard given.dead_band >= 0 else { throw Failure(.UNISONO_EINVAL, "renderer.dead_band is negative; give ns") }
    let missing = Self.required(given).filter { $0.function == nil }
    if let first = missing.first, !hasQueue {
      throw Failure(.UNISONO_EINVAL, "renderer.\(first.name) is NULL, and the context has no event queue for it")
    }
    functions = given
    abilities = RendererAbilities(
      startsExactly: given.capabilities & UInt32(UNISONO_RENDERER_EXACT_START) != 0,
      playsBackwards: given.capabilities & UInt32(UNISONO_RENDERER_REVERSE) != 0,
      nudges: given.capabilities & UInt32(UNISONO_RENDERER_NUDGES) != 0 && (given.nudge != nil || hasQueue),
      cues: given.cue != nil || hasQueue, tellsPosition: given.now != nil, nudgeLimit: given.nudge_limit,
      deadBand: given.dead_band)
  }

  func function(for kind: RendererCommand.Kind) -> Function? {
    switch kind {
    case .load: functions.load
    case .cue: functions.cue
    case .play: functions.play
    case .pause: functions.pause
    case .seek: functions.seek
    case .nudge: functions.nudge
    case .volume: functions.set_volume
    case .size: functions.set_render_size
    case .stop: functions.stop
    }
  }
}

extension RendererCommand.Kind {
  var eventType: unisono_event_type {
    switch self {
    case .load: .UNISONO_EVENT_RENDERER_LOAD
    case .cue: .UNISONO_EVENT_RENDERER_CUE
    case .play: .UNISONO_EVENT_RENDERER_PLAY
    case .pause: .UNISONO_EVENT_RENDERER_PAUSE
    case .seek: .UNISONO_EVENT_RENDERER_SEEK
    case .nudge: .UNISONO_EVENT_RENDERER_NUDGE
    case .volume: .UNISONO_EVENT_RENDERER_VOLUME
    case .size: .UNISONO_EVENT_RENDERER_SIZE
    case .stop: .UNISONO_EVENT_RENDERER_STOP
    }
  }
}
