import Synchronization

/// State of an object that realtime-safe functions may touch: atomics in memory that is never freed, so that they may race destroy.
struct RealtimeSlot: ~Copyable {
  /// The live token; 0: none.
  let token = Atomic<UInt>(0)
  /// Realtime callers that are inside `wake` just now; destroy waits until they are out.
  let users = Atomic<Int>(0)
  /// Unmanaged context while it may be woken; 0: not.
  let context = Atomic<UInt>(0)
  /// What is read: the timing of a coordinator, the clock of a session.
  let latch = Latch()
}
