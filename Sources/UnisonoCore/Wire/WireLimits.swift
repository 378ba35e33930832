/// Sizes of the protocol (wire 10, 11.3).
public enum WireLimits {
  /// Of what follows a frame's length, before and after entry.
  public static let unenteredFrame = 1_024
  public static let frame = 262_144
  /// Participants in a room, ids in a list.
  public static let participants = 256
  /// Members of a room that are listed: all participants, and who just lost its link or is on its way in. More are invented.
  public static let members = 1_024
  /// An INTRO as it travels.
  public static let intro = 600
  public static let content = 229_308
  public static let applicationMessage = 65_536
  public static let policyLevels = 8
  /// Of all policies that are kept.
  public static let levelsPerMessage = 136
  /// One policy level with its signature: 256 roles, 256 removed and the fixed part fit.
  public static let policyLevel = 16_384
  public static let introsPerMessage = 512
  public static let statementsPerMessage = 4_096
  public static let registersPerMessage = 4_096
  public static let snapshotParts: UInt16 = 64

  public static let activityValue = 200_000
  public static let otherValue = 8_192
  /// A statement's body: the largest value and the fields around it.
  public static let statementBody = 202_048

  public static let name = 63
  public static let reason = 127
  public static let reasons = 64
  public static let apartIntervals = 16
  public static let hubAddresses = 16
  public static let hubAddress = 263
  public static let identifier = 255
  public static let title = 255
  public static let url = 2_047
  public static let image = 65_536
  public static let payload = 65_536
  public static let noticeText = 255
  public static let refusalText = 127
  public static let serviceIdentifier = 63
  public static let usage = 255
  /// Rates are -16...16.
  public static let rate = 16.0
}
