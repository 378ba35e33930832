import UnisonoBase

/// A heartbeat.
package struct Beat: Equatable, Sendable {
  /// XOR of the hashes of the included registers, 32 bytes.
  package var digest: [UInt8]
  package var newestStamp: GroupTime
  /// Half the round trip to the hub, us.
  package var hubDelay: UInt32
  /// Stated bound of the clock's error, us.
  package var clockError: UInt32
  package init(digest: [UInt8], newestStamp: GroupTime, hubDelay: UInt32, clockError: UInt32) {
    self.digest = digest
    self.newestStamp = newestStamp
    self.hubDelay = hubDelay
    self.clockError = clockError
  }
}

/// "I have this register at this stamp".
package struct HaveEntry: Hashable, Sendable {
  package var key: RegisterKey
  package var stamp: Stamp
  package init(key: RegisterKey, stamp: Stamp) {
    self.key = key
    self.stamp = stamp
  }
}
