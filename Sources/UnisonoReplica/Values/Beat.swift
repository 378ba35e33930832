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
  /// By which others check the sender's clock; nil: it does not know group time.
  package var timing: Timing?
  /// Who was read lately: a bit for each place of the sender's roster, the first in the lowest bit. Empty: it does not say.
  package var heard: [UInt8]
  package init(
    digest: [UInt8], newestStamp: GroupTime, hubDelay: UInt32, clockError: UInt32, timing: Timing? = nil, heard: [UInt8] = []
  ) {
    self.digest = digest
    self.newestStamp = newestStamp
    self.hubDelay = hubDelay
    self.clockError = clockError
    self.timing = timing
    self.heard = heard
  }

  /// When it was sent, and when the sender received others' heartbeats, by the sender's group time.
  package struct Timing: Equatable, Sendable {
    package var sent: GroupTime
    /// The sender's own, ascending from 1.
    package var number: UInt32
    /// At most `WireLimits.echoes`.
    package var echoes: [Echo]
    /// What these times may be wrong by, us; nil: as much as `clockError`.
    package var error: UInt32?
    package init(sent: GroupTime, number: UInt32, echoes: [Echo], error: UInt32? = nil) {
      self.sent = sent
      self.number = number
      self.echoes = echoes
      self.error = error
    }
  }

  /// The newest heartbeat of one that the sender received.
  package struct Echo: Equatable, Sendable {
    package var of: ParticipantID
    package var number: UInt32
    package var received: GroupTime
    package init(of: ParticipantID, number: UInt32, received: GroupTime) {
      self.of = of
      self.number = number
      self.received = received
    }
  }
}

/// "I have this register at this stamp, and it says this".
package struct HaveEntry: Hashable, Sendable {
  package var key: RegisterKey
  package var stamp: Stamp
  package var sum: RegisterSum
  package init(key: RegisterKey, stamp: Stamp, sum: RegisterSum) {
    self.key = key
    self.stamp = stamp
    self.sum = sum
  }
}

/// The first 16 bytes of what a register adds to a digest: who lies can sign two values with one stamp, but not with one sum.
package struct RegisterSum: Hashable, Sendable {
  package var high: UInt64
  package var low: UInt64
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}
