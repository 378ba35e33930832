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

@_cdecl("unisono_session_remove_participant") @implementation
public func unisono_session_remove_participant(
  _ session: OpaquePointer!, _ participant: UnsafePointer<unisono_participant_id>!
) -> Int32 {
  call("unisono_session_remove_participant") { () throws(Failure) in
    try object(session, SessionObject.self).remove(participant)
    return 0
  }
}
