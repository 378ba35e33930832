/// The one type that reads received bytes: a window over shared bytes that only shrinks.
///
/// Nothing is copied until a value is asked for as an array; no arithmetic can overflow, because lengths are compared
/// with what remains and never added.
package struct ByteReader: Sendable {
  private let bytes: [UInt8]
  private var offset: Int
  private let limit: Int

  package init(_ bytes: [UInt8]) { self.init(bytes: bytes, offset: 0, limit: bytes.count) }

  private init(bytes: [UInt8], offset: Int, limit: Int) {
    self.bytes = bytes
    self.offset = offset
    self.limit = limit
  }

  package var remaining: Int { limit - offset }
  package var isAtEnd: Bool { offset == limit }

  /// The next `count` bytes as a window of their own. Throws `truncated`.
  package mutating func take(_ count: Int) throws(WireError) -> ByteReader {
    guard count >= 0, count <= limit - offset else { throw .truncated }
    let part = ByteReader(bytes: bytes, offset: offset, limit: offset + count)
    offset += count
    return part
  }

  /// A big-endian unsigned integer of exactly its type's width. Throws `truncated`.
  package mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(
    _: Value.Type = Value.self
  ) throws(WireError) -> Value {
    Value(truncatingIfNeeded: try bigEndian(Value.bitWidth / 8))
  }

  /// A big-endian number of at most eight bytes. Of no generic type: other modules call `integer` as it stands, and a loop of arithmetic
  /// on a type that is known only then costs more than all else in a frame's header.
  private mutating func bigEndian(_ width: Int) throws(WireError) -> UInt64 {
    guard width <= limit - offset else { throw .truncated }
    var value: UInt64 = 0
    for index in offset..<(offset + width) { value = value << 8 | UInt64(bytes[index]) }
    offset += width
    return value
  }

  /// A time, ns. Throws `truncated`; `range` for INT64_MIN, which no time is.
  package mutating func time() throws(WireError) -> Int64 {
    let value = Int64(bitPattern: try integer(UInt64.self))
    guard value != .min else { throw .range }
    return value
  }

  /// A finite number, never -0. Throws `truncated` or `range`.
  package mutating func number() throws(WireError) -> Double {
    let value = Double(bitPattern: try integer(UInt64.self))
    guard value.isFinite, !(value == 0 && value.sign == .minus) else { throw .range }
    return value
  }

  package mutating func identifier<Kind>(_: Kind.Type = Kind.self) throws(WireError) -> Identifier<Kind> {
    let high = try integer(UInt64.self)
    return Identifier(high: high, low: try integer(UInt64.self))
  }

  /// Exactly `count` bytes. Throws `truncated`.
  package mutating func array(_ count: Int) throws(WireError) -> [UInt8] { try take(count).rest }

  /// All bytes that remain, copied.
  package var rest: [UInt8] { Array(bytes[offset..<limit]) }

  /// Throws `trailing` unless everything was read.
  package func finish() throws(WireError) {
    guard isAtEnd else { throw .trailing }
  }
}
