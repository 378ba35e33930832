import UnisonoCoordination
import UnisonoCrypto
import UnisonoNearby

/// Events of an advertiser for its owner; on the loop, never inside a call.
package enum NearbyAdvertiserEvent: Sendable {
  /// Somebody asks; answer with `accept` or `deny`.
  case asked(NearbyRequest)
  /// An ask that was told is void: cancelled, lost, or its time is over.
  case withdrawn(UInt64)
  /// An accepted ask brought the asker's invite.
  case invited(NearbyRequest, Invite)
  /// Multicast: a sentence when no other device can be reached any more, "" when some can again.
  case reach(String)
  case log(LogLevel, String)
}

/// An ask, as the application is told of it. Name and platform are the other side's word until digits were compared.
package struct NearbyRequest: Equatable, Sendable {
  package var id: UInt64
  package var deviceName: String
  package var platform: UInt32
  package var intent: NearbyIntent
  package var digits: PairingDigits
}
