import Synchronization

/// Results that hosts own until `unisono_free`: addresses to the memory behind them.
final class OwnedResults: Sendable {
  static let shared = OwnedResults()

  private let arenas = Mutex<[UInt: Arena]>([:])

  func give(_ address: UnsafeRawPointer, of arena: Arena) {
    arenas.withLock { $0[UInt(bitPattern: address)] = arena }
  }

  /// An address that is none of ours is ignored.
  func end(_ address: UnsafeRawPointer) {
    // Let go of outside the lock: the arena's memory is returned by its last reference.
    let arena = arenas.withLock { $0.removeValue(forKey: UInt(bitPattern: address)) }
    withExtendedLifetime(arena) {}
  }
}
