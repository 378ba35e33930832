import CUnisono
import Synchronization
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoRuntime

/// The playlist as calls of any thread read it: as of the last event.
final class SharedPlaylist: Sendable {
  private struct State {
    var list = Playlist()
    var current: EntryID?
  }

  private let state = Mutex(State())

  /// On the loop.
  func publish(_ list: Playlist, current: EntryID?) {
    state.withLock { $0 = State(list: list, current: current) }
  }

  /// Whether one more entry fits, by what is known now; judged again on the loop.
  func hasRoom(for entry: PlaylistEntry) -> Bool { state.withLock { $0.list.hasRoom(for: entry) } }

  /// Entries that the host owns.
  func owned() -> UnsafePointer<unisono_playlist> {
    let (lines, current) = state.withLock { ($0.list.lines, $0.current) }
    let arena = Arena()
    let body = unisono_playlist(
      size: size(of: unisono_playlist.self), reserved: 0, current: unisono_entry_id(current ?? .none), count: lines.count,
      items: arena.store(lines.map { Optional(arena.entry($0)) }))
    let place = UnsafePointer(arena.store(body))
    OwnedResults.shared.give(place, of: arena)
    return place
  }
}

/// The playlist, and copies of what is on it.
extension SessionObject {
  func addEntry(
    _ pointer: UnsafePointer<unisono_playlist_entry>?, before other: UnsafePointer<unisono_entry_id>?
  ) throws(Failure) -> EntryID {
    let entry = try GivenPlaylist.entry(pointer)
    let before = GivenPlaylist.id(other)
    try requireJoined()
    try requireCommand()
    guard playlist.hasRoom(for: entry) else {
      throw Failure(.UNISONO_EFULL, "the playlist has no room for another entry; remove some first")
    }
    let id = EntryID(high: context.loop.randomNumber() | 1, low: context.loop.randomNumber())
    try submit(cost: CallCost(bytes: entry.weight)) { $0.handle(.editPlaylist(.add(id, entry: entry, before: before))) }
    return id
  }

  func moveEntry(_ pointer: UnsafePointer<unisono_entry_id>?, before other: UnsafePointer<unisono_entry_id>?) throws(Failure) {
    try edit(.move(try GivenPlaylist.requiredID(pointer), before: GivenPlaylist.id(other)))
  }

  func removeEntry(_ pointer: UnsafePointer<unisono_entry_id>?) throws(Failure) {
    try edit(.remove(try GivenPlaylist.requiredID(pointer)))
  }

  func selectEntry(_ pointer: UnsafePointer<unisono_entry_id>?) throws(Failure) {
    try edit(.select(try GivenPlaylist.requiredID(pointer)))
  }

  func nextEntry(after pointer: UnsafePointer<unisono_entry_id>?) throws(Failure) {
    try edit(.next(follows: GivenPlaylist.id(pointer)))
  }

  private func edit(_ edit: PlaylistEdit) throws(Failure) {
    try requireJoined()
    try requireCommand()
    try submit { $0.handle(.editPlaylist(edit)) }
  }

  func setCopy(_ pointer: UnsafePointer<unisono_copy>?, of entry: UnsafePointer<unisono_entry_id>?) throws(Failure) {
    let copy = try GivenPlaylist.copy(pointer, "copy")
    let stated = GivenPlaylist.id(entry).map { StatedCopy(entry: $0, copy: copy ?? Copy()) }
    try requireJoined()
    try submit { $0.handle(.stateCopy(stated)) }
  }

  func setCutOffset(_ offset: Nanoseconds, of entry: UnsafePointer<unisono_entry_id>?) throws(Failure) {
    guard CutOffset.isAllowed(offset) else {
      throw Failure(.UNISONO_EINVAL, "offset is \(offset); give ns, at most six hours either way")
    }
    let id = GivenPlaylist.id(entry)
    try requireJoined()
    try submit { $0.handle(.setCutOffset(id, offset)) }
  }

  // MARK: On the loop

  func deliverPlaylist(_ change: PlaylistChange, _ list: Playlist) {
    playlist.publish(list, current: change.entry)
    let item = { (id: EntryID?) in list.lines.first { $0.id == id }?.entry.item }
    // Where several became one unread event nobody knows what of it the host has seen.
    var whole = change
    (whole.entries, whole.current) = (true, true)
    deliver(
      .playlist(origin, change, item: item(change.entry)), to: bound(callbacks?.playlist),
      complete: { [origin] in .playlist(origin, whole, item: item(change.entry)) })
  }

  func deliverCopy(_ news: CopyNews) {
    let name = displayName(of: news.participant) ?? "Somebody"
    deliver(.copy(origin, news, name: name), .other, to: bound(callbacks?.copy))
  }
}
