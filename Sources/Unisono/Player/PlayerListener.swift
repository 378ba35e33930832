import CUnisono
import UnisonoPlayer

/// Receiver of a player's events: the `callbacks` and `user` of `unisono_player_create`.
final class PlayerListener: @unchecked Sendable {
  let callbacks: unisono_player_callbacks
  let user: UnsafeMutableRawPointer?

  typealias Function = @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<unisono_player_event>?) -> Void

  init(_ callbacks: unisono_player_callbacks, user: UnsafeMutableRawPointer?) {
    self.callbacks = callbacks
    self.user = user
  }

  func function(for kind: PlayerNotice.Kind) -> Function? {
    switch kind {
    case .timeControl: callbacks.time_control
    case .rate: callbacks.rate_changed
    case .timeJumped: callbacks.time_jumped
    case .itemStatus: callbacks.item_state
    case .itemEnded: callbacks.item_ended
    case .seekDone: callbacks.seek_done
    }
  }
}

extension PlayerNotice.Kind {
  var eventType: unisono_event_type {
    switch self {
    case .timeControl: .UNISONO_EVENT_PLAYER_TIME_CONTROL
    case .rate: .UNISONO_EVENT_PLAYER_RATE
    case .timeJumped: .UNISONO_EVENT_PLAYER_TIME_JUMPED
    case .itemStatus: .UNISONO_EVENT_PLAYER_ITEM_STATE
    case .itemEnded: .UNISONO_EVENT_PLAYER_ITEM_ENDED
    case .seekDone: .UNISONO_EVENT_PLAYER_SEEK_DONE
    }
  }

  /// Of what is a state the newest counts; the rest happened, each time.
  var queueClass: QueueClass {
    switch self {
    case .timeControl, .rate, .itemStatus: .state
    case .timeJumped: .other
    case .itemEnded, .seekDone: .kept
    }
  }
}
