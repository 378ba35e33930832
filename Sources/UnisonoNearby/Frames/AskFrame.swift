import UnisonoBase

/// The first word of a pairing: who asks for what, and a promise about the key and nonce that it will reveal.
package struct AskFrame: Hashable, Sendable {
  package static let major: UInt8 = 1

  /// Hash of the key and the nonce, 32 bytes.
  package var commit: [UInt8]
  package var intent: NearbyIntent
  package var service: String
  /// Unverified until the digits were compared.
  package var deviceName: String
  package var platform: UInt32
  package var major: UInt8

  package init(
    commit: [UInt8], intent: NearbyIntent, service: String, deviceName: String, platform: UInt32,
    major: UInt8 = AskFrame.major
  ) {
    self.commit = commit
    self.intent = intent
    self.service = service
    self.deviceName = deviceName
    self.platform = platform
    self.major = major
  }

  package var body: [UInt8] {
    var writer = ItemWriter()
    writer.item(1, commit)
    writer.integer(2, intent.rawValue)
    writer.text(3, service)
    if !deviceName.isEmpty { writer.text(4, deviceName) }
    if platform != 0 { writer.integer(5, platform) }
    writer.integer(6, major)
    return writer.bytes
  }

  package init(body: [UInt8]) throws(WireError) {
    var commit: [UInt8]?
    var intent: NearbyIntent?
    var service: String?
    var major: UInt8?
    deviceName = ""
    platform = 0
    var items = Items(body)
    while let item = try items.next() {
      switch item.tag {
      case 1: commit = try item.bytes(exactly: 32)
      case 2: intent = NearbyIntent(rawValue: try item.integer())
      case 3: service = try item.serviceIdentifier()
      case 4: deviceName = try item.plainText(upTo: WireLimits.name)
      case 5: platform = try item.integer()
      case 6: major = try item.integer()
      default: try item.unknown()
      }
    }
    self.commit = try commit.required()
    self.intent = try intent.required()
    self.service = try service.required()
    self.major = try major.required()
  }
}
