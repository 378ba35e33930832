import CUnisono

/// Copies a struct of the host by its `size`; accepts shorter, longer (zero tail) and unaligned ones.
///
/// `minimum` is the size in the first release of the library that had the struct.
func copied<T>(
  _ pointer: UnsafePointer<T>?, into empty: T, atLeast minimum: Int, _ name: StaticString
) throws(Failure) -> T {
  var value = empty
  guard let raw = UnsafeRawPointer(pointer) else { return value }
  let size = Int(raw.loadUnaligned(as: UInt32.self))
  let known = MemoryLayout<T>.size
  guard size >= minimum, size <= 4_096 else {
    throw Failure(.UNISONO_EINVAL, "\(name).size is \(size); fill the struct with its _INIT macro")
  }
  if size > known {
    for index in known..<size where raw.load(fromByteOffset: index, as: UInt8.self) != 0 {
      throw Failure(.UNISONO_ENOTSUP, "\(name) sets a field that this library does not know; update the library")
    }
  }
  withUnsafeMutableBytes(of: &value) { bytes in
    bytes.copyMemory(from: UnsafeRawBufferPointer(start: raw, count: min(size, known)))
  }
  return value
}

/// Writes a struct for the host: no more than the `size` it set, which stays as it is.
func write<T>(_ value: T, to pointer: UnsafeMutablePointer<T>?, _ name: StaticString) throws(Failure) {
  guard let status = writtenStatus(value, to: pointer) else { return }
  throw Failure(status, "\(name) is NULL or its size is not set; fill the struct with its _INIT macro")
}

/// The same without a message, for realtime-safe functions; nil: written.
func writtenStatus<T>(_ value: T, to pointer: UnsafeMutablePointer<T>?) -> unisono_status? {
  guard let raw = UnsafeMutableRawPointer(pointer) else { return .UNISONO_EINVAL }
  let size = raw.loadUnaligned(as: UInt32.self)
  guard size >= 8, size <= 4_096 else { return .UNISONO_EINVAL }
  withUnsafeBytes(of: value) { bytes in
    raw.copyMemory(from: bytes.baseAddress.unsafelyUnwrapped, byteCount: min(Int(size), bytes.count))
  }
  if Int(size) > MemoryLayout<T>.size {
    for index in MemoryLayout<T>.size..<Int(size) { raw.storeBytes(of: 0, toByteOffset: index, as: UInt8.self) }
  }
  raw.storeBytes(of: size, as: UInt32.self)
  return nil
}

/// A size field.
func size<T>(of type: T.Type) -> UInt32 { UInt32(MemoryLayout<T>.size) }
