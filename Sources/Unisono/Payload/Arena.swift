import Glibc
import UnisonoBase

/// Memory of one payload or one owned result: structs, tables and texts that point to each other and end together.
final class Arena: @unchecked Sendable {
  private var chunks: [UnsafeMutableRawPointer] = []
  private var next: UnsafeMutableRawPointer?
  private var room = 0
  /// Bytes handed out.
  private(set) var used = 0

  deinit { for chunk in chunks { chunk.deallocate() } }

  /// Zeroed, aligned to 16.
  func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
    let rounded = max(16, (byteCount + 15) & ~15)
    used += rounded
    if let place = next, room >= rounded {
      next = place + rounded
      room -= rounded
      return place
    }
    let size = max(rounded, 512)
    let chunk = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    memset(chunk, 0, size)
    chunks.append(chunk)
    next = chunk + rounded
    room = size - rounded
    return chunk
  }

  func store<T>(_ value: T) -> UnsafeMutablePointer<T> {
    let place = allocate(MemoryLayout<T>.size).bindMemory(to: T.self, capacity: 1)
    place.initialize(to: value)
    return place
  }

  /// NULL for none.
  func store<T>(_ values: [T]) -> UnsafePointer<T>? {
    guard !values.isEmpty else { return nil }
    let place = allocate(MemoryLayout<T>.stride * values.count).bindMemory(to: T.self, capacity: values.count)
    for (index, value) in values.enumerated() { (place + index).initialize(to: value) }
    return UnsafePointer(place)
  }

  func text(_ bytes: some Collection<UInt8>) -> UnsafePointer<CChar> {
    let place = allocate(bytes.count + 1).bindMemory(to: UInt8.self, capacity: bytes.count + 1)
    var index = 0
    for byte in bytes {
      place[index] = byte
      index += 1
    }
    return UnsafeRawPointer(place).assumingMemoryBound(to: CChar.self)
  }

  func text(_ text: String) -> UnsafePointer<CChar> { self.text(text.utf8) }
  func text(_ text: String?) -> UnsafePointer<CChar>? { text.map { self.text($0.utf8) } }

  /// A text of others for people, without what could steer a terminal.
  func visible(_ text: String) -> UnsafePointer<CChar> { self.text(VisibleText.plain(text)) }
  func visible(_ text: String?) -> UnsafePointer<CChar>? { text.map { visible($0) } }

  /// The same of a text with several lines.
  func visible(lines text: String) -> UnsafePointer<CChar> { self.text(VisibleText.plain(lines: text)) }

  func texts(_ texts: [String]) -> UnsafePointer<UnsafePointer<CChar>?>? {
    store(texts.map { Optional(text($0)) })
  }
}
