import UnisonoCoordination
import UnisonoCrypto
import UnisonoNearby

/// Events of a browser for its owner; on the loop, never inside a call.
package enum NearbyBrowserEvent: Sendable {
  case devices(BeaconTable.Change)
  /// Both screens show digits now; answer with `confirm`. The name is what the other side calls itself.
  case digits(device: UInt64, name: String, intent: NearbyIntent, PairingDigits)
  /// Both people said yes: `.join` brought this invite, `.invite` handed it over.
  case agreed(device: UInt64, intent: NearbyIntent, Invite)
  case failed(device: UInt64, intent: NearbyIntent, AskAttempt.Failure)
  /// Multicast: a sentence when no other device can be reached any more, "" when some can again.
  case reach(String)
  case log(LogLevel, String)
}
