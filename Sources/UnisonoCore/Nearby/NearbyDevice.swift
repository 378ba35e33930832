/// A device that was heard, as the browsing side knows it. All of it is the other side's word until digits were compared.
public struct NearbyDevice: Hashable, Sendable {
  /// Where asks are taken: the address its beacons came from, and the port they name.
  public struct Address: Hashable, Sendable {
    /// Numeric, without brackets.
    public var host: String
    public var port: UInt16

    public init(host: String, port: UInt16) {
      self.host = host
      self.port = port
    }
  }

  /// The same for as long as the device is known.
  public var number: UInt64
  public var name: String
  public var usage: String
  public var platform: UInt32
  /// What may be asked of it; nil: not said.
  public var intent: NearbyIntent?
  /// The one heard first in front.
  public var addresses: [Address]

  public init(
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
