import CUnisono
import Synchronization

/// The realtime side of the handle table: finds a slot without a lock.
final class RealtimeSlots: @unchecked Sendable {
  static let shared = RealtimeSlots()

  private static let chunkSize = 256
  /// Addresses of chunks of slots; set once, never freed.
  private let chunks: UnsafeMutablePointer<Atomic<UInt>>
  private let growing = Mutex(())

  private init() {
    let count = HandleToken.slotCount / Self.chunkSize
    chunks = .allocate(capacity: count)
    for index in 0..<count { (chunks + index).initialize(to: Atomic(0)) }
  }

  /// The slot of a token's number, used or not; nil: never was one.
  func slot(_ index: Int) -> UnsafeMutablePointer<RealtimeSlot>? {
    let address = chunks[index / Self.chunkSize].load(ordering: .acquiring)
    guard let base = UnsafeMutablePointer<RealtimeSlot>(bitPattern: address) else { return nil }
    return base + index % Self.chunkSize
  }

  func open(_ token: HandleToken) {
    growing.withLock { _ in
      if slot(token.slot) == nil {
        let base = UnsafeMutablePointer<RealtimeSlot>.allocate(capacity: Self.chunkSize)
        for index in 0..<Self.chunkSize { (base + index).initialize(to: RealtimeSlot()) }
        chunks[token.slot / Self.chunkSize].store(UInt(bitPattern: base), ordering: .releasing)
      }
    }
    guard let slot = slot(token.slot) else { return }
    slot.pointee.latch.clear()
    slot.pointee.token.store(token.raw, ordering: .releasing)
  }

  /// After this no realtime caller finds the object, and none is inside it.
  func close(_ token: HandleToken) {
    guard let slot = slot(token.slot) else { return }
    slot.pointee.token.store(0, ordering: .sequentiallyConsistent)
    slot.pointee.context.store(0, ordering: .sequentiallyConsistent)
    while slot.pointee.users.load(ordering: .sequentiallyConsistent) != 0 { sched_yield_now() }
  }

  /// The live slot of a host's pointer, or the status to return.
  func find(_ pointer: OpaquePointer?, _ kind: HandleKind) -> (slot: UnsafeMutablePointer<RealtimeSlot>?, status: Int32)
  {
    if ChildProcess.isForked { return (nil, unisono_status.UNISONO_ECLOSED.rawValue) }
    guard let token = HandleToken(pointer), token.kindNumber == kind.rawValue, let slot = slot(token.slot) else {
      return (nil, unisono_status.UNISONO_EINVAL.rawValue)
    }
    guard slot.pointee.token.load(ordering: .acquiring) == token.raw else {
      return (nil, unisono_status.UNISONO_ECLOSED.rawValue)
    }
    return (slot, 0)
  }
}
