import CUnisono

@_cdecl("unisono_simulation_create") @implementation
public func unisono_simulation_create(
  _ options: UnsafePointer<unisono_simulation_options>!, _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  call("unisono_simulation_create") { () throws(Failure) in
    let out = try cleared(out)
    out.pointee = try SimulationObject.create(options).token.pointer
    return 0
  }
}

@_cdecl("unisono_simulation_context") @implementation
public func unisono_simulation_context(
  _ simulation: OpaquePointer!, _ options: UnsafePointer<unisono_context_options>!,
  _ callbacks: UnsafePointer<unisono_context_callbacks>!, _ user: UnsafeMutableRawPointer!, _ clock_offset: Int64,
  _ clock_drift_ppm: Double, _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  call("unisono_simulation_context") { () throws(Failure) in
    let out = try cleared(out)
    let context = try object(simulation, SimulationObject.self)
      .makeContext(options, callbacks, user: user, clockOffset: clock_offset, drift: clock_drift_ppm)
    out.pointee = context.token.pointer
    return 0
  }
}

@_cdecl("unisono_simulation_set_link") @implementation
public func unisono_simulation_set_link(
  _ simulation: OpaquePointer!, _ context: OpaquePointer!, _ link: UnsafePointer<unisono_simulated_link>!
) -> Int32 {
  call("unisono_simulation_set_link") { () throws(Failure) in
    try object(simulation, SimulationObject.self).setLink(of: try object(context, ContextObject.self), link)
    return 0
  }
}

@_cdecl("unisono_simulation_advance") @implementation
public func unisono_simulation_advance(_ simulation: OpaquePointer!, _ duration: Int64) -> Int32 {
  call("unisono_simulation_advance") { () throws(Failure) in
    try object(simulation, SimulationObject.self).advance(by: duration)
    return 0
  }
}

@_cdecl("unisono_simulation_destroy") @implementation
public func unisono_simulation_destroy(_ simulation: OpaquePointer!) {
  objectToDestroy(simulation, SimulationObject.self, "unisono_simulation_destroy")?.destroy()
}
