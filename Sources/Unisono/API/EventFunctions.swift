import CUnisono

/// The payload behind a head, where its type is the wanted one. Takes no lock, allocates nothing.
private func payload<Body>(
  _ event: UnsafePointer<unisono_context_event>?, as body: Body.Type, where isWanted: (unisono_event_type) -> Bool
) -> UnsafePointer<Body>? {
  guard let event, isWanted(event.pointee.type) else { return nil }
  return UnsafeRawPointer(event).assumingMemoryBound(to: body)
}

extension unisono_event_type {
  fileprivate func isBetween(_ first: unisono_event_type, _ last: unisono_event_type) -> Bool {
    (first.rawValue...last.rawValue).contains(rawValue)
  }
}

@_cdecl("unisono_event_timer") @implementation
public func unisono_event_timer(_ event: UnsafePointer<unisono_context_event>!) -> UnsafePointer<unisono_timer_event>! {
  payload(event, as: unisono_timer_event.self) { $0 == .UNISONO_EVENT_TIMER }
}

@_cdecl("unisono_event_overflow") @implementation
public func unisono_event_overflow(
  _ event: UnsafePointer<unisono_context_event>!
) -> UnsafePointer<unisono_overflow_event>! {
  payload(event, as: unisono_overflow_event.self) { $0 == .UNISONO_EVENT_OVERFLOW }
}

@_cdecl("unisono_event_error") @implementation
public func unisono_event_error(_ event: UnsafePointer<unisono_context_event>!) -> UnsafePointer<unisono_error_event>! {
  payload(event, as: unisono_error_event.self) { $0 == .UNISONO_EVENT_ERROR }
}

@_cdecl("unisono_event_log") @implementation
public func unisono_event_log(_ event: UnsafePointer<unisono_context_event>!) -> UnsafePointer<unisono_log_event>! {
  payload(event, as: unisono_log_event.self) { $0 == .UNISONO_EVENT_LOG }
}

@_cdecl("unisono_event_session_state") @implementation
public func unisono_event_session_state(
  _ event: UnsafePointer<unisono_context_event>!
) -> UnsafePointer<unisono_session_state_event>! {
  payload(event, as: unisono_session_state_event.self) { $0 == .UNISONO_EVENT_SESSION_STATE }
}

@_cdecl("unisono_event_activity") @implementation
public func unisono_event_activity(
  _ event: UnsafePointer<unisono_context_event>!
) -> UnsafePointer<unisono_activity_event>! {
  payload(event, as: unisono_activity_event.self) { $0 == .UNISONO_EVENT_SESSION_ACTIVITY }
}

@_cdecl("unisono_event_participants") @implementation
public func unisono_event_participants(
  _ event: UnsafePointer<unisono_context_event>!
) -> UnsafePointer<unisono_participants_change>! {
  payload(event, as: unisono_participants_change.self) {
    $0 == .UNISONO_EVENT_SESSION_PARTICIPANTS || $0 == .UNISONO_EVENT_COORDINATOR_PARTICIPANTS
  }
}

@_cdecl("unisono_event_message") @implementation
public func unisono_event_message(_ event: UnsafePointer<unisono_context_event>!) -> UnsafePointer<unisono_message>! {
  payload(event, as: unisono_message.self) { $0 == .UNISONO_EVENT_SESSION_MESSAGE }
}

@_cdecl("unisono_event_notice") @implementation
public func unisono_event_notice(
  _ event: UnsafePointer<unisono_context_event>!
) -> UnsafePointer<unisono_notice_event>! {
  payload(event, as: unisono_notice_event.self) { $0 == .UNISONO_EVENT_SESSION_NOTICE }
}

@_cdecl("unisono_event_participant") @implementation
public func unisono_event_participant(
  _ event: UnsafePointer<unisono_context_event>!
) -> UnsafePointer<unisono_participant_event>! {
  payload(event, as: unisono_participant_event.self) {
    $0 == .UNISONO_EVENT_SESSION_FOREGROUND || $0 == .UNISONO_EVENT_SESSION_SPEAKING
  }
}

