import CUnisono

func ownedContinuation(_ bytes: [UInt8]) -> UnsafePointer<unisono_continuation> {
  let arena = Arena()
  let place = arena.allocate(bytes.count)
  place.copyMemory(from: bytes, byteCount: bytes.count)
  let body = unisono_continuation(
    size: size(of: unisono_continuation.self), reserved: 0, length: bytes.count, bytes: UnsafeRawPointer(place))
  let owned = UnsafePointer(arena.store(body))
  OwnedResults.shared.give(owned, of: arena)
  return owned
}
