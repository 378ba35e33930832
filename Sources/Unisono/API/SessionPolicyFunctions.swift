import CUnisono

@_cdecl("unisono_session_set_role") @implementation
public func unisono_session_set_role(
  _ session: OpaquePointer!, _ participant: UnsafePointer<unisono_participant_id>!, _ role: unisono_role
) -> Int32 {
  call("unisono_session_set_role") { () throws(Failure) in
    try object(session, SessionObject.self).setRole(of: participant, to: role)
    return 0
  }
}

@_cdecl("unisono_session_set_control_policy") @implementation
public func unisono_session_set_control_policy(_ session: OpaquePointer!, _ policy: unisono_control_policy) -> Int32 {
  call("unisono_session_set_control_policy") { () throws(Failure) in
    try object(session, SessionObject.self).setControl(policy)
    return 0
  }
}

@_cdecl("unisono_session_set_closed") @implementation
public func unisono_session_set_closed(_ session: OpaquePointer!, _ closed: Int32) -> Int32 {
  call("unisono_session_set_closed") { () throws(Failure) in
    try object(session, SessionObject.self).setClosed(closed)
    return 0
  }
}

@_cdecl("unisono_session_set_deputies") @implementation
public func unisono_session_set_deputies(
  _ session: OpaquePointer!, _ deputies: UnsafePointer<unisono_participant_id>!, _ count: Int,
  _ succession: unisono_succession, _ delay: Int64
) -> Int32 {
  call("unisono_session_set_deputies") { () throws(Failure) in
    try object(session, SessionObject.self).setDeputies(deputies, count, succession, delay)
    return 0
  }
}

@_cdecl("unisono_session_get_succession") @implementation
public func unisono_session_get_succession(
  _ session: OpaquePointer!, _ out: UnsafeMutablePointer<unisono_succession_state>!
) -> Int32 {
  call("unisono_session_get_succession") { () throws(Failure) in
    try write(object(session, SessionObject.self).succession, to: out, "out")
    return 0
  }
}

@_cdecl("unisono_session_request_command") @implementation
public func unisono_session_request_command(
  _ session: OpaquePointer!, _ request: UnsafePointer<unisono_request>!, _ number_out: UnsafeMutablePointer<UInt64>!
) -> Int32 {
  call("unisono_session_request_command") { () throws(Failure) in
    let number = try object(session, SessionObject.self).requestCommand(request)
    number_out?.pointee = number
    return 0
  }
}

@_cdecl("unisono_session_answer_request") @implementation
public func unisono_session_answer_request(
  _ session: OpaquePointer!, _ asker: UnsafePointer<unisono_participant_id>!, _ number: UInt64, _ granted: Int32
) -> Int32 {
  call("unisono_session_answer_request") { () throws(Failure) in
    try object(session, SessionObject.self).answerRequest(of: asker, number, isGranted: granted != 0)
    return 0
  }
}

@_cdecl("unisono_session_remove_participant") @implementation
public func unisono_session_remove_participant(
  _ session: OpaquePointer!, _ participant: UnsafePointer<unisono_participant_id>!
) -> Int32 {
  call("unisono_session_remove_participant") { () throws(Failure) in
    try object(session, SessionObject.self).remove(participant)
    return 0
  }
}
