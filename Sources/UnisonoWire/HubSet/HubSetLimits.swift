/// Sizes of what hubs of a set say to each other (hubs 9).
package enum HubSetLimits {
  /// A whole message, sealed.
  package static let message = 300_000
  /// Members of one run in a room, as one message lists them.
  package static let members = 10_000
  /// Addresses of a hub.
  package static let addresses = 16
  /// Groups whose rooms one ALIVE tells of.
  package static let opened = 1_024
  /// Ids that one thing said is addressed to.
  package static let receivers = 256
  package static let notice = 32_768
  /// An envelope of a listener: no longer record comes from one.
  package static let hand = 8_192
  /// Tallies of one kind of an audience.
  package static let tallies = 16
  /// Greatest number of a word in a feed.
  package static let number: UInt64 = 1 << 62
}
