import CUnisono

/// Names an entry of the playlist.
public struct EntryID: Hashable, Sendable {
  /// 16.
  public let bytes: [UInt8]

  init(_ id: unisono_entry_id) { bytes = withUnsafeBytes(of: id.bytes) { Array($0) } }

  /// nil for none.
  init?(some id: unisono_entry_id) {
    self.init(id)
    guard bytes.contains(where: { $0 != 0 }) else { return nil }
  }

  var c: unisono_entry_id {
    var id = unisono_entry_id()
    withUnsafeMutableBytes(of: &id.bytes) { $0.copyBytes(from: bytes) }
    return id
  }
}

/// What identifies the copy that somebody has of an item.
public struct ItemCopy: Hashable, Sendable {
  /// nil: not known.
  public var duration: Duration?
  /// Bytes; nil: not known.
  public var fileSize: UInt64?
  /// 32 bytes, see `init(ofFile:)`; nil: not known.
  public var hash: [UInt8]?

  public init(duration: Duration? = nil, fileSize: UInt64? = nil, hash: [UInt8]? = nil) {
    self.duration = duration
    self.fileSize = fileSize
    self.hash = hash
  }

  /// Size and hash of a file; reads from the disk. Errors: `.notFound`, `.denied`, `.inputOutput`, `.invalidArgument`.
  public init(ofFile path: String, duration: Duration? = nil) throws(UnisonoError) {
    let lent = Lent()
    let text = try lent.text(path, "path")
    var c = unisono_copy()
    c.size = UInt32(MemoryLayout<unisono_copy>.size)
    try check(withExtendedLifetime(lent) { unisono_copy_of_file(text, &c) })
    self.init(c)
    self.duration = duration
  }

  init(_ c: unisono_copy) {
    duration = c.duration == 0 ? nil : .nanoseconds(c.duration)
    fileSize = c.file_size == 0 ? nil : c.file_size
    hash = c.has_hash == 0 ? nil : withUnsafeBytes(of: c.hash) { Array($0) }
  }

  var c: unisono_copy {
    get throws(UnisonoError) {
      var c = unisono_copy()
      c.size = UInt32(MemoryLayout<unisono_copy>.size)
      c.duration = duration?.heldNanoseconds ?? 0
      c.file_size = fileSize ?? 0
      if let hash {
        guard hash.count == 32 else { throw UnisonoError(.invalidArgument, "hash: give 32 bytes") }
        c.has_hash = 1
        withUnsafeMutableBytes(of: &c.hash) { $0.copyBytes(from: hash) }
      }
      return c
    }
  }
}

/// A part of an entry that the group may leave out: `Coordinator.setSkippedRanges`.
public struct SkipRange: Hashable, Sendable {
  /// What a range is; several together are what a group leaves out.
  public struct Kind: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    private init(_ c: unisono_range_kind) { rawValue = UInt32(c.rawValue) }

    public static let intro = Kind(.UNISONO_RANGE_INTRO)
    public static let recap = Kind(.UNISONO_RANGE_RECAP)
    public static let credits = Kind(.UNISONO_RANGE_CREDITS)
    public static let other = Kind(.UNISONO_RANGE_OTHER)
  }

  /// The group's item time; at least a second long.
  public var begin: ItemTime
  public var end: ItemTime
  /// One of them.
  public var kind: Kind

  public init(from begin: ItemTime, to end: ItemTime, _ kind: Kind) {
    (self.begin, self.end, self.kind) = (begin, end, kind)
  }

  init(_ c: unisono_range) {
    (begin, end) = (ItemTime(nanoseconds: c.begin), ItemTime(nanoseconds: c.end))
    kind = Kind(rawValue: UInt32(c.kind.rawValue))
  }

  var c: unisono_range {
    // The C enumeration is open.
    unisono_range(
      begin: begin.nanoseconds, end: end.nanoseconds, kind: unisono_range_kind(rawValue: Int32(truncatingIfNeeded: kind.rawValue))!,
      reserved: 0)
  }
}

/// An entry of the playlist that the group shares.
public struct PlaylistEntry: Hashable, Sendable {
  /// nil: it is not on the playlist yet.
  public let id: EntryID?
  /// What coordinators call it.
  public var item: String
  public var title: String?
  /// How to recognise a copy of it.
  public var copy: ItemCopy?
  /// Where it can be had.
  public var addresses: [String]
  /// What the group may leave out, in their order, none overlapping the next; at most 16.
  public var ranges: [SkipRange]

  public init(item: String, title: String? = nil, copy: ItemCopy? = nil, addresses: [String] = [], ranges: [SkipRange] = []) {
    id = nil
    self.item = item
    self.title = title
    self.copy = copy
    self.addresses = addresses
    self.ranges = ranges
  }

  init(_ c: unisono_playlist_entry) {
    id = EntryID(some: c.id)
    item = string(c.item) ?? ""
    title = string(c.title)
    copy = c.copy.map { ItemCopy($0.pointee) }
    addresses = (0..<c.address_count).compactMap { string(c.addresses[$0]) }
    ranges = (0..<c.range_count).compactMap { SkipRange(c.ranges[$0]) }
  }
}

/// The playlist, in the order in which it is played.
public struct Playlist: Hashable, Sendable {
  public let entries: [PlaylistEntry]
  /// Where the group is; nil: nowhere yet. It may have been removed from `entries`.
  public let current: EntryID?
}

