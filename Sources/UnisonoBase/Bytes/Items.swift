/// Walks items (tag u8, length u24, value): tags strictly ascending, equal ones only where a list is declared.
package struct Items: Sendable {
  private var reader: ByteReader
  private let lists: [UInt8]
  private var last: UInt8 = 0

  /// `lists`: the tags that may repeat.
  package init(_ reader: ByteReader, lists: [UInt8] = []) {
    self.reader = reader
    self.lists = lists
  }

  package init(_ bytes: [UInt8], lists: [UInt8] = []) { self.init(ByteReader(bytes), lists: lists) }

  /// The next item; nil at the end. Throws `truncated` or `order`.
  package mutating func next() throws(WireError) -> Item? {
    if reader.isAtEnd { return nil }
    let word = try reader.integer(UInt32.self)
    let tag = UInt8(truncatingIfNeeded: word >> 24)
    guard tag > last || (tag == last && lists.contains(tag)), tag != 0 else { throw .order }
    last = tag
    return Item(tag: tag, value: try reader.take(Int(word & 0xFF_FFFF)))
  }

  /// How many elements of at least `smallest` bytes can still come, at most `limit`: what may be reserved.
  package func capacity(smallest: Int, limit: Int) -> Int { min(limit, reader.remaining / (4 + smallest)) }
}

/// One item: a tag and the bytes of its value.
package struct Item: Sendable {
  package let tag: UInt8
  package let value: ByteReader

  /// What to do with a tag that the decoder does not know: skip it, or throw `unknownMustUnderstand` from 128 on.
  package func unknown() throws(WireError) {
    guard tag < 128 else { throw .unknownMustUnderstand }
  }

  private func whole<Value>(
    _ width: Int, _ read: (inout ByteReader) throws(WireError) -> Value
  ) throws(WireError) -> Value {
    guard value.remaining == width else { throw .width }
    var reader = value
    return try read(&reader)
  }

  package func integer<Value: FixedWidthInteger & UnsignedInteger>(
    _: Value.Type = Value.self
  ) throws(WireError) -> Value {
    try whole(Value.bitWidth / 8) { (reader) throws(WireError) in try reader.integer(Value.self) }
  }

  package func boolean() throws(WireError) -> Bool {
    let value: UInt8 = try integer()
    guard value < 2 else { throw .range }
    return value == 1
  }

  package func time() throws(WireError) -> Int64 { try whole(8) { (reader) throws(WireError) in try reader.time() } }

  package func number() throws(WireError) -> Double {
    try whole(8) { (reader) throws(WireError) in try reader.number() }
  }

  package func identifier<Kind>(_: Kind.Type = Kind.self) throws(WireError) -> Identifier<Kind> {
    try whole(16) { (reader) throws(WireError) in try reader.identifier() }
  }

  /// A value of exactly `count` bytes. Throws `width`.
  package func bytes(exactly count: Int) throws(WireError) -> [UInt8] {
    guard value.remaining == count else { throw .width }
    return value.rest
  }

  /// A value of at most `limit` bytes. Throws `count`.
  package func bytes(upTo limit: Int) throws(WireError) -> [UInt8] {
    guard value.remaining <= limit else { throw .count }
    return value.rest
  }

  /// Appends a value of at most `limit` bytes to a list of at most `count`. Throws `count`.
  package func bytes(upTo limit: Int, appendedTo list: inout [[UInt8]], atMost count: Int) throws(WireError) {
    guard list.count < count else { throw .count }
    list.append(try bytes(upTo: limit))
  }

  /// Text of `minimum`...`limit` bytes. Throws `text`.
  package func text(_ minimum: Int = 0, upTo limit: Int) throws(WireError) -> String {
    guard value.remaining >= minimum, value.remaining <= limit else { throw .text }
    let bytes = value.rest
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else { throw .text }
    return text
  }

  /// Ids, ascending without doubles, at most `limit`. Throws `width`, `count` or `order`.
  package func identifiers<Kind>(_: Kind.Type = Kind.self, upTo limit: Int) throws(WireError) -> [Identifier<Kind>] {
    try elements(of: 16, upTo: limit, { (reader) throws(WireError) in try reader.identifier() }, ascending: <)
  }

  /// A packed list of elements of `width` bytes each. Throws `width`, `count` or `order`.
  package func elements<Element>(
    of width: Int, upTo limit: Int, _ read: (inout ByteReader) throws(WireError) -> Element,
    ascending: (Element, Element) -> Bool
  ) throws(WireError) -> [Element] {
    guard value.remaining % width == 0 else { throw .width }
    let count = value.remaining / width
    guard count <= limit else { throw .count }
    var reader = value
    var elements: [Element] = []
    elements.reserveCapacity(count)
    for _ in 0..<count {
      let element = try read(&reader)
      if let last = elements.last, !ascending(last, element) { throw .order }
      elements.append(element)
    }
    return elements
  }
}

extension Optional {
  /// The value of a required item. Throws `truncated` if it did not come.
  package func required() throws(WireError) -> Wrapped {
    guard let self else { throw .truncated }
    return self
  }
}
