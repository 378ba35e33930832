import UnisonoBase

/// What devices call out on the local network: one datagram, at most 512 bytes, with nothing secret in it.
package struct Beacon: Hashable, Sendable {
  package enum Kind: UInt8, Sendable {
    /// I am here.
    case here = 1
    /// I go.
    case gone = 2
    /// Who is here?
    case query = 3
  }

  package static let maximumLength = 512
  static let magic: [UInt8] = [0x55, 0x4E, 0x49, 0x42, 0x01]

  package var kind: Kind
  /// Random with every start of an advertiser or a browser.
  package var instance: UInt64
  package var service: String
  /// Of `here`; "" and 0 in the others.
  package var name: String
  package var platform: UInt32
  package var platforms: UInt32
  package var usage: String
  /// The TCP port that takes asks.
  package var port: UInt16
  /// What may be asked; nil: not said.
  package var intent: NearbyIntent?

  package init(
    kind: Kind, instance: UInt64, service: String, name: String = "", platform: UInt32 = 0, platforms: UInt32 = 0,
    usage: String = "", port: UInt16 = 0, intent: NearbyIntent? = nil
  ) {
    self.kind = kind
    self.instance = instance
    self.service = service
    self.name = name
    self.platform = platform
    self.platforms = platforms
    self.usage = usage
    self.port = port
    self.intent = intent
  }

  /// "I am here", of a service.
  package init(_ service: NearbyService, instance: UInt64, port: UInt16, intent: NearbyIntent) {
    self.init(
      kind: .here, instance: instance, service: service.identifier, name: service.deviceName,
      platform: service.platform, platforms: service.platforms, usage: service.usage, port: port, intent: intent)
  }

  package var bytes: [UInt8] {
    var writer = ItemWriter()
    writer.integer(1, instance)
    writer.text(2, service)
    if !name.isEmpty { writer.text(3, name) }
    if platform != 0 { writer.integer(4, platform) }
    if platforms != 0 { writer.integer(5, platforms) }
    if !usage.isEmpty { writer.text(6, usage) }
    if port != 0 { writer.integer(7, port) }
    writer.integer(8, kind.rawValue)
    if let intent { writer.integer(9, intent.rawValue) }
    return Self.magic + writer.bytes
  }

  /// Throws what is wrong: `range` for another magic, `truncated` when an item of its kind is missing, `text` for texts
  /// that cannot be shown.
  package init(bytes: [UInt8]) throws(WireError) {
    guard bytes.count <= Self.maximumLength else { throw .count }
    var reader = ByteReader(bytes)
    guard try reader.array(Self.magic.count) == Self.magic else { throw .range }
    var instance: UInt64?
    var service: String?
    var kind: Kind?
    self.init(kind: .here, instance: 0, service: "")
    var items = Items(reader)
    while let item = try items.next() {
      switch item.tag {
      case 1: instance = try item.integer()
      case 2: service = try item.serviceIdentifier()
      case 3: name = try item.plainText(upTo: WireLimits.name)
      case 4: platform = try item.integer()
      case 5: platforms = try item.integer()
      case 6: usage = try item.plainText(upTo: WireLimits.usage)
      case 7: port = try item.integer()
      case 8: kind = Kind(rawValue: try item.integer())
      case 9: intent = NearbyIntent(rawValue: try item.integer())
      default: try item.unknown()
      }
    }
    self.instance = try instance.required()
    self.service = try service.required()
    self.kind = try kind.required()
    if self.kind == .here, port == 0 || usage.isEmpty { throw .truncated }
  }
}

extension Item {
  /// Text of at most `limit` bytes that can be shown to people. Throws `text`.
  func plainText(upTo limit: Int) throws(WireError) -> String {
    let text = try text(upTo: limit)
    guard VisibleText.isPlain(text) else { throw .text }
    return text
  }

  /// Throws `text`.
  func serviceIdentifier() throws(WireError) -> String {
    let text = try text(upTo: WireLimits.serviceIdentifier)
    guard NearbyText.isIdentifier(text) else { throw .text }
    return text
  }
}
