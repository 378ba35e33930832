/// What a player's host is told (`unisono_player_event`).
public struct PlayerNotice: Equatable, Sendable {
  public enum Kind: UInt8, Sendable { case timeControl, rate, timeJumped, itemStatus, itemEnded, seekDone }

  public var kind: Kind
  public var timeControl: TimeControl
  public var itemStatus: ItemStatus
  /// Rate.
  public var rateReason: RateReason = .setRateCalled
  /// `.none`: local.
  public var originator: ParticipantID = .none
  public var item: ItemID?
  public var rate: Double
  public var itemTime: ItemTime?
  public var hostTime: HostTime?
  /// Seek done.
  public var request: UInt64 = 0
  public var outcome: Outcome = .done
  /// Of an outcome `failed`: an error code of the C API.
  public var status: Int32 = 0

  public enum Outcome: UInt8, Sendable { case done, cancelled, failed }
}