@_cdecl("unisono_event_invite") @implementation
public func unisono_event_invite(
  _ event: UnsafePointer<unisono_context_event>!
) -> UnsafePointer<unisono_invite_event>! {
  payload(event, as: unisono_invite_event.self) { $0 == .UNISONO_EVENT_SESSION_INVITE || $0 == .UNISONO_EVENT_COORDINATOR_INVITED }
}

@_cdecl("unisono_event_succession") @implementation
public func unisono_event_succession(
  _ event: UnsafePointer<unisono_context_event>!
) -> UnsafePointer<unisono_succession_event>! {
  payload(event, as: unisono_succession_event.self) { $0 == .UNISONO_EVENT_SESSION_SUCCESSION }
}

@_cdecl("unisono_event_request") @implementation
public func unisono_event_request(
  _ event: UnsafePointer<unisono_context_event>!
) -> UnsafePointer<unisono_request_event>! {
  payload(event, as: unisono_request_event.self) { $0 == .UNISONO_EVENT_SESSION_REQUEST }
}

@_cdecl("unisono_event_ignored") @implementation
public func unisono_event_ignored(
  _ event: UnsafePointer<unisono_context_event>!
) -> UnsafePointer<unisono_ignored_event>! {
  payload(event, as: unisono_ignored_event.self) { $0 == .UNISONO_EVENT_SESSION_IGNORED }
}

@_cdecl("unisono_event_clock_doubt") @implementation
public func unisono_event_clock_doubt(
  _ event: UnsafePointer<unisono_context_event>!
) -> UnsafePointer<unisono_clock_doubt_event>! {
  payload(event, as: unisono_clock_doubt_event.self) { $0 == .UNISONO_EVENT_SESSION_CLOCK_DOUBT }
}

@_cdecl("unisono_event_split") @implementation
public func unisono_event_split(_ event: UnsafePointer<unisono_context_event>!) -> UnsafePointer<unisono_split_event>! {
  payload(event, as: unisono_split_event.self) { $0 == .UNISONO_EVENT_SESSION_SPLIT }
}

@_cdecl("unisono_event_hub_doubt") @implementation
public func unisono_event_hub_doubt(
  _ event: UnsafePointer<unisono_context_event>!
) -> UnsafePointer<unisono_hub_doubt_event>! {
  payload(event, as: unisono_hub_doubt_event.self) { $0 == .UNISONO_EVENT_SESSION_HUB_DOUBT }
}

@_cdecl("unisono_event_chat") @implementation
public func unisono_event_chat(
  _ event: UnsafePointer<unisono_context_event>!
) -> UnsafePointer<unisono_chat_event>! {
  payload(event, as: unisono_chat_event.self) { $0 == .UNISONO_EVENT_SESSION_CHAT }
}

@_cdecl("unisono_event_playlist") @implementation
public func unisono_event_playlist(
  _ event: UnsafePointer<unisono_context_event>!
) -> UnsafePointer<unisono_playlist_event>! {
  payload(event, as: unisono_playlist_event.self) { $0 == .UNISONO_EVENT_SESSION_PLAYLIST }
}

@_cdecl("unisono_event_copy") @implementation
public func unisono_event_copy(_ event: UnsafePointer<unisono_context_event>!) -> UnsafePointer<unisono_copy_event>! {
  payload(event, as: unisono_copy_event.self) { $0 == .UNISONO_EVENT_SESSION_COPY }
}

@_cdecl("unisono_event_schedule") @implementation
public func unisono_event_schedule(
  _ event: UnsafePointer<unisono_context_event>!
) -> UnsafePointer<unisono_schedule_event>! {
  payload(event, as: unisono_schedule_event.self) { $0 == .UNISONO_EVENT_SESSION_SCHEDULE }
}

@_cdecl("unisono_event_audience") @implementation
public func unisono_event_audience(
  _ event: UnsafePointer<unisono_context_event>!
) -> UnsafePointer<unisono_audience_event>! {
  payload(event, as: unisono_audience_event.self) { $0 == .UNISONO_EVENT_SESSION_AUDIENCE }
}

