import CUnisono

/// Runs the body of an API function: refuses in a forked child, turns a failure into its status and the last error.
func call(_ name: StaticString, _ body: () throws(Failure) -> Int32) -> Int32 {
  guard !ChildProcess.isForked else { return unisono_status.UNISONO_ECLOSED.rawValue }
  do throws(Failure) {
    return try body()
  } catch {
    LastError.set("\(name): \(error.message)")
    return error.status.rawValue
  }
}

/// The object behind a handle, or the failure to return.
func object<Object: APIObject>(_ pointer: OpaquePointer?, _ type: Object.Type) throws(Failure) -> Object {
  try HandleTable.shared.object(pointer, type)
}

/// The object behind a handle that is about to be destroyed; nil: nothing to do.
func objectToDestroy<Object: APIObject>(_ pointer: OpaquePointer?, _ type: Object.Type, _ name: StaticString) -> Object?
{
  guard pointer != nil, !ChildProcess.isForked else { return nil }
  do throws(Failure) {
    return try object(pointer, type)
  } catch {
    LastError.set("\(name): \(error.message)")
    return nil
  }
}

/// Destination of a maker's handle: NULL is refused, and what it points to becomes NULL until there is a handle.
func cleared(
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) throws(Failure) -> UnsafeMutablePointer<OpaquePointer?> {
  guard let out else { throw Failure(.UNISONO_EINVAL, "out is NULL; give the address of a variable for the handle") }
  out.pointee = nil
  return out
}
