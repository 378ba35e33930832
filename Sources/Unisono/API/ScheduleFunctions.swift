import CUnisono
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

@_cdecl("unisono_session_schedule_start") @implementation
public func unisono_session_schedule_start(
  _ session: OpaquePointer!, _ item: UnsafePointer<CChar>!, _ host_time: Int64, _ calendar_time: Int64
) -> Int32 {
  call("unisono_session_schedule_start") { () throws(Failure) in
    let session = try object(session, SessionObject.self)
    let item = try InputText.required(item, atMost: ItemID.maximumLength, "item")
    try session.scheduleStart(of: ItemID(item), at: host_time, calendarTime: calendar_time == .min ? nil : calendar_time)
    return 0
  }
}

@_cdecl("unisono_session_cancel_start") @implementation
public func unisono_session_cancel_start(_ session: OpaquePointer!) -> Int32 {
  call("unisono_session_cancel_start") { () throws(Failure) in
    try object(session, SessionObject.self).cancelStart()
    return 0
  }
}

@_cdecl("unisono_session_scheduled_start") @implementation
public func unisono_session_scheduled_start(
  _ session: OpaquePointer!, _ owned: UnsafeMutablePointer<UnsafePointer<unisono_scheduled_start>?>!
) -> Int32 {
  call("unisono_session_scheduled_start") { () throws(Failure) in
    let session = try object(session, SessionObject.self)
    guard let owned else { throw Failure(.UNISONO_EINVAL, "owned is NULL; give the address of a variable") }
    owned.pointee = nil
    guard let start = session.snapshot.view.schedule, start.hostTime > session.context.now else { return 0 }
    let arena = Arena()
    let body = arena.scheduled(start)
    OwnedResults.shared.give(body, of: arena)
    owned.pointee = body
    return 0
  }
}
