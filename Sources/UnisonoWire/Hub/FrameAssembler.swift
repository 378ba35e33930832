import UnisonoBase

/// Cuts a byte stream into frames, or records.
///
/// What it holds grows by the bytes that came, never by what a frame announces.
package struct FrameAssembler: Sendable {
  /// Greatest length a frame may announce; its owner raises it once entry is done.
  package var limit: Int
  private var buffer: [UInt8] = []
  private var start = 0

  package init(limit: Int) { self.limit = limit }

  package mutating func append(_ bytes: [UInt8]) {
    if start > 0, start == buffer.count || start > 65_536 {
      buffer.removeFirst(start)
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// Bytes that came and belong to no frame yet.
  package var pending: Int { buffer.count - start }

  /// Bytes of memory that it holds, frames that were taken out included until `next` finds no further one.
  package var held: Int { buffer.capacity }

  /// Gives back what a long frame needed: most streams stand between two frames, and thousands of them cost nothing.
  private mutating func compact() {
    guard start > 0 else { return }
    buffer = Array(buffer[start...])
    start = 0
  }

  /// The next complete frame; nil: more bytes are needed. Throws as `nextContent`.
  package mutating func next() throws(WireError) -> RawFrame? {
    guard let content = try nextContent() else { return nil }
    return RawFrame(type: content[0], body: Array(content[1...]))
  }

  /// What follows the next length field, a frame in clear or a record; nil: more bytes are needed. Throws `range` for a length
  /// of 0, `count` for one above the limit; the stream cannot be read on after that.
  package mutating func nextContent() throws(WireError) -> [UInt8]? {
    guard buffer.count - start >= 4 else {
      compact()
      return nil
    }
    var length = 0
    for byte in buffer[start..<(start + 4)] { length = length << 8 | Int(byte) }
    guard length > 0 else { throw .range }
    guard length <= limit else { throw .count }
    guard buffer.count - start - 4 >= length else {
      compact()
      return nil
    }
    let first = start + 4
    start = first + length
    return Array(buffer[first..<start])
  }
}
