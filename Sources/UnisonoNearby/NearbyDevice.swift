/// A device that was heard, as the browsing side knows it. All of it is the other side's word until digits were compared.
package struct NearbyDevice: Hashable, Sendable {
  /// Where asks are taken: the address its beacons came from, and the port they name.
  package struct Address: Hashable, Sendable {
    /// Numeric, without brackets.
    package var host: String
    package var port: UInt16

    package init(host: String, port: UInt16) {
      self.host = host
      self.port = port
    }
  }

  /// The same for as long as the device is known.
  package var number: UInt64
  package var name: String
  package var usage: String
  package var platform: UInt32
  /// What may be asked of it; nil: not said.
  package var intent: NearbyIntent?
  /// The one heard first in front.
  package var addresses: [Address]

  package init(
    number: UInt64, name: String, usage: String, platform: UInt32, intent: NearbyIntent?, addresses: [Address]
  ) {
    self.number = number
    self.name = name
    self.usage = usage
    self.platform = platform
    self.intent = intent
    self.addresses = addresses
  }
}
