/// Bytes on their way to one receiver after the other: one buffer of a hub's, in which records are sealed and which their sockets are
/// written from. What a socket does not take is copied from it.
///
/// A class, as sockets are written while it is in use: no room of the hub's may be under change then.
final class SealingBuffer {
  private var room = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * HubLimits.sealedAhead, alignment: 16)
  /// Lengths of what it has, records with what goes before them.
  private(set) var lengths: [Int] = []
  private(set) var count = 0

  deinit { room.deallocate() }

  var isEmpty: Bool { count == 0 }

  /// Valid until it is next changed.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: room[..<count]) }

  func removeAll() {
    count = 0
    lengths.removeAll(keepingCapacity: true)
  }

  /// Room for a record of `length` bytes behind `head`; it is there once `add` says so, with the same numbers.
  func room(for length: Int, behind head: [UInt8]) -> UnsafeMutableRawBufferPointer {
    let whole = head.count + length
    if room.count - count < whole { grow(to: count + whole) }
    if !head.isEmpty { UnsafeMutableRawBufferPointer(rebasing: room[count..<(count + head.count)]).copyBytes(from: head) }
    return UnsafeMutableRawBufferPointer(rebasing: room[(count + head.count)..<(count + whole)])
  }

  /// The bytes that `room(for:behind:)` was filled with are there.
  func add(_ length: Int, behind head: [UInt8]) {
    count += head.count + length
    lengths.append(head.count + length)
  }

  private func grow(to length: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * length, alignment: 16)
    larger.copyMemory(from: bytes)
    room.deallocate()
    room = larger
  }
}
