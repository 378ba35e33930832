import Glibc

/// The sentence of the last failing call, one per thread.
enum LastError {
  private static let capacity = 512
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { free($0) }
    return key
  }()
  /// What a thread reads that never failed. Never freed: hosts hold the pointer.
  nonisolated(unsafe) private static let empty: UnsafePointer<CChar> = {
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    text.initialize(to: 0)
    return UnsafePointer(text)
  }()

  /// Cut to 511 bytes at a character's end.
  static func set(_ message: String) {
    guard let buffer = pthread_getspecific(key) ?? fresh() else { return }
    let bytes = buffer.assumingMemoryBound(to: UInt8.self)
    var length = 0
    for scalar in message.unicodeScalars {
      let encoded = UTF8.encode(scalar).map(Array.init) ?? []
      guard length + encoded.count < capacity else { break }
      for byte in encoded {
        bytes[length] = byte
        length += 1
      }
    }
    bytes[length] = 0
  }

  static var text: UnsafePointer<CChar> {
    guard let buffer = pthread_getspecific(key) else { return empty }
    return UnsafePointer(buffer.assumingMemoryBound(to: CChar.self))
  }

  private static func fresh() -> UnsafeMutableRawPointer? {
    guard let buffer = calloc(1, capacity) else { return nil }
    pthread_setspecific(key, buffer)
    return buffer
  }
}
