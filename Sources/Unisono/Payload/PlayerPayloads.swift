import CUnisono
import UnisonoBase
import UnisonoPlayer

extension Payload {
  /// RENDERER_...
  static func renderer(_ origin: EventOrigin, _ command: RendererCommand) -> Payload {
    Payload { arena in
      var body = unisono_renderer_command()
      body.base = origin.head(command.kind.eventType, of: unisono_renderer_command.self)
      body.request = command.request
      body.item = command.item.map { arena.text($0.utf8) }
      body.uri = command.item.map { arena.text(command.uri.isEmpty ? $0.utf8 : command.uri) }
      body.rate = command.rate
      body.item_time = command.itemTime
      body.host_time = command.hostTime ?? .min
      body.tolerance_before = command.toleranceBefore
      body.tolerance_after = command.toleranceAfter
      body.volume = command.volume
      body.width = command.width
      body.height = command.height
      return body
    }
  }

  /// PLAYER_...
  static func player(_ origin: EventOrigin, _ notice: PlayerNotice) -> Payload {
    Payload { arena in
      var body = unisono_player_event()
      body.base = origin.head(notice.kind.eventType, of: unisono_player_event.self)
      body.time_control =
        unisono_time_control(rawValue: notice.timeControl.status.rawValue) ?? .UNISONO_TIME_CONTROL_PAUSED
      body.waiting_reason =
        unisono_waiting_reason(rawValue: notice.timeControl.reason.rawValue) ?? .UNISONO_WAITING_NONE
      body.item_state = unisono_item_state(rawValue: notice.itemStatus.rawValue) ?? .UNISONO_ITEM_UNKNOWN
      body.rate_reason =
        unisono_rate_reason(rawValue: notice.rateReason.rawValue) ?? .UNISONO_RATE_REASON_SET_RATE_CALLED
      body.originator = unisono_participant_id(notice.originator)
      body.item = notice.item.map { arena.text($0.utf8) }
      body.rate = notice.rate
      body.item_time = notice.itemTime ?? .min
      body.host_time = notice.hostTime ?? .min
      body.request = notice.request
      body.status = notice.number
      return body
    }
  }

  /// SURFACE_...
  /// `position`: where the player is, if that is newer than the view.
  static func surface(
    _ origin: EventOrigin, _ type: unisono_event_type, _ view: MediaPlayerView, request: UInt64 = 0,
    status: unisono_status = .UNISONO_OK, at position: (itemTime: ItemTime, hostTime: HostTime)? = nil
  ) -> Payload {
    Payload { _ in
      let range = view.surfaceRange
      return unisono_surface_event(
        base: origin.head(type, of: unisono_surface_event.self), request: request,
        is_paused: view.timeControl.status == .paused ? 1 : 0, status: status.rawValue, start: range.start,
        duration: range.duration, item_time: position?.itemTime ?? view.position?.itemTime ?? .min,
        host_time: position?.hostTime ?? view.position?.hostTime ?? .min)
    }
  }
}

extension PlayerNotice {
  /// Of a seek: how it went; of an item: why it failed.
  var number: Int32 {
    switch outcome {
    case .done: status
    case .cancelled: unisono_status.UNISONO_ECANCELED.rawValue
    case .failed: status < 0 ? status : unisono_status.UNISONO_ESTATE.rawValue
    }
  }
}

extension MediaPlayerView {
  /// What a progress bar shows; `start` INVALID: nothing to play; `duration` INVALID: not known.
  var surfaceRange: (start: ItemTime, duration: Nanoseconds) {
    guard item != nil else { return (.min, .min) }
    if item?.isLive == true || duration == .max { return (seekable?.lowerBound ?? 0, .max) }
    return (0, duration ?? .min)
  }
}