/// The playlist, or where the group is in it, changed.
public struct PlaylistChange: Hashable, Sendable {
  public let entriesChanged: Bool
  /// The host loads `item`, and makes a transition to it.
  public let currentChanged: Bool
  /// The group came to the current entry because the one before had ended: the host proposes to play.
  public let isByEnd: Bool
  public let current: EntryID?
  /// nil: this participant, or nobody.
  public let originator: ParticipantID?
  /// Of the current entry; nil: none, or not known.
  public let item: String?

  init(_ c: unisono_playlist_event) {
    (entriesChanged, currentChanged, isByEnd) = (c.entries_changed != 0, c.current_changed != 0, c.by_end != 0)
    (current, originator, item) = (EntryID(some: c.current), ParticipantID(somebody: c.originator), string(c.item))
  }
}

/// What of two copies differs; empty: nothing.
public struct CopyDifferences: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// By more than a second.
  public static let duration = CopyDifferences(rawValue: UNISONO_DIFFERS_DURATION)
  public static let size = CopyDifferences(rawValue: UNISONO_DIFFERS_SIZE)
  public static let hash = CopyDifferences(rawValue: UNISONO_DIFFERS_HASH)
  /// Of the same length all the same: only packed otherwise, as far as can be told.
  public static let container = CopyDifferences(rawValue: UNISONO_DIFFERS_CONTAINER)
}

/// Another participant's copy of the current entry, compared with the own one.
public struct CopyComparison: Hashable, Sendable {
  public let participant: ParticipantID
  public let entry: EntryID
  public let differences: CopyDifferences
  /// The other's.
  public let copy: ItemCopy
  /// For people.
  public let message: String

  init(_ c: unisono_copy_event, _ copy: unisono_copy) {
    (participant, entry) = (ParticipantID(c.participant), EntryID(c.entry))
    (differences, self.copy) = (CopyDifferences(rawValue: c.differs), ItemCopy(copy))
    message = string(c.message) ?? ""
  }
}

extension Session {
  /// Puts an entry on the playlist that the group shares; `before` nil: at its end. Returns: its id.
  /// Errors: `.full`, `.denied` and `.notFound` late, too.
  @discardableResult
  public func addEntry(_ entry: PlaylistEntry, before other: EntryID? = nil) throws(UnisonoError) -> EntryID {
    let lent = Lent()
    var c = unisono_playlist_entry()
    c.size = UInt32(MemoryLayout<unisono_playlist_entry>.size)
    c.item = try lent.text(entry.item, "item")
    c.title = try lent.text(entry.title, "title")
    if let copy = entry.copy { c.copy = lent.one(try copy.c) }
    (c.addresses, c.address_count) = (try lent.texts(entry.addresses, "addresses"), entry.addresses.count)
    (c.ranges, c.range_count) = (lent.all(entry.ranges.map(\.c)), entry.ranges.count)
    var before = other?.c ?? unisono_entry_id()
    var id = unisono_entry_id()
    try check(withExtendedLifetime(lent) { unisono_session_add_entry(handle.token, &c, &before, &id) })
    return EntryID(id)
  }

  /// `before` nil: to the end.
  public func moveEntry(_ entry: EntryID, before other: EntryID? = nil) throws(UnisonoError) {
    var (id, before) = (entry.c, other?.c ?? unisono_entry_id())
    try check(unisono_session_move_entry(handle.token, &id, &before))
  }

  /// Takes an entry off the playlist, for good.
  public func removeEntry(_ entry: EntryID) throws(UnisonoError) {
    var id = entry.c
    try check(unisono_session_remove_entry(handle.token, &id))
  }

  /// The group goes to an entry.
  public func selectEntry(_ entry: EntryID) throws(UnisonoError) {
    var id = entry.c
    try check(unisono_session_select_entry(handle.token, &id))
  }

  /// The group goes on to the next entry, unless it went on from `follows` already; nil: from wherever it is.
  public func nextEntry(follows: EntryID? = nil) throws(UnisonoError) {
    var id = follows?.c ?? unisono_entry_id()
    try check(unisono_session_next_entry(handle.token, &id))
  }

  /// As of the last `SessionEvent.playlist`.
  public func playlist() throws(UnisonoError) -> Playlist {
    var owned: UnsafePointer<unisono_playlist>?
    try check(unisono_session_playlist(handle.token, &owned))
    defer { unisono_free(owned) }
    guard let c = owned?.pointee else { return Playlist(entries: [], current: nil) }
    let entries = (0..<c.count).compactMap { c.items[$0].map { PlaylistEntry($0.pointee) } }
    return Playlist(entries: entries, current: EntryID(some: c.current))
  }

  /// Says which copy this participant plays of an entry; nil: none any more.
  public func setCopy(_ copy: ItemCopy, of entry: EntryID?) throws(UnisonoError) {
    var (id, c) = (entry?.c ?? unisono_entry_id(), try copy.c)
    try check(unisono_session_set_copy(handle.token, &id, &c))
  }

  /// How far this participant's copy of an entry, nil: of that which the group is at, is ahead of the group's item time.
  public func setCutOffset(_ offset: Duration, of entry: EntryID? = nil) throws(UnisonoError) {
    var id = entry?.c ?? unisono_entry_id()
    try check(unisono_session_set_cut_offset(handle.token, &id, offset.heldNanoseconds))
  }
}
