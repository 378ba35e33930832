import CUnisono
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

extension unisono_entry_id {
  init(_ id: EntryID) {
    self.init()
    let bytes = id.bytes
    withUnsafeMutableBytes(of: &self) { $0.copyBytes(from: bytes) }
  }
}

extension unisono_range {
  init(_ range: SkipRange) {
    self.init(begin: range.begin, end: range.end, kind: unisono_range_kind(rawValue: Int32(range.kind.rawValue))!, reserved: 0)
  }
}

extension Arena {
  func entry(_ line: Playlist.Line) -> UnsafePointer<unisono_playlist_entry> {
    let entry = line.entry
    return UnsafePointer(
      store(
        unisono_playlist_entry(
          size: size(of: unisono_playlist_entry.self), reserved: 0, id: unisono_entry_id(line.id),
          item: text(entry.item.utf8), title: entry.title.isEmpty ? nil : visible(entry.title),
          copy: entry.copy.isKnown ? copy(entry.copy) : nil,
          addresses: store(entry.addresses.map { Optional(visible($0)) }), address_count: entry.addresses.count,
          ranges: store(entry.ranges.map(unisono_range.init)), range_count: entry.ranges.count)))
  }

  func copy(_ copy: Copy) -> UnsafePointer<unisono_copy> {
    var body = unisono_copy()
    body.size = size(of: unisono_copy.self)
    body.has_hash = copy.hash.isEmpty ? 0 : 1
    body.duration = copy.duration
    body.file_size = copy.size
    withUnsafeMutableBytes(of: &body.hash) { $0.copyBytes(from: copy.hash) }
    return UnsafePointer(store(body))
  }
}

extension Payload {
  /// SESSION_PLAYLIST.
  static func playlist(_ origin: EventOrigin, _ change: PlaylistChange, item: ItemID?) -> Payload {
    Payload { arena in
      unisono_playlist_event(
        base: origin.head(.UNISONO_EVENT_SESSION_PLAYLIST, of: unisono_playlist_event.self),
        entries_changed: change.entries ? 1 : 0, current_changed: change.current ? 1 : 0, by_end: change.isByEnd ? 1 : 0,
        reserved: 0, current: unisono_entry_id(change.entry ?? .none), originator: unisono_participant_id(change.originator),
        item: item.map { arena.text($0.utf8) })
    }
  }

  /// SESSION_COPY.
  static func copy(_ origin: EventOrigin, _ news: CopyNews, name: String) -> Payload {
    Payload { arena in
      unisono_copy_event(
        base: origin.head(.UNISONO_EVENT_SESSION_COPY, of: unisono_copy_event.self),
        participant: unisono_participant_id(news.participant), entry: unisono_entry_id(news.entry),
        differs: news.difference.flags, reserved: 0, copy: arena.copy(news.copy),
        message: arena.visible(news.difference.sentence(name)))
    }
  }
}

extension CopyDifference {
  /// UNISONO_DIFFERS_ flags.
  var flags: UInt32 {
    (duration ? UNISONO_DIFFERS_DURATION : 0) | (size ? UNISONO_DIFFERS_SIZE : 0) | (hash ? UNISONO_DIFFERS_HASH : 0)
      | (isContainer ? UNISONO_DIFFERS_CONTAINER : 0)
  }
}
