import CUnisono

@_cdecl("unisono_surface_create") @implementation
public func unisono_surface_create(
  _ player: OpaquePointer!, _ kind: unisono_surface_kind, _ callbacks: UnsafePointer<unisono_surface_callbacks>!,
  _ user: UnsafeMutableRawPointer!, _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  call("unisono_surface_create") { () throws(Failure) in
    let player = try livePlayer(player)
    let out = try cleared(out)
    out.pointee = try SurfaceObject.create(player, kind, callbacks, user: user).token.pointer
    return 0
  }
}

@_cdecl("unisono_surface_destroy") @implementation
public func unisono_surface_destroy(_ surface: OpaquePointer!) {
  objectToDestroy(surface, SurfaceObject.self, "unisono_surface_destroy")?.destroy()
}

@_cdecl("unisono_surface_begin") @implementation
public func unisono_surface_begin(_ surface: OpaquePointer!) -> Int32 {
  call("unisono_surface_begin") { () throws(Failure) in
    try object(surface, SurfaceObject.self).begin()
    return 0
  }
}

@_cdecl("unisono_surface_end") @implementation
public func unisono_surface_end(_ surface: OpaquePointer!) -> Int32 {
  call("unisono_surface_end") { () throws(Failure) in
    try object(surface, SurfaceObject.self).end()
    return 0
  }
}

@_cdecl("unisono_surface_set_playing") @implementation
public func unisono_surface_set_playing(_ surface: OpaquePointer!, _ playing: Int32) -> Int32 {
  call("unisono_surface_set_playing") { () throws(Failure) in
    try object(surface, SurfaceObject.self).player.request(playing != 0 ? .play : .pause)
    return 0
  }
}

@_cdecl("unisono_surface_skip_by") @implementation
public func unisono_surface_skip_by(
  _ surface: OpaquePointer!, _ interval: Int64, _ request: UnsafeMutablePointer<UInt64>!
) -> Int32 {
  call("unisono_surface_skip_by") { () throws(Failure) in
    try object(surface, SurfaceObject.self).skip(by: interval, request)
    return 0
  }
}

@_cdecl("unisono_surface_time_range") @implementation
public func unisono_surface_time_range(
  _ surface: OpaquePointer!, _ start: UnsafeMutablePointer<Int64>!, _ duration: UnsafeMutablePointer<Int64>!
) -> Int32 {
  call("unisono_surface_time_range") { () throws(Failure) in
    let range = try object(surface, SurfaceObject.self).player.view.surfaceRange
    guard let start, let duration else { throw Failure(.UNISONO_EINVAL, "start or duration is NULL") }
    start.pointee = range.start
    duration.pointee = range.duration
    return 0
  }
}

@_cdecl("unisono_surface_is_paused") @implementation
public func unisono_surface_is_paused(_ surface: OpaquePointer!) -> Int32 {
  call("unisono_surface_is_paused") { () throws(Failure) in
    return try object(surface, SurfaceObject.self).player.view.timeControl.status == .paused ? 1 : 0
  }
}

@_cdecl("unisono_surface_set_render_size") @implementation
public func unisono_surface_set_render_size(
  _ surface: OpaquePointer!, _ width: Int32, _ height: Int32
) -> Int32 {
  call("unisono_surface_set_render_size") { () throws(Failure) in
    let surface = try object(surface, SurfaceObject.self)
    guard (0...65_535).contains(width), (0...65_535).contains(height) else {
      throw Failure(.UNISONO_EINVAL, "the size is \(width) x \(height); give 0...65,535 pixels")
    }
    try surface.player.submit(.setRenderSize(width: width, height: height))
    return 0
  }
}

@_cdecl("unisono_surface_complete_restore") @implementation
public func unisono_surface_complete_restore(_ surface: OpaquePointer!, _ request: UInt64, _ restored: Int32) -> Int32 {
  call("unisono_surface_complete_restore") { () throws(Failure) in
    try object(surface, SurfaceObject.self).restoreDone(request, restored: restored != 0)
    return 0
  }
}
