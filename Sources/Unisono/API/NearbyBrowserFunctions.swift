import CUnisono

@_cdecl("unisono_browser_create") @implementation
public func unisono_browser_create(
  _ context: OpaquePointer!, _ service: UnsafePointer<unisono_service>!,
  _ callbacks: UnsafePointer<unisono_browser_callbacks>!, _ user: UnsafeMutableRawPointer!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  call("unisono_browser_create") { () throws(Failure) in
    let context = try object(context, ContextObject.self)
    let out = try cleared(out)
    out.pointee = try BrowserObject.create(in: context, service, callbacks, user).token.pointer
    return 0
  }
}

@_cdecl("unisono_browser_destroy") @implementation
public func unisono_browser_destroy(_ browser: OpaquePointer!) {
  objectToDestroy(browser, BrowserObject.self, "unisono_browser_destroy")?.destroy()
}

@_cdecl("unisono_browser_add_address") @implementation
public func unisono_browser_add_address(
  _ browser: OpaquePointer!, _ address: UnsafePointer<CChar>!, _ device: UnsafeMutablePointer<UInt64>!
) -> Int32 {
  call("unisono_browser_add_address") { () throws(Failure) in
    let browser = try object(browser, BrowserObject.self)
    guard let device else { throw Failure(.UNISONO_EINVAL, "device is NULL; give the address of a variable") }
    device.pointee = try browser.add(address)
    return 0
  }
}

@_cdecl("unisono_browser_connect") @implementation
public func unisono_browser_connect(_ browser: OpaquePointer!, _ device: UInt64) -> Int32 {
  call("unisono_browser_connect") { () throws(Failure) in
    try object(browser, BrowserObject.self).ask(device, into: nil)
    return 0
  }
}

@_cdecl("unisono_browser_invite") @implementation
public func unisono_browser_invite(_ browser: OpaquePointer!, _ device: UInt64, _ session: OpaquePointer!) -> Int32 {
  call("unisono_browser_invite") { () throws(Failure) in
    let browser = try object(browser, BrowserObject.self)
    try browser.ask(device, into: try object(session, SessionObject.self))
    return 0
  }
}

@_cdecl("unisono_browser_confirm") @implementation
public func unisono_browser_confirm(_ browser: OpaquePointer!, _ device: UInt64, _ digits_match: Int32) -> Int32 {
  call("unisono_browser_confirm") { () throws(Failure) in
    try object(browser, BrowserObject.self).confirm(device, digits_match != 0)
    return 0
  }
}
