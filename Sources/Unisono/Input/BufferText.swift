import CUnisono

/// A text for the host's buffer: `length` in is the capacity, out the bytes needed with NUL.
func fill(
  _ buffer: UnsafeMutablePointer<CChar>?, _ length: UnsafeMutablePointer<Int>?, with text: [UInt8]
) throws(Failure) {
  guard let length else { throw Failure(.UNISONO_EINVAL, "length is NULL; it holds the buffer's capacity") }
  // A size_t above Int.max arrives negative: more room than any text needs.
  let given = UnsafeMutableRawPointer(length).loadUnaligned(as: Int.self)
  let capacity = given < 0 ? Int.max : given
  guard buffer != nil || capacity == 0 else {
    throw Failure(.UNISONO_EINVAL, "buffer is NULL, but its capacity is not 0")
  }
  let needed = text.count + 1
  UnsafeMutableRawPointer(length).storeBytes(of: needed, as: Int.self)
  guard let buffer, capacity >= needed else {
    if capacity > 0 { buffer?.pointee = 0 }
    throw Failure(.UNISONO_ETOOBIG, "the buffer is too small; \(needed) bytes are needed")
  }
  for (index, byte) in text.enumerated() { buffer[index] = CChar(bitPattern: byte) }
  buffer[text.count] = 0
}
