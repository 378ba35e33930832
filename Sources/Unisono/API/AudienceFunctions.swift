import CUnisono

@_cdecl("unisono_session_open_audience") @implementation
public func unisono_session_open_audience(_ session: OpaquePointer!) -> Int32 {
  call("unisono_session_open_audience") { () throws(Failure) in
    try object(session, SessionObject.self).openAudience()
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
