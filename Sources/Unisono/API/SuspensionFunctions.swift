import CUnisono

@_cdecl("unisono_suspension_end") @implementation
public func unisono_suspension_end(_ suspension: OpaquePointer!) -> Int32 {
  call("unisono_suspension_end") { () throws(Failure) in
    try object(suspension, SuspensionObject.self).end(proposing: nil)
    return 0
  }
}

@_cdecl("unisono_suspension_end_proposing") @implementation
public func unisono_suspension_end_proposing(_ suspension: OpaquePointer!, _ item_time: Int64) -> Int32 {
  call("unisono_suspension_end_proposing") { () throws(Failure) in
    try object(suspension, SuspensionObject.self).end(proposing: item_time == .min ? nil : item_time)
    return 0
  }
}

@_cdecl("unisono_suspension_reason") @implementation
public func unisono_suspension_reason(
  _ suspension: OpaquePointer!, _ buffer: UnsafeMutablePointer<CChar>!, _ length: UnsafeMutablePointer<Int>!
) -> Int32 {
  call("unisono_suspension_reason") { () throws(Failure) in
    try fill(buffer, length, with: Array(try object(suspension, SuspensionObject.self).reason.utf8))
    return 0
  }
}

@_cdecl("unisono_suspension_begin_time") @implementation
public func unisono_suspension_begin_time(
  _ suspension: OpaquePointer!, _ host_time_out: UnsafeMutablePointer<Int64>!
) -> Int32 {
  call("unisono_suspension_begin_time") { () throws(Failure) in
    let suspension = try object(suspension, SuspensionObject.self)
    guard let host_time_out else { throw Failure(.UNISONO_EINVAL, "host_time_out is NULL") }
    host_time_out.pointee = suspension.beginTime
    return 0
  }
}

@_cdecl("unisono_suspension_destroy") @implementation
public func unisono_suspension_destroy(_ suspension: OpaquePointer!) {
  objectToDestroy(suspension, SuspensionObject.self, "unisono_suspension_destroy")?.destroy()
}
