import UnisonoBase

/// A hub's no; the connection closes after it.
package struct RefusedFrame: Hashable, Sendable {
  /// A negative status of the C API.
  package var status: Int32
  /// At most 127 bytes.
  package var text: String
  /// ms until another try makes sense; nil: not said.
  package var retry: UInt32?

  package init(status: Int32, text: String = "", retry: UInt32? = nil) {
    self.status = status
    self.text = text
    self.retry = retry
  }

  package var body: [UInt8] {
    var writer = ItemWriter()
    writer.integer(1, UInt32(bitPattern: status))
    if !text.isEmpty { writer.text(2, text) }
    if let retry { writer.integer(3, retry) }
    return writer.bytes
  }

  package init(body: [UInt8]) throws(WireError) {
    var status: UInt32?
    text = ""
    retry = nil
    var items = Items(body)
    while let item = try items.next() {
      switch item.tag {
      case 1: status = try item.integer()
      case 2: text = try item.text(upTo: WireLimits.refusalText)
      case 3: retry = try item.integer()
      default: try item.unknown()
      }
    }
    self.status = Int32(bitPattern: try status.required())
  }
}
