import CUnisono

@_cdecl("unisono_hub_create") @implementation
public func unisono_hub_create(
  _ context: OpaquePointer!, _ options: UnsafePointer<unisono_hub_options>!,
  _ callbacks: UnsafePointer<unisono_hub_callbacks>!, _ user: UnsafeMutableRawPointer!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  call("unisono_hub_create") { () throws(Failure) in
    let context = try object(context, ContextObject.self)
    let out = try cleared(out)
    out.pointee = try HubObject.create(in: context, options, callbacks, user: user).token.pointer
    return 0
  }
}

@_cdecl("unisono_hub_destroy") @implementation
public func unisono_hub_destroy(_ hub: OpaquePointer!) {
  objectToDestroy(hub, HubObject.self, "unisono_hub_destroy")?.destroy()
}

@_cdecl("unisono_hub_line") @implementation
public func unisono_hub_line(
  _ hub: OpaquePointer!, _ index: Int, _ buffer: UnsafeMutablePointer<CChar>!, _ length: UnsafeMutablePointer<Int>!
) -> Int32 {
  call("unisono_hub_line") { () throws(Failure) in
    let lines = try object(hub, HubObject.self).lines
    // A size_t above Int.max arrives negative.
    guard index >= 0, index < lines.count else {
      throw Failure(.UNISONO_ENOTFOUND, "the hub has \(lines.count) addresses")
    }
    try fill(buffer, length, with: Array(lines[index].utf8))
    return 0
  }
}

@_cdecl("unisono_hub_get_statistics") @implementation
public func unisono_hub_get_statistics(
  _ hub: OpaquePointer!, _ out: UnsafeMutablePointer<unisono_hub_statistics>!
) -> Int32 {
  call("unisono_hub_get_statistics") { () throws(Failure) in
    let counted = try object(hub, HubObject.self).statistics
    var body = unisono_hub_statistics()
    body.rooms = counted.rooms
    body.connections = counted.connections
    body.frames_in = counted.framesIn
    body.frames_out = counted.framesOut
    body.bytes_in = counted.bytesIn
    body.bytes_out = counted.bytesOut
    body.refused = counted.refused
    body.closed_slow = counted.closedSlow
    body.probes = counted.probes
    try write(body, to: out, "out")
    return 0
  }
}
