import CUnisono

@_cdecl("unisono_session_attach") @implementation
public func unisono_session_attach(
  _ session: OpaquePointer!, _ path: UnsafePointer<CChar>!, _ name: UnsafePointer<CChar>!,
  _ media_type: UnsafePointer<CChar>!, _ request_out: UnsafeMutablePointer<UInt64>!
) -> Int32 {
  call("unisono_session_attach") { () throws(Failure) in
    let request = try object(session, SessionObject.self).attach(path: path, name: name, type: media_type)
    request_out?.pointee = request
    return 0
  }
}

@_cdecl("unisono_session_attach_bytes") @implementation
public func unisono_session_attach_bytes(
  _ session: OpaquePointer!, _ data: UnsafeRawPointer!, _ length: Int, _ name: UnsafePointer<CChar>!,
  _ media_type: UnsafePointer<CChar>!, _ request_out: UnsafeMutablePointer<UInt64>!
) -> Int32 {
  call("unisono_session_attach_bytes") { () throws(Failure) in
    let request = try object(session, SessionObject.self).attach(bytes: data, length: length, name: name, type: media_type)
    request_out?.pointee = request
    return 0
  }
}

@_cdecl("unisono_session_attachments") @implementation
public func unisono_session_attachments(
  _ session: OpaquePointer!, _ owned: UnsafeMutablePointer<UnsafePointer<unisono_attachments>?>!
) -> Int32 {
  call("unisono_session_attachments") { () throws(Failure) in
    let session = try object(session, SessionObject.self)
    guard let owned else {
      throw Failure(.UNISONO_EINVAL, "owned is NULL; give the address of a variable for the attachments")
    }
    owned.pointee = session.attachments()
    return 0
  }
}

@_cdecl("unisono_session_load_attachment") @implementation
public func unisono_session_load_attachment(
  _ session: OpaquePointer!, _ id: UnsafePointer<unisono_attachment_id>!, _ path: UnsafePointer<CChar>!
) -> Int32 {
  call("unisono_session_load_attachment") { () throws(Failure) in
    try object(session, SessionObject.self).loadAttachment(id, to: path)
    return 0
  }
}

@_cdecl("unisono_session_cancel_attachment") @implementation
public func unisono_session_cancel_attachment(
  _ session: OpaquePointer!, _ id: UnsafePointer<unisono_attachment_id>!
) -> Int32 {
  call("unisono_session_cancel_attachment") { () throws(Failure) in
    try object(session, SessionObject.self).cancelAttachment(id)
    return 0
  }
}

@_cdecl("unisono_session_remove_attachment") @implementation
public func unisono_session_remove_attachment(
  _ session: OpaquePointer!, _ id: UnsafePointer<unisono_attachment_id>!
) -> Int32 {
  call("unisono_session_remove_attachment") { () throws(Failure) in
    try object(session, SessionObject.self).removeAttachment(id)
    return 0
  }
}
