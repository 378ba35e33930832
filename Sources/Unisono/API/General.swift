import CUnisono
import Glibc

/// Texts that hosts hold for ever.
private func eternal(_ text: StaticString) -> UnsafePointer<CChar> {
  UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

@_cdecl("unisono_version") @implementation
public func unisono_version() -> UnsafePointer<CChar>! { eternal("0.2.0") }

@_cdecl("unisono_api_version") @implementation
public func unisono_api_version() -> UInt32 { UInt32(UNISONO_API_VERSION) }

@_cdecl("unisono_strerror") @implementation
public func unisono_strerror(_ status: Int32) -> UnsafePointer<CChar>! {
  guard let known = unisono_status(rawValue: status), let text = sentence(known) else {
    return UnknownErrors.text(status)
  }
  return eternal(text)
}

@_cdecl("unisono_last_error") @implementation
public func unisono_last_error() -> UnsafePointer<CChar>! { LastError.text }

@_cdecl("unisono_host_time") @implementation
public func unisono_host_time() -> Int64 { monotonicTime() }

@_cdecl("unisono_free") @implementation
public func unisono_free(_ owned: UnsafeRawPointer!) {
  guard let owned, !ChildProcess.isForked else { return }
  OwnedResults.shared.end(owned)
}

/// CLOCK_MONOTONIC, ns; what uv_hrtime reads.
func monotonicTime() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

private func sentence(_ status: unisono_status) -> StaticString? {
  switch status {
  case .UNISONO_OK: "UNISONO_OK: no error"
  case .UNISONO_EINVAL: "UNISONO_EINVAL: invalid argument"
  case .UNISONO_ENOMEM: "UNISONO_ENOMEM: out of memory or handles"
  case .UNISONO_ECLOSED: "UNISONO_ECLOSED: the object was destroyed"
  case .UNISONO_ESTATE: "UNISONO_ESTATE: not possible in the present state"
  case .UNISONO_ETIMEDOUT: "UNISONO_ETIMEDOUT: timed out"
  case .UNISONO_ENETWORK: "UNISONO_ENETWORK: the network failed"
  case .UNISONO_EPROTOCOL: "UNISONO_EPROTOCOL: the other side does not keep the protocol"
  case .UNISONO_EVERSION: "UNISONO_EVERSION: the other side's version is too new or too old"
  case .UNISONO_EAUTH: "UNISONO_EAUTH: the other side is not who it must be"
  case .UNISONO_EDENIED: "UNISONO_EDENIED: not allowed"
  case .UNISONO_EFULL: "UNISONO_EFULL: a limit is reached"
  case .UNISONO_ETOOBIG: "UNISONO_ETOOBIG: too long, or the buffer is too small"
  case .UNISONO_ENOTFOUND: "UNISONO_ENOTFOUND: not found"
  case .UNISONO_EBUSY: "UNISONO_EBUSY: in use by another"
  case .UNISONO_ECANCELED: "UNISONO_ECANCELED: cancelled"
  case .UNISONO_EINTERNAL: "UNISONO_EINTERNAL: an error in the library itself"
  case .UNISONO_ENOTSUP: "UNISONO_ENOTSUP: not supported here"
  case .UNISONO_EIO: "UNISONO_EIO: a file could not be read or written"
  case .UNISONO_EENDED: "UNISONO_EENDED: the session was ended for everybody"
  @unknown default: nil
  }
}
