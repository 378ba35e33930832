// How JavaScript hands bytes over and takes them: in the module's memory, at addresses that it was given.

/// Room for `count` bytes, which `release` takes back.
@_expose(wasm, "allocate")
@_cdecl("allocate")
public func allocate(count: Int32) -> UnsafeMutableRawPointer {
  .allocate(byteCount: max(1, Int(count)), alignment: 8)
}

@_expose(wasm, "release")
@_cdecl("release")
public func release(pointer: UnsafeMutableRawPointer) { pointer.deallocate() }

/// Bytes that JavaScript put at an address.
func bytes(at pointer: UnsafeRawPointer, _ count: Int32) -> [UInt8] {
  Array(UnsafeRawBufferPointer(start: pointer, count: Int(count)))
}

/// What a call gives back: a text and bytes, each behind its length (4 bytes, little-endian); JavaScript releases it.
func answer(_ text: String, _ bytes: [UInt8] = []) -> UnsafeMutableRawPointer {
  let parts = [Array(text.utf8), bytes]
  let room = UnsafeMutableRawBufferPointer.allocate(byteCount: parts.reduce(0) { $0 + 4 + $1.count }, alignment: 8)
  var at = 0
  for part in parts {
    withUnsafeBytes(of: UInt32(part.count).littleEndian) { room[at..<(at + 4)].copyBytes(from: $0) }
    room[(at + 4)..<(at + 4 + part.count)].copyBytes(from: part)
    at += 4 + part.count
  }
  guard let start = room.baseAddress else { preconditionFailure("8 bytes are always there") }
  return start
}
