import UnisonoBase

/// Marks identifiers of entries of the playlist: 16 bytes drawn at random by the one who adds the entry.
package enum EntryKind: Sendable {}

package typealias EntryID = Identifier<EntryKind>

/// An entry of the playlist: one register for each, which is written as a whole (coordination 2.17).
///
/// What it is of never changes: who wants it otherwise removes it, and adds another. So a move and a removal are all that can be
/// written of one at the same time.
package struct PlaylistEntry: Hashable, Sendable {
  /// Where it stands among the others.
  package var place: PlaylistPlace
  /// What coordinators call it.
  package var item: ItemID
  /// Group time at which it was added: of too many the oldest stay.
  package var added: GroupTime
  /// For good. Of a removed one only place, item and time are kept.
  package var isRemoved = false
  /// Empty: it has none.
  package var title: String
  /// How to recognise a copy of it.
  package var copy: Copy
  /// Where it can be had.
  package var addresses: [String]
  /// What the group may leave out, in their order; of these `SkipRange.fault` finds none.
  package var ranges: [SkipRange]

  package init(
    place: PlaylistPlace, item: ItemID, added: GroupTime, title: String = "", copy: Copy = Copy(), addresses: [String] = [],
    ranges: [SkipRange] = []
  ) {
    self.place = place
    self.item = item
    self.added = added
    self.title = title
    self.copy = copy
    self.addresses = addresses
    self.ranges = ranges
  }

  package var removed: Self {
    var tombstone = PlaylistEntry(place: place, item: item, added: added)
    tombstone.isRemoved = true
    return tombstone
  }

  /// What it counts towards the limit of all together, in bytes.
  package var weight: Int {
    128 + place.bytes.count + item.utf8.count + title.utf8.count + addresses.reduce(0) { $0 + 4 + $1.utf8.count } + 24 * ranges.count
  }
}

/// What identifies the copy that somebody has of an item.
package struct Copy: Hashable, Sendable {
  /// ns; 0: not known.
  package var duration: Nanoseconds
  /// Bytes of the file; 0: not known.
  package var size: UInt64
  /// SHA-256 of samples of the file (wire 8.15); empty: not known.
  package var hash: [UInt8]

  package static let hashLength = 32

  package init(duration: Nanoseconds = 0, size: UInt64 = 0, hash: [UInt8] = []) {
    self.duration = duration
    self.size = size
    self.hash = hash
  }

  package var isKnown: Bool { duration != 0 || size != 0 || !hash.isEmpty }
}

/// The copy that a participant says it plays, and of which entry that is.
package struct StatedCopy: Hashable, Sendable {
  package var entry: EntryID
  package var copy: Copy

  package init(entry: EntryID, copy: Copy) {
    self.entry = entry
    self.copy = copy
  }
}

/// The entry of the playlist that the group is at: a command, or so many steps on from one.
package struct PlaylistCurrent: Hashable, Sendable {
  package var entry: EntryID
  /// The command that it goes on from; nil: it is one itself.
  package var base: Stamp?
  /// How many times the group went on from that command; 0: it is one itself.
  package var step: UInt32
  /// What was before it had ended.
  package var isByEnd: Bool

  package init(entry: EntryID, base: Stamp? = nil, step: UInt32 = 0, isByEnd: Bool = false) {
    self.entry = entry
    self.base = base
    self.step = step
    self.isByEnd = isByEnd
  }

  /// A step has a command that it goes on from, and a command none.
  package var isWellFormed: Bool { (base == nil) == (step == 0) }
}
