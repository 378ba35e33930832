import CUnisono

@_cdecl("unisono_session_chat") @implementation
public func unisono_session_chat(
  _ session: OpaquePointer!, _ text: UnsafePointer<CChar>!, _ number_out: UnsafeMutablePointer<UInt64>!
) -> Int32 {
  call("unisono_session_chat") { () throws(Failure) in
    let number = try object(session, SessionObject.self).say(text)
    number_out?.pointee = number
    return 0
  }
}

@_cdecl("unisono_session_react") @implementation
public func unisono_session_react(_ session: OpaquePointer!, _ text: UnsafePointer<CChar>!) -> Int32 {
  call("unisono_session_react") { () throws(Failure) in
    try object(session, SessionObject.self).react(text)
    return 0
  }
}

@_cdecl("unisono_session_chat_history") @implementation
public func unisono_session_chat_history(
  _ session: OpaquePointer!, _ owned: UnsafeMutablePointer<UnsafePointer<unisono_chat>?>!
) -> Int32 {
  call("unisono_session_chat_history") { () throws(Failure) in
    let session = try object(session, SessionObject.self)
    guard let owned else {
      throw Failure(.UNISONO_EINVAL, "owned is NULL; give the address of a variable for the entries")
    }
    owned.pointee = session.chatHistory()
    return 0
  }
}
