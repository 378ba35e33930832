import CUnisono

@_cdecl("unisono_session_open_audience") @implementation
public func unisono_session_open_audience(
  _ session: OpaquePointer!, _ options: UnsafePointer<unisono_audience_options>!
) -> Int32 {
  call("unisono_session_open_audience") { () throws(Failure) in
    try object(session, SessionObject.self).openAudience(options)
    return 0
  }
}

@_cdecl("unisono_session_renew_audience") @implementation
public func unisono_session_renew_audience(_ session: OpaquePointer!) -> Int32 {
  call("unisono_session_renew_audience") { () throws(Failure) in
    try object(session, SessionObject.self).renewAudience()
    return 0
  }
}

@_cdecl("unisono_session_close_audience") @implementation
public func unisono_session_close_audience(_ session: OpaquePointer!) -> Int32 {
  call("unisono_session_close_audience") { () throws(Failure) in
    try object(session, SessionObject.self).closeAudience()
    return 0
  }
}

@_cdecl("unisono_session_audience_link") @implementation
public func unisono_session_audience_link(
  _ session: OpaquePointer!, _ buffer: UnsafeMutablePointer<CChar>!, _ length: UnsafeMutablePointer<Int>!
) -> Int32 {
  call("unisono_session_audience_link") { () throws(Failure) in
    try fill(buffer, length, with: try object(session, SessionObject.self).audienceLink())
    return 0
  }
}

@_cdecl("unisono_session_invite_listener") @implementation
public func unisono_session_invite_listener(_ session: OpaquePointer!, _ listener: UnsafePointer<unisono_participant_id>!) -> Int32 {
  call("unisono_session_invite_listener") { () throws(Failure) in
    try object(session, SessionObject.self).inviteListener(listener)
    return 0
  }
}

@_cdecl("unisono_coordinator_listen") @implementation
public func unisono_coordinator_listen(_ coordinator: OpaquePointer!, _ link: UnsafePointer<CChar>!) -> Int32 {
  call("unisono_coordinator_listen") { () throws(Failure) in
    try object(coordinator, CoordinatorObject.self).listen(to: link)
    return 0
  }
}

@_cdecl("unisono_coordinator_stop_listening") @implementation
public func unisono_coordinator_stop_listening(_ coordinator: OpaquePointer!) -> Int32 {
  call("unisono_coordinator_stop_listening") { () throws(Failure) in
    try object(coordinator, CoordinatorObject.self).stopListening()
    return 0
  }
}

@_cdecl("unisono_coordinator_ask_to_speak") @implementation
public func unisono_coordinator_ask_to_speak(_ coordinator: OpaquePointer!, _ text: UnsafePointer<CChar>!) -> Int32 {
  call("unisono_coordinator_ask_to_speak") { () throws(Failure) in
    try object(coordinator, CoordinatorObject.self).say(.asks, text)
    return 0
  }
}

@_cdecl("unisono_coordinator_say_to_hosts") @implementation
public func unisono_coordinator_say_to_hosts(_ coordinator: OpaquePointer!, _ text: UnsafePointer<CChar>!) -> Int32 {
  call("unisono_coordinator_say_to_hosts") { () throws(Failure) in
    try object(coordinator, CoordinatorObject.self).say(.says, text)
    return 0
  }
}

@_cdecl("unisono_coordinator_react") @implementation
public func unisono_coordinator_react(_ coordinator: OpaquePointer!, _ reaction: UnsafePointer<CChar>!) -> Int32 {
  call("unisono_coordinator_react") { () throws(Failure) in
    try object(coordinator, CoordinatorObject.self).react(reaction)
    return 0
  }
}
