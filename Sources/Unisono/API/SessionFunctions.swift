import CUnisono
import UnisonoRuntime

@_cdecl("unisono_session_host") @implementation
public func unisono_session_host(
  _ context: OpaquePointer!, _ options: UnsafePointer<unisono_session_options>!,
  _ callbacks: UnsafePointer<unisono_session_callbacks>!, _ user: UnsafeMutableRawPointer!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  call("unisono_session_host") { () throws(Failure) in
    let context = try object(context, ContextObject.self)
    let out = try cleared(out)
    out.pointee = try SessionObject.host(in: context, options, callbacks, user: user).token.pointer
    return 0
  }
}

@_cdecl("unisono_session_open") @implementation
public func unisono_session_open(
  _ context: OpaquePointer!, _ invite: UnsafePointer<CChar>!, _ options: UnsafePointer<unisono_session_options>!,
  _ callbacks: UnsafePointer<unisono_session_callbacks>!, _ user: UnsafeMutableRawPointer!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  call("unisono_session_open") { () throws(Failure) in
    let context = try object(context, ContextObject.self)
    let out = try cleared(out)
    out.pointee = try SessionObject.open(in: context, invite, options, callbacks, user: user).token.pointer
    return 0
  }
}

@_cdecl("unisono_session_destroy") @implementation
public func unisono_session_destroy(_ session: OpaquePointer!) {
  objectToDestroy(session, SessionObject.self, "unisono_session_destroy")?.destroy()
}

@_cdecl("unisono_session_invite") @implementation
public func unisono_session_invite(
  _ session: OpaquePointer!, _ buffer: UnsafeMutablePointer<CChar>!, _ length: UnsafeMutablePointer<Int>!
) -> Int32 {
  call("unisono_session_invite") { () throws(Failure) in
    try fill(buffer, length, with: try object(session, SessionObject.self).invite())
    return 0
  }
}

@_cdecl("unisono_session_continuation") @implementation
public func unisono_session_continuation(
  _ session: OpaquePointer!, _ key: UnsafeRawPointer!, _ key_length: Int,
  _ owned: UnsafeMutablePointer<UnsafePointer<unisono_continuation>?>!
) -> Int32 {
  call("unisono_session_continuation") { () throws(Failure) in
    let session = try object(session, SessionObject.self)
    guard let owned else { throw Failure(.UNISONO_EINVAL, "owned is NULL") }
    owned.pointee = nil
    owned.pointee = try session.continuation(key, key_length)
    return 0
  }
}

@_cdecl("unisono_invite_reach") @implementation
public func unisono_invite_reach(_ invite: UnsafePointer<CChar>!) -> Int32 {
  call("unisono_invite_reach") { () throws(Failure) in
    try givenInvite(invite).hubs.map { AddressReach(of: $0.address) }.max()?.rawValue ?? AddressReach.machine.rawValue
  }
}

@_cdecl("unisono_session_join") @implementation
public func unisono_session_join(_ session: OpaquePointer!) -> Int32 {
  call("unisono_session_join") { () throws(Failure) in
    try object(session, SessionObject.self).join()
    return 0
  }
}

@_cdecl("unisono_session_leave") @implementation
public func unisono_session_leave(_ session: OpaquePointer!) -> Int32 {
  call("unisono_session_leave") { () throws(Failure) in
    try object(session, SessionObject.self).leave()
    return 0
  }
}

@_cdecl("unisono_session_end") @implementation
public func unisono_session_end(_ session: OpaquePointer!) -> Int32 {
  call("unisono_session_end") { () throws(Failure) in
    try object(session, SessionObject.self).end()
    return 0
  }
}

@_cdecl("unisono_session_get_state") @implementation
public func unisono_session_get_state(_ session: OpaquePointer!) -> Int32 {
  call("unisono_session_get_state") { () throws(Failure) in
    try object(session, SessionObject.self).snapshot.state.status.rawValue
  }
}

@_cdecl("unisono_session_connection") @implementation
public func unisono_session_connection(_ session: OpaquePointer!) -> Int32 {
  call("unisono_session_connection") { () throws(Failure) in
    try object(session, SessionObject.self).snapshot.state.connection.rawValue
  }
}

@_cdecl("unisono_session_local_participant") @implementation
public func unisono_session_local_participant(
  _ session: OpaquePointer!, _ id_out: UnsafeMutablePointer<unisono_participant_id>!
) -> Int32 {
  call("unisono_session_local_participant") { () throws(Failure) in
    let session = try object(session, SessionObject.self)
    guard let id_out else { throw Failure(.UNISONO_EINVAL, "id_out is NULL") }
    id_out.pointee = unisono_participant_id(session.localID)
    return 0
  }
}

@_cdecl("unisono_session_participants") @implementation
public func unisono_session_participants(
  _ session: OpaquePointer!, _ owned: UnsafeMutablePointer<UnsafePointer<unisono_participants>?>!
) -> Int32 {
  call("unisono_session_participants") { () throws(Failure) in
    let session = try object(session, SessionObject.self)
    guard let owned else {
      throw Failure(.UNISONO_EINVAL, "owned is NULL; give the address of a variable for the list")
    }
    owned.pointee = ownedParticipants(session.listed(session.snapshot.view.participants))
    return 0
  }
}

@_cdecl("unisono_session_activate") @implementation
public func unisono_session_activate(
  _ session: OpaquePointer!, _ activity: UnsafePointer<unisono_activity>!
) -> Int32 {
  call("unisono_session_activate") { () throws(Failure) in
    try object(session, SessionObject.self).activate(activity)
    return 0
  }
}

@_cdecl("unisono_session_activity") @implementation
public func unisono_session_activity(
  _ session: OpaquePointer!, _ owned: UnsafeMutablePointer<UnsafePointer<unisono_activity>?>!
) -> Int32 {
  call("unisono_session_activity") { () throws(Failure) in
    let session = try object(session, SessionObject.self)
    guard let owned else { throw Failure(.UNISONO_EINVAL, "owned is NULL; give the address of a variable") }
    owned.pointee = nil
    guard let activity = session.snapshot.view.activity else { return 0 }
    let arena = Arena()
    let body = arena.activity(activity)
    OwnedResults.shared.give(body, of: arena)
    owned.pointee = body
    return 0
  }
}

@_cdecl("unisono_session_get_statistics") @implementation
public func unisono_session_get_statistics(
  _ session: OpaquePointer!, _ out: UnsafeMutablePointer<unisono_session_statistics>!
) -> Int32 {
  call("unisono_session_get_statistics") { () throws(Failure) in
    try write(try object(session, SessionObject.self).snapshot.statistics, to: out, "out")
    return 0
  }
}

@_cdecl("unisono_session_clock") @implementation
public func unisono_session_clock(_ session: OpaquePointer!, _ out: UnsafeMutablePointer<unisono_clock>!) -> Int32 {
  let found = RealtimeSlots.shared.find(session, .session)
  guard let slot = found.slot else { return found.status }
  let clock = ClockSnapshot.reported(slot.pointee.latch.read())
  // The slot may have been given to another object meanwhile.
  guard slot.pointee.token.load(ordering: .acquiring) == UInt(bitPattern: session) else {
    return unisono_status.UNISONO_ECLOSED.rawValue
  }
  if let failed = writtenStatus(clock, to: out) { return failed.rawValue }
  return clock.state == .UNISONO_CLOCK_NONE ? unisono_status.UNISONO_ESTATE.rawValue : 0
}
