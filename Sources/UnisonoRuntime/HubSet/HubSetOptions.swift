import UnisonoBase
import UnisonoCrypto
import UnisonoWire

/// What a hub is in its set.
struct HubSetOptions {
  /// nil: it is alone, a set of one.
  var keys: HubSetKeys?
  /// This start of it, 16 random bytes.
  var run: HubRunID
  /// Hash of its key, 16 bytes.
  var hub: [UInt8]
  var clock: ClockID
  /// Host time at which its clock shows 0.
  var clockZero: HostTime
  /// "host:port" under which clients reach it, best first.
  var addresses: [String] = []
}
