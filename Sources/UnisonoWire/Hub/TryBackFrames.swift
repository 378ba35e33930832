import UnisonoBase

/// A participant's question to a hub whether it is reached from there (wire 3.10): the hub tries the address that it sees, and this port.
package struct TryBackFrame: Hashable, Sendable {
  /// Lower ones belong to what a machine serves to everybody, and are not tried.
  package static let ports: ClosedRange<UInt16> = 1_024...65_535

  /// Random; the answer and the datagrams have it.
  package var number: UInt64
  package var port: UInt16

  package init(number: UInt64, port: UInt16) {
    self.number = number
    self.port = port
  }

  package var body: [UInt8] {
    var writer = ItemWriter()
    writer.integer(1, number)
    writer.integer(2, port)
    return writer.bytes
  }

  package init(body: [UInt8]) throws(WireError) {
    var number: UInt64?
    var port: UInt16?
    var items = Items(body)
    while let item = try items.next() {
      switch item.tag {
      case 1: number = try item.integer()
      case 2: port = try item.integer()
      default: try item.unknown()
      }
    }
    self.number = try number.required()
    self.port = try port.required()
    guard Self.ports.contains(self.port) else { throw .range }
  }

  /// What is sent to that port by UDP: 16 bytes.
  package static func datagram(number: UInt64) -> [UInt8] {
    [0x55, 0x4E, 0x49, 2, 0, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
  }
}

/// A hub's answer to `TryBackFrame`, of TCP alone: what came by UDP its asker sees itself.
package struct TriedBackFrame: Hashable, Sendable {
  package enum Outcome: UInt8, Sendable {
    /// A connection was made, and closed without a byte.
    case reached = 1
    /// The machine, or one before it, said that nothing listens there.
    case refused
    /// Nothing came back in time, or there is no way.
    case silent
    /// Not tried: too many ask, or this one too often.
    case busy
    /// Not tried: this hub tries nobody back, or does not see where the asker is.
    case declined
  }

  /// Longest text of an address: IPv6 with an embedded IPv4 address.
  private static let longest = 45

  package var number: UInt64
  package var outcome: Outcome
  /// Numeric address that the hub sees, without brackets; nothing where it was not tried.
  package var address: String

  package init(number: UInt64, outcome: Outcome, address: String = "") {
    self.number = number
    self.outcome = outcome
    self.address = address
  }

  package var body: [UInt8] {
    var writer = ItemWriter()
    writer.integer(1, number)
    writer.integer(2, outcome.rawValue)
    if !address.isEmpty { writer.text(3, address) }
    return writer.bytes
  }

  package init(body: [UInt8]) throws(WireError) {
    var number: UInt64?
    var outcome: Outcome?
    address = ""
    var items = Items(body)
    while let item = try items.next() {
      switch item.tag {
      case 1: number = try item.integer()
      // One of a later version: nothing is known of it.
      case 2: outcome = Outcome(rawValue: try item.integer()) ?? .declined
      case 3: address = try item.text(upTo: Self.longest)
      default: try item.unknown()
      }
    }
    self.number = try number.required()
    self.outcome = try outcome.required()
  }
}
