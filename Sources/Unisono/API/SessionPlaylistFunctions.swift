import CUnisono

@_cdecl("unisono_session_add_entry") @implementation
public func unisono_session_add_entry(
  _ session: OpaquePointer!, _ entry: UnsafePointer<unisono_playlist_entry>!, _ before: UnsafePointer<unisono_entry_id>!,
  _ id_out: UnsafeMutablePointer<unisono_entry_id>!
) -> Int32 {
  call("unisono_session_add_entry") { () throws(Failure) in
    let id = try object(session, SessionObject.self).addEntry(entry, before: before)
    id_out?.pointee = unisono_entry_id(id)
    return 0
  }
}

@_cdecl("unisono_session_move_entry") @implementation
public func unisono_session_move_entry(
  _ session: OpaquePointer!, _ id: UnsafePointer<unisono_entry_id>!, _ before: UnsafePointer<unisono_entry_id>!
) -> Int32 {
  call("unisono_session_move_entry") { () throws(Failure) in
    try object(session, SessionObject.self).moveEntry(id, before: before)
    return 0
  }
}

@_cdecl("unisono_session_remove_entry") @implementation
public func unisono_session_remove_entry(_ session: OpaquePointer!, _ id: UnsafePointer<unisono_entry_id>!) -> Int32 {
  call("unisono_session_remove_entry") { () throws(Failure) in
    try object(session, SessionObject.self).removeEntry(id)
    return 0
  }
}

@_cdecl("unisono_session_select_entry") @implementation
public func unisono_session_select_entry(_ session: OpaquePointer!, _ id: UnsafePointer<unisono_entry_id>!) -> Int32 {
  call("unisono_session_select_entry") { () throws(Failure) in
    try object(session, SessionObject.self).selectEntry(id)
    return 0
  }
}

@_cdecl("unisono_session_next_entry") @implementation
public func unisono_session_next_entry(_ session: OpaquePointer!, _ follows: UnsafePointer<unisono_entry_id>!) -> Int32 {
  call("unisono_session_next_entry") { () throws(Failure) in
    try object(session, SessionObject.self).nextEntry(after: follows)
    return 0
  }
}

@_cdecl("unisono_session_playlist") @implementation
public func unisono_session_playlist(
  _ session: OpaquePointer!, _ owned: UnsafeMutablePointer<UnsafePointer<unisono_playlist>?>!
) -> Int32 {
  call("unisono_session_playlist") { () throws(Failure) in
    let session = try object(session, SessionObject.self)
    guard let owned else {
      throw Failure(.UNISONO_EINVAL, "owned is NULL; give the address of a variable for the playlist")
    }
    owned.pointee = session.playlist.owned()
    return 0
  }
}

@_cdecl("unisono_session_set_copy") @implementation
public func unisono_session_set_copy(
  _ session: OpaquePointer!, _ entry: UnsafePointer<unisono_entry_id>!, _ copy: UnsafePointer<unisono_copy>!
) -> Int32 {
  call("unisono_session_set_copy") { () throws(Failure) in
    try object(session, SessionObject.self).setCopy(copy, of: entry)
    return 0
  }
}

@_cdecl("unisono_session_set_cut_offset") @implementation
public func unisono_session_set_cut_offset(
  _ session: OpaquePointer!, _ entry: UnsafePointer<unisono_entry_id>!, _ offset: Int64
) -> Int32 {
  call("unisono_session_set_cut_offset") { () throws(Failure) in
    try object(session, SessionObject.self).setCutOffset(offset, of: entry)
    return 0
  }
}

@_cdecl("unisono_copy_of_file") @implementation
public func unisono_copy_of_file(_ path: UnsafePointer<CChar>!, _ copy_out: UnsafeMutablePointer<unisono_copy>!) -> Int32 {
  call("unisono_copy_of_file") { () throws(Failure) in
    try fillCopy(ofFile: path, copy_out)
    return 0
  }
}
