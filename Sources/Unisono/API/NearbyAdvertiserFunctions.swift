import CUnisono

@_cdecl("unisono_advertiser_create") @implementation
public func unisono_advertiser_create(
  _ context: OpaquePointer!, _ session: OpaquePointer!, _ service: UnsafePointer<unisono_service>!,
  _ callbacks: UnsafePointer<unisono_advertiser_callbacks>!, _ user: UnsafeMutableRawPointer!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  call("unisono_advertiser_create") { () throws(Failure) in
    let context = try object(context, ContextObject.self)
    let out = try cleared(out)
    let joined: SessionObject? = if session == nil { nil } else { try object(session, SessionObject.self) }
    out.pointee = try AdvertiserObject.create(in: context, joined, service, callbacks, user).token.pointer
    return 0
  }
}

@_cdecl("unisono_advertiser_destroy") @implementation
public func unisono_advertiser_destroy(_ advertiser: OpaquePointer!) {
  objectToDestroy(advertiser, AdvertiserObject.self, "unisono_advertiser_destroy")?.destroy()
}

@_cdecl("unisono_advertiser_address") @implementation
public func unisono_advertiser_address(
  _ advertiser: OpaquePointer!, _ index: Int, _ buffer: UnsafeMutablePointer<CChar>!,
  _ length: UnsafeMutablePointer<Int>!
) -> Int32 {
  call("unisono_advertiser_address") { () throws(Failure) in
    let addresses = try object(advertiser, AdvertiserObject.self).addresses
    // A size_t above Int.max arrives negative.
    guard index >= 0, index < addresses.count else {
      throw Failure(.UNISONO_ENOTFOUND, "the advertiser has \(addresses.count) addresses")
    }
    try fill(buffer, length, with: Array(addresses[index].utf8))
    return 0
  }
}

@_cdecl("unisono_join_request_accept") @implementation
public func unisono_join_request_accept(_ request: OpaquePointer!) -> Int32 {
  call("unisono_join_request_accept") { () throws(Failure) in
    try object(request, JoinRequestObject.self).accept()
    return 0
  }
}

@_cdecl("unisono_join_request_deny") @implementation
public func unisono_join_request_deny(_ request: OpaquePointer!) -> Int32 {
  call("unisono_join_request_deny") { () throws(Failure) in
    try object(request, JoinRequestObject.self).deny()
    return 0
  }
}