@_cdecl("unisono_event_listener") @implementation
public func unisono_event_listener(
  _ event: UnsafePointer<unisono_context_event>!
) -> UnsafePointer<unisono_listener_event>! {
  payload(event, as: unisono_listener_event.self) { $0 == .UNISONO_EVENT_SESSION_LISTENER }
}

@_cdecl("unisono_event_listening") @implementation
public func unisono_event_listening(
  _ event: UnsafePointer<unisono_context_event>!
) -> UnsafePointer<unisono_listening_event>! {
  payload(event, as: unisono_listening_event.self) { $0 == .UNISONO_EVENT_COORDINATOR_LISTENING }
}

@_cdecl("unisono_event_attachment") @implementation
public func unisono_event_attachment(
  _ event: UnsafePointer<unisono_context_event>!
) -> UnsafePointer<unisono_attachment_event>! {
  payload(event, as: unisono_attachment_event.self) { $0 == .UNISONO_EVENT_SESSION_ATTACHMENT }
}

@_cdecl("unisono_event_activation") @implementation
public func unisono_event_activation(
  _ event: UnsafePointer<unisono_context_event>!
) -> UnsafePointer<unisono_activation_event>! {
  payload(event, as: unisono_activation_event.self) {
    $0 == .UNISONO_EVENT_SESSION_CONSENT || $0 == .UNISONO_EVENT_SESSION_ACTIVATION
  }
}

@_cdecl("unisono_event_command") @implementation
public func unisono_event_command(_ event: UnsafePointer<unisono_context_event>!) -> UnsafePointer<unisono_command>! {
  payload(event, as: unisono_command.self) {
    $0.isBetween(.UNISONO_EVENT_COORDINATOR_PLAY, .UNISONO_EVENT_COORDINATOR_BUFFER)
  }
}

@_cdecl("unisono_event_suspensions") @implementation
public func unisono_event_suspensions(
  _ event: UnsafePointer<unisono_context_event>!
) -> UnsafePointer<unisono_suspensions_change>! {
  payload(event, as: unisono_suspensions_change.self) { $0 == .UNISONO_EVENT_COORDINATOR_SUSPENSIONS }
}

@_cdecl("unisono_event_timing") @implementation
public func unisono_event_timing(
  _ event: UnsafePointer<unisono_context_event>!
) -> UnsafePointer<unisono_timing_change>! {
  payload(event, as: unisono_timing_change.self) { $0 == .UNISONO_EVENT_COORDINATOR_TIMING }
}

@_cdecl("unisono_event_player") @implementation
public func unisono_event_player(
  _ event: UnsafePointer<unisono_context_event>!
) -> UnsafePointer<unisono_player_event>! {
  payload(event, as: unisono_player_event.self) {
    $0.isBetween(.UNISONO_EVENT_PLAYER_TIME_CONTROL, .UNISONO_EVENT_PLAYER_SEEK_DONE)
  }
}

@_cdecl("unisono_event_renderer") @implementation
public func unisono_event_renderer(
  _ event: UnsafePointer<unisono_context_event>!
) -> UnsafePointer<unisono_renderer_command>! {
  payload(event, as: unisono_renderer_command.self) {
    $0.isBetween(.UNISONO_EVENT_RENDERER_LOAD, .UNISONO_EVENT_RENDERER_STOP)
  }
}

@_cdecl("unisono_event_surface") @implementation
public func unisono_event_surface(
  _ event: UnsafePointer<unisono_context_event>!
) -> UnsafePointer<unisono_surface_event>! {
  payload(event, as: unisono_surface_event.self) {
    $0.isBetween(.UNISONO_EVENT_SURFACE_CHANGED, .UNISONO_EVENT_SURFACE_RESTORE)
  }
}

@_cdecl("unisono_event_nearby") @implementation
public func unisono_event_nearby(
  _ event: UnsafePointer<unisono_context_event>!
) -> UnsafePointer<unisono_nearby_event>! {
  payload(event, as: unisono_nearby_event.self) {
    $0.isBetween(.UNISONO_EVENT_NEARBY_JOIN_REQUESTED, .UNISONO_EVENT_NEARBY_FAILED)
  }
}
