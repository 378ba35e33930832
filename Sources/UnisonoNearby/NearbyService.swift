/// An application's service as it is declared: what both sides have to agree on before anything is asked.
package struct NearbyService: Hashable, Sendable {
  /// 1...63 bytes of a-z 0-9 - .
  package var identifier: String
  /// What it is for, for people, 1...255 bytes.
  package var usage: String
  /// This device's name, at most 63 bytes.
  package var deviceName: String
  /// This device's platform, one bit.
  package var platform: UInt32
  /// The platforms it works with; 0: any.
  package var platforms: UInt32

  package init(identifier: String, usage: String, deviceName: String, platform: UInt32, platforms: UInt32 = 0) {
    self.identifier = identifier
    self.usage = usage
    self.deviceName = deviceName
    self.platform = platform
    self.platforms = platforms
  }

  /// Whether a device of `platform` is one that this service works with.
  package func supports(_ platform: UInt32) -> Bool { platforms == 0 || platforms & platform != 0 }

  /// Whether this service and the one that `beacon` tells of may meet: the same service, each on a platform that the
  /// other supports.
  package func agrees(with beacon: Beacon) -> Bool {
    beacon.service == identifier && supports(beacon.platform)
      && (beacon.platforms == 0 || beacon.platforms & platform != 0)
  }
}
