import CUnisono
import UnisonoBase
import UnisonoRuntime

extension Payload {
  /// SESSION_AUDIENCE.
  static func audience(_ origin: EventOrigin, _ news: AudienceNews) -> Payload {
    Payload { arena in
      unisono_audience_event(
        base: origin.head(.UNISONO_EVENT_SESSION_AUDIENCE, of: unisono_audience_event.self),
        state: unisono_audience_state(rawValue: news.state.rawValue) ?? .UNISONO_AUDIENCE_CLOSED,
        listeners: news.listeners, left_out: news.leftOut, ready: news.ready, reason: arena.visible(news.reason),
        reactions: arena.reactions(news.reactions), reaction_count: news.reactions.count)
    }
  }

  /// SESSION_LISTENER.
  static func listener(_ origin: EventOrigin, _ news: ListenerNews) -> Payload {
    Payload { arena in
      unisono_listener_event(
        base: origin.head(.UNISONO_EVENT_SESSION_LISTENER, of: unisono_listener_event.self),
        listener: unisono_participant_id(news.listener), text: arena.text(news.text),
        word: news.word == .asks ? .UNISONO_LISTENER_ASKS : .UNISONO_LISTENER_SAYS, reserved: 0)
    }
  }

  /// COORDINATOR_LISTENING.
  static func listening(_ origin: EventOrigin, _ news: ListeningNews) -> Payload {
    Payload { arena in
      unisono_listening_event(
        base: origin.head(.UNISONO_EVENT_COORDINATOR_LISTENING, of: unisono_listening_event.self),
        status: unisono_listening_status(rawValue: news.status.rawValue) ?? .UNISONO_LISTENING_OVER,
        listeners: news.listeners, item: news.item.map { arena.text($0.utf8) },
        activity: news.activity.map { arena.activity($0) }, reason: arena.visible(news.reason),
        clock_ahead: news.clock.ahead ?? .min, clock_behind: news.clock.behind ?? .min, clock_doubt: news.clock.isDoubted ? 1 : 0,
        reserved: 0, reactions: arena.reactions(news.reactions), reaction_count: news.reactions.count)
    }
  }
}

extension Arena {
  /// nil: there are none.
  fileprivate func reactions(_ counts: [ReactionCount]) -> UnsafePointer<unisono_reaction_count>? {
    store(counts.map { unisono_reaction_count(reaction: visible($0.text), count: $0.count, reserved: 0) })
  }
}
