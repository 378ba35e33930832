/// Sizes of the protocol (wire 10, 11.3).
package enum WireLimits {
  /// Of what follows a frame's length, before and after entry.
  package static let unenteredFrame = 1_024
  package static let frame = 262_144
  /// Participants in a room, ids in a list.
  package static let participants = 256
  /// Of other hubs, in CLOCKS.
  package static let clocks = 128
  /// Members of a room that are listed: all participants, and who just lost its link or is on its way in. More are invented.
  package static let members = 1_024
  /// Who a roster record names as readers, those included who are gone.
  package static let roster = 512
  /// Whom one step lets in.
  package static let admitted = 32
  /// Records of a membership proof, the founding record left out.
  package static let proof = 16
  /// A roster record with its signature: a founding record of 512 fits.
  package static let rosterRecord = 8_704
  package static let recordsPerMessage = 64
  /// Wraps of a re-key in a message: each of its receivers gets the others', too.
  package static let wrapsPerMessage = 16
  /// An INTRO as it travels.
  package static let intro = 1_900
  package static let content = 229_308
  package static let applicationMessage = 65_536
  package static let messageType = 127
  package static let policyLevels = 8
  /// Of all policies that are kept.
  package static let levelsPerMessage = 136
  /// One policy level with its signature: 256 roles, 256 removed and the fixed part fit.
  package static let policyLevel = 16_384
  package static let introsPerMessage = 512
  package static let statementsPerMessage = 4_096
  package static let registersPerMessage = 4_096
  /// Messages in which one list of what somebody has comes.
  package static let haveParts: UInt8 = 32
  package static let snapshotParts: UInt16 = 64
  /// Heartbeats of others that one heartbeat answers.
  package static let echoes = 16

  package static let activityValue = 200_000
  package static let otherValue = 8_192
  /// An entry of the playlist: item, title, the addresses of one, and the fields around them.
  package static let playlistEntry = 18_432
  package static let entryAddresses = 8
  /// A statement's body: the largest value and the fields around it.
  package static let statementBody = 202_048

  /// Participants whose persons a start does not wait for.
  package static let namedPersons = 16

  package static let name = 63
  package static let reason = 127
  package static let reasons = 64
  package static let apartIntervals = 16
  package static let hubAddresses = 16
  /// Offsets of its copies that a participant states.
  package static let cuts = 8
  package static let hubAddress = 263
  /// Of those that a hub advertises.
  package static let advertised = 16
  package static let identifier = 255
  package static let title = 255
  package static let url = 2_047
  package static let image = 65_536
  package static let payload = 65_536
  package static let noticeText = 255
  /// What somebody says, and a reaction.
  package static let chatText = 2_000
  package static let reaction = 32
  /// Entries of the chat that are kept, and their bytes with signatures.
  package static let chatEntries = 200
  package static let chatBytes = 131_072
  /// An entry is kept as long as those that are newer have no more: with the longest one, all have at most `chatBytes`.
  package static let chatNewerBytes = chatBytes - chatBody - 64
  /// One entry's body: text, item, name, and the fields around them.
  package static let chatBody = 3_200
  /// What is offered to the group: by one and by all, what is said of one, and how large it is.
  package static let attachmentsPerAuthor: UInt8 = 16
  package static let attachments = 64
  package static let attachmentName = 255
  package static let attachmentType = 127
  package static let attachmentSize: UInt64 = 100_000_000
  /// Bytes that travel in one message, and messages of them that one may have asked for.
  package static let attachmentChunk = 32_768
  package static let attachmentWindow: UInt8 = 8
  package static let refusalText = 127
  package static let serviceIdentifier = 63
  package static let usage = 255
  /// Rates are -16...16.
  package static let rate = 16.0
}
