import CUnisono

/// Memory that is lent to one call of the C API; it goes when this does.
final class Lent {
  private var blocks: [UnsafeMutableRawPointer] = []

  deinit { for block in blocks { block.deallocate() } }

  func text(_ text: String?, _ name: StaticString) throws(UnisonoError) -> UnsafePointer<CChar>? {
    guard let text else { return nil }
    guard !text.utf8.contains(0) else {
      throw UnisonoError(.invalidArgument, "\(name): a NUL is in it, which would cut it")
    }
    let copied = copy(Array(text.utf8) + [0])
    return UnsafeRawPointer(copied).assumingMemoryBound(to: CChar.self)
  }

  func texts(_ texts: [String], _ name: StaticString) throws(UnisonoError) -> UnsafePointer<UnsafePointer<CChar>?>? {
    guard !texts.isEmpty else { return nil }
    var pointers: [UnsafePointer<CChar>?] = []
    for text in texts { pointers.append(try self.text(text, name)) }
    return UnsafePointer(copy(pointers))
  }

  /// nil when there are none.
  func bytes(_ bytes: [UInt8]) -> UnsafeRawPointer? { bytes.isEmpty ? nil : UnsafeRawPointer(copy(bytes)) }

  func one<Value: BitwiseCopyable>(_ value: Value) -> UnsafePointer<Value> { UnsafePointer(copy([value])) }

  func all<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafePointer<Value>? {
    values.isEmpty ? nil : UnsafePointer(copy(values))
  }

  private func copy<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafeMutablePointer<Value> {
    let block = UnsafeMutableBufferPointer<Value>.allocate(capacity: values.count)
    _ = block.initialize(from: values)
    let address = block.baseAddress!  // of a buffer that is not empty
    blocks.append(UnsafeMutableRawPointer(address))
    return address
  }
}

/// Reads a text from a buffer getter, however long it is.
func readText(
  _ get: (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>) -> Int32
) throws(UnisonoError) -> String {
  var room = 256
  while true {
    var length = room
    var buffer = [CChar](repeating: 0, count: room)
    let returned = get(&buffer, &length)
    if returned == unisono_status.UNISONO_ETOOBIG.rawValue && length > room {
      room = length
      continue
    }
    try check(returned)
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// Reads all texts of an indexed buffer getter.
func readTexts(
  _ get: (Int, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>) -> Int32
) throws(UnisonoError) -> [String] {
  var texts: [String] = []
  while true {
    do {
      texts.append(try readText { get(texts.count, $0, $1) })
    } catch {
      if error.status == .notFound { return texts }
      throw error
    }
  }
}

func string(_ text: UnsafePointer<CChar>?) -> String? { text.map { String(cString: $0) } }

func bytes(_ start: UnsafeRawPointer?, _ count: Int) -> [UInt8] {
  start.map { Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
}

func strings(_ start: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int) -> [String] {
  UnsafeBufferPointer(start: start, count: count).compactMap { string($0) }
}
