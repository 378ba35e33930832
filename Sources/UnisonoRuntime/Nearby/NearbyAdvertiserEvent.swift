import UnisonoCore
import UnisonoCrypto

/// Events of an advertiser for its owner; on the loop, never inside a call.
public enum NearbyAdvertiserEvent: Sendable {
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
public struct NearbyRequest: Equatable, Sendable {
  public var id: UInt64
  public var deviceName: String
  public var platform: UInt32
  public var intent: NearbyIntent
  public var digits: PairingDigits
}
