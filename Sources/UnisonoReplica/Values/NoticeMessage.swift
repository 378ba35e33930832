import UnisonoBase

/// Something for people to see: "Ann skipped 15 s".
package struct NoticeMessage: Equatable, Sendable {
  /// Numbers of `unisono_notice_kind`; one that is not known counts as custom.
  package var kind: UInt8
  /// ns.
  package var amount: Int64
  package var rate: Double
  package var text: String?
  package var url: String?
  /// Skipped: where to. Never sent: everybody finds it in the group's state.
  package var itemTime: ItemTime?

  package enum Kind: UInt8, Sendable {
    case custom = 0, played, paused, skipped, rateChanged, itemChanged, queueChanged, leftWaiting
    /// Never sent: each library tells it of the group's state.
    case rangeSkipped = 13
  }

  private static let lastKind = Kind.leftWaiting.rawValue

  package init(kind: UInt8, amount: Int64 = 0, rate: Double = 0, text: String? = nil, url: String? = nil) {
    self.kind = kind
    self.amount = amount
    self.rate = rate
    self.text = text
    self.url = url
  }

  package init(_ kind: Kind, amount: Int64 = 0, rate: Double = 0, itemTime: ItemTime? = nil) {
    self.init(kind: kind.rawValue, amount: amount, rate: rate)
    self.itemTime = itemTime
  }

  package init(_ reader: ByteReader) throws(WireError) {
    self.init(kind: 0)
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1:
        kind = try item.integer()
        if kind > Self.lastKind { kind = 0 }
      case 2: amount = try item.time()
      case 3: rate = try item.number()
      case 4: text = try item.text(upTo: WireLimits.noticeText)
      case 5: url = try item.text(upTo: WireLimits.url)
      default: try item.unknown()
      }
    }
  }

  package func write(to writer: inout ItemWriter) {
    if kind != 0 { writer.integer(1, kind) }
    if amount != 0 { writer.time(2, amount) }
    if rate != 0 { writer.number(3, rate) }
    if let text { writer.text(4, text) }
    if let url { writer.text(5, url) }
  }
}
