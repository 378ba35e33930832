import CUnisono

@_cdecl("unisono_context_create") @implementation
public func unisono_context_create(
  _ options: UnsafePointer<unisono_context_options>!, _ callbacks: UnsafePointer<unisono_context_callbacks>!,
  _ user: UnsafeMutableRawPointer!, _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  call("unisono_context_create") { () throws(Failure) in
    let out = try cleared(out)
    let context = try ContextObject.create(try ContextOptions(options, callbacks, user: user))
    out.pointee = context.token.pointer
    return 0
  }
}

@_cdecl("unisono_context_destroy") @implementation
public func unisono_context_destroy(_ context: OpaquePointer!) {
  objectToDestroy(context, ContextObject.self, "unisono_context_destroy")?.destroy()
}

@_cdecl("unisono_context_fd") @implementation
public func unisono_context_fd(_ context: OpaquePointer!) -> Int32 {
  call("unisono_context_fd") { () throws(Failure) in try object(context, ContextObject.self).descriptor() }
}

@_cdecl("unisono_context_timeout") @implementation
public func unisono_context_timeout(_ context: OpaquePointer!) -> Int64 {
  var timeout: Int64 = 0
  let status = call("unisono_context_timeout") { () throws(Failure) in
    timeout = try object(context, ContextObject.self).timeout()
    return 0
  }
  return status == 0 ? timeout : Int64(status)
}

@_cdecl("unisono_context_poll") @implementation
public func unisono_context_poll(_ context: OpaquePointer!, _ max_wait: Int64) -> Int32 {
  call("unisono_context_poll") { () throws(Failure) in
    try object(context, ContextObject.self).poll(maxWait: max_wait)
  }
}

@_cdecl("unisono_context_next_event") @implementation
public func unisono_context_next_event(
  _ context: OpaquePointer!, _ max_wait: Int64,
  _ out: UnsafeMutablePointer<UnsafePointer<unisono_context_event>?>!
) -> Int32 {
  call("unisono_context_next_event") { () throws(Failure) in
    let context = try object(context, ContextObject.self)
    guard let out else { throw Failure(.UNISONO_EINVAL, "out is NULL; give the address of a variable for the event") }
    out.pointee = nil
    return try context.nextEvent(maxWait: max_wait, out: out)
  }
}

@_cdecl("unisono_context_wake") @implementation
public func unisono_context_wake(_ context: OpaquePointer!) -> Int32 { withLiveContext(context) { $0.wake() } }

/// Calls `body` with the context behind a host's pointer, without locks; it is not destroyed meanwhile. Returns: a status.
private func withLiveContext(_ context: OpaquePointer?, _ body: (ContextObject) -> Void) -> Int32 {
  let found = RealtimeSlots.shared.find(context, .context)
  guard let slot = found.slot else { return found.status }
  // Counted in before the look, so that destroy, which waits for the count, cannot take the context away in between.
  slot.pointee.users.wrappingAdd(1, ordering: .sequentiallyConsistent)
  defer { slot.pointee.users.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
  let address = slot.pointee.context.load(ordering: .sequentiallyConsistent)
  guard slot.pointee.token.load(ordering: .sequentiallyConsistent) == UInt(bitPattern: context),
    let raw = UnsafeRawPointer(bitPattern: address)
  else { return unisono_status.UNISONO_ECLOSED.rawValue }
  Unmanaged<ContextObject>.fromOpaque(raw)._withUnsafeGuaranteedRef { body($0) }
  return 0
}

@_cdecl("unisono_context_host_time") @implementation
public func unisono_context_host_time(_ context: OpaquePointer!) -> Int64 {
  var time: Int64 = 0
  let status = withLiveContext(context) { time = $0.now }
  return status == 0 ? time : Int64(status)
}

@_cdecl("unisono_context_call_at") @implementation
public func unisono_context_call_at(
  _ context: OpaquePointer!, _ host_time: Int64, _ fn: unisono_timer_fn!, _ user: UnsafeMutableRawPointer!,
  _ token: UnsafeMutablePointer<UInt64>!
) -> Int32 {
  call("unisono_context_call_at") { () throws(Failure) in
    try object(context, ContextObject.self).callAt(host_time, fn, user, token)
    return 0
  }
}

@_cdecl("unisono_context_cancel") @implementation
public func unisono_context_cancel(_ context: OpaquePointer!, _ token: UInt64) -> Int32 {
  call("unisono_context_cancel") { () throws(Failure) in
    try object(context, ContextObject.self).cancel(token)
    return 0
  }
}
