import Glibc

@testable import UnisonoCrypto

/// Looks for a key in all writable memory of this process, without having it in memory itself, and without a call of
/// malloc, which would take the freed memory that is to be searched.
struct MemoryScan {
  /// The key's last bytes, inverted: of a freed block malloc itself overwrites the first 16.
  private let masked: (UInt64, UInt64)

  private static let length = 16
  private static let chunk = 1 << 20
  private static let most = 1 << 18

  /// `pad`: what each byte is looked for combined with, as a keyed hash does with its key.
  init(_ secret: Secret, pad: UInt8 = 0) {
    let pads = UInt64(pad) &* 0x0101_0101_0101_0101
    masked = secret.key.withUnsafeBytes { bytes in
      (
        ~(bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self) ^ pads),
        ~(bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self) ^ pads)
      )
    }
  }

  /// For a key and for what is as good as it: the blocks that a keyed hash makes of it.
  static func forms(of secret: Secret) -> [MemoryScan] { [0, 0x36, 0x5c].map { MemoryScan(secret, pad: $0) } }

  /// Whether memory can be read here at all.
  static let isPossible: Bool = {
    let memory = open("/proc/self/mem", O_RDONLY)
    if memory >= 0 { close(memory) }
    return memory >= 0
  }()

  /// At how many places it is.
  func count() -> Int {
    let memory = open("/proc/self/mem", O_RDONLY)
    let maps = open("/proc/self/maps", O_RDONLY)
    let own = mmap(nil, Self.chunk + Self.most, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    defer {
      close(memory)
      close(maps)
      munmap(own, Self.chunk + Self.most)
    }
    guard let own, own != MAP_FAILED else { return -1 }
    let text = UnsafeMutableRawBufferPointer(start: own + Self.chunk, count: Self.most)
    var filled = 0
    while case let got = read(maps, own + Self.chunk + filled, Self.most - filled), got > 0 {
      filled += got
    }
    var found = 0
    var at = 0
    while at < filled {
      let start = Self.hex(text, &at)
      at += 1
      let end = Self.hex(text, &at)
      let isWritable = text[at + 1] == UInt8(ascii: "r") && text[at + 2] == UInt8(ascii: "w")
      while at < filled, text[at] != UInt8(ascii: "\n") { at += 1 }
      at += 1
      if isWritable, start != UInt(bitPattern: own) { found += search(start..<end, in: memory, through: own) }
    }
    return found
  }

  private func search(_ range: Range<UInt>, in memory: Int32, through buffer: UnsafeMutableRawPointer) -> Int {
    var found = 0
    var at = range.lowerBound
    let first = Int32(UInt8(truncatingIfNeeded: ~masked.0))
    while at < range.upperBound {
      let wanted = min(Int(range.upperBound - at), Self.chunk)
      let got = pread(memory, buffer, wanted, off_t(at))
      guard got >= Self.length else { return found }
      var from = 0
      while from <= got - Self.length, let hit = memchr(buffer + from, first, got - Self.length + 1 - from) {
        from = hit - buffer + 1
        let isHere =
          ~hit.loadUnaligned(as: UInt64.self) == masked.0
          && ~hit.loadUnaligned(fromByteOffset: 8, as: UInt64.self) == masked.1
        if isHere { found += 1 }
      }
      guard got == wanted, wanted == Self.chunk else { return found }
      // Overlapping, so that nothing is lost between two chunks, and nothing is found twice.
      at += UInt(got - Self.length + 1)
    }
    return found
  }

  private static func hex(_ text: UnsafeMutableRawBufferPointer, _ at: inout Int) -> UInt {
    var value: UInt = 0
    while at < text.count {
      switch text[at] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt(text[at] - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt(text[at] - UInt8(ascii: "a") + 10)
      default: return value
      }
      at += 1
    }
    return value
  }
}
