import Glibc

/// Looks for bytes in all writable memory of this process, without having them in memory itself.
struct MemoryScan {
  /// Every byte inverted.
  private let masked: [UInt8]

  init(_ secret: UnsafeRawBufferPointer) { masked = secret.map { ~$0 } }

  /// At how many places they are; nil: memory cannot be read here.
  func count() -> Int? {
    guard let maps = fopen("/proc/self/maps", "r") else { return nil }
    let memory = open("/proc/self/mem", O_RDONLY)
    defer {
      fclose(maps)
      close(memory)
    }
    guard memory >= 0 else { return nil }
    let chunk = 1 << 20
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)
    defer {
      buffer.initializeMemory(as: UInt8.self, repeating: 0)
      buffer.deallocate()
    }
    let own = UInt(bitPattern: buffer.baseAddress)
    var found = 0
    for (start, end) in Self.writable(maps) {
      var at = start
      while at < end {
        let length = min(Int(end - at), chunk)
        let read = pread(memory, buffer.baseAddress, length, off_t(at))
        guard read >= masked.count else { break }
        found += matches(
          in: UnsafeRawBufferPointer(rebasing: buffer[..<read]), at: at, except: own..<(own + UInt(chunk)))
        guard read == length, at + UInt(length) < end else { break }
        // Overlapping, so that nothing is lost between two chunks.
        at += UInt(length - masked.count + 1)
      }
    }
    return found
  }

  private func matches(in bytes: UnsafeRawBufferPointer, at start: UInt, except own: Range<UInt>) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    var (found, from) = (0, 0)
    while from <= bytes.count - masked.count,
      let hit = memchr(base + from, Int32(~masked[0]), bytes.count - masked.count + 1 - from)
    {
      let offset = hit - UnsafeMutableRawPointer(mutating: base)
      from = offset + 1
      guard !own.contains(start + UInt(offset)) else { continue }
      if (1..<masked.count).allSatisfy({ ~bytes[offset + $0] == masked[$0] }) { found += 1 }
    }
    return found
  }

  private static func writable(_ maps: UnsafeMutablePointer<FILE>) -> [(UInt, UInt)] {
    var ranges: [(UInt, UInt)] = []
    var line = [CChar](repeating: 0, count: 512)
    while fgets(&line, Int32(line.count), maps) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let fields = text.split(separator: " ")
      let ends = fields.first?.split(separator: "-").compactMap { UInt($0, radix: 16) } ?? []
      if ends.count == 2, fields.count > 1, fields[1].hasPrefix("rw") { ranges.append((ends[0], ends[1])) }
    }
    return ranges
  }
}
