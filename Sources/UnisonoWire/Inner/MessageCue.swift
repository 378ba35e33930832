import UnisonoBase

/// Where in an item a message is delivered: when the receiver's own playback is there (wire 8.19).
package struct MessageCue: Hashable, Sendable {
  package var item: ItemID
  /// ns.
  package var itemTime: ItemTime

  package init(item: ItemID, itemTime: ItemTime) {
    self.item = item
    self.itemTime = itemTime
  }
}
