import UnisonoBase
import UnisonoReplica
import UnisonoRuntime

// Calls about attachments, which are bytes in the module's memory: there are no files.

/// `request`: the caller's own number, which comes with what becomes of it.
@_expose(wasm, "session_attach_bytes")
@_cdecl("session_attach_bytes")
public func attach(
  now: Int64, request: Int64, data: UnsafeRawPointer, length: Int32, name: UnsafeRawPointer, nameLength: Int32, type: UnsafeRawPointer,
  typeLength: Int32
) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    let data = try Given(data, length).bytes(atMost: Int(WireLimits.attachmentSize), "data")
    let name = try Given(name, nameLength).required(atMost: WireLimits.attachmentName, "name")
    guard AttachmentValue.isPlain(name: name) else {
      throw Failure(.invalid, "name is not that of a file: no control characters, /, \\ and :")
    }
    let type = try Given(type, typeLength).visible(atMost: WireLimits.attachmentType, "type") ?? ""
    try session.requireJoined()
    session.engine.attach(.bytes(data), name: name, type: type, request: UInt64(bitPattern: request))
  }
}

/// "attachment" events say how far it is; `attachment_bytes` has it once it is "loaded".
@_expose(wasm, "session_load_attachment")
@_cdecl("session_load_attachment")
public func loadAttachment(now: Int64, id: UnsafeRawPointer, length: Int32) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    let id = try attachment(id, length)
    try session.requireJoined()
    try session.ask { $0.loadAttachment(id, to: "") }
  }
}

/// Answers the bytes of one that is here.
@_expose(wasm, "attachment_bytes")
@_cdecl("attachment_bytes")
public func attachmentBytes(now: Int64, id: UnsafeRawPointer, length: Int32) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    guard let bytes = session.engine.attachmentBytes(try attachment(id, length)) else {
      throw Failure(.notFound, "the attachment is not here; load it first")
    }
    session.environment.answer(bytes)
  }
}

@_expose(wasm, "session_cancel_attachment")
@_cdecl("session_cancel_attachment")
public func cancelAttachment(now: Int64, id: UnsafeRawPointer, length: Int32) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    let id = try attachment(id, length)
    try session.requireJoined()
    session.engine.cancelAttachment(id)
  }
}

@_expose(wasm, "session_remove_attachment")
@_cdecl("session_remove_attachment")
public func removeAttachment(now: Int64, id: UnsafeRawPointer, length: Int32) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    let id = try attachment(id, length)
    try session.requireJoined()
    try session.ask { $0.removeAttachment(id) }
  }
}

private func attachment(_ pointer: UnsafeRawPointer, _ length: Int32) throws(Failure) -> AttachmentID {
  guard let id = AttachmentID(try Given(pointer, length).bytes(atMost: AttachmentID.length, "id")) else {
    throw Failure(.invalid, "id is not that of an attachment")
  }
  return id
}
