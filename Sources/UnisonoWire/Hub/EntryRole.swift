/// Role in which somebody enters a room at a hub: ENTER's item 8.
package enum EntryRole: UInt8, Sendable, CaseIterable {
  /// Of an ordinary room.
  case member = 0
  /// Speaks in an audience, with the topic's key.
  case publisher = 1
  /// Hears in an audience, and shows nothing but its topic.
  case listener = 2
}
