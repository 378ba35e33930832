import UnisonoBase
import UnisonoReplica

/// What is written for what a person asks of the playlist (coordination 2.17).
struct PlaylistWriting {
  /// Why it is not written.
  private struct Refusal: Error {
    var status: CoordinationStatus
    var message: String
  }

  private typealias Target = (place: PlaylistPlace, id: EntryID)

  /// The playlist, and the entry that the group is at, as they are now.
  private let registers: RegisterStore
  private let now: GroupTime

  init(_ facts: borrowing Facts) {
    registers = facts.registers
    now = max(facts.stampTime ?? .min, facts.stamps.largestSeen)
  }

  /// The registers to write, or why none is.
  func intents(for edit: PlaylistEdit) -> [Intent] {
    do throws(Refusal) {
      return try written(for: edit)
    } catch {
      return [.refuse(operation: edit.operation, status: error.status, message: error.message)]
    }
  }

  private func written(for edit: PlaylistEdit) throws(Refusal) -> [Intent] {
    switch edit {
    case .add(let id, var entry, let other):
      guard registers.playlistEntry(id) == nil else {
        throw Refusal(status: .state, message: "an entry has this id already; give each a new one")
      }
      entry.added = now
      guard registers.playlist.hasRoom(for: entry) else { throw Self.full }
      return try put(entry, id, before: target(other, for: id))
    case .move(let id, let other):
      return try put(try living(id), id, before: target(other, for: id))
    case .remove(let id):
      return [.write(.playlistEntry(id), .playlistEntry(try living(id).removed))]
    case .select(let id):
      _ = try living(id)
      return [.write(.playlistCurrent, .playlistCurrent(PlaylistCurrent(entry: id)))]
    case .next(let follows):
      let current = registers.playlistCurrent
      if let follows, current?.value.entry != follows {
        guard current != nil else {
          throw Refusal(status: .notFound, message: "the group is at no entry of the playlist yet, and cannot go on from one")
        }
        // Somebody else was first: the group is where it was to go.
        return []
      }
      guard let next = registers.playlistStep(isByEnd: false) else {
        throw Refusal(status: .notFound, message: "no entry of the playlist stands behind the current one")
      }
      return [.write(.playlistCurrent, .playlistCurrent(next))]
    }
  }

  static var tooMuch: String {
    "the playlist has \(Playlist.capacity) entries or \(Playlist.weightLimit) bytes, which is all it can have; remove some first"
  }

  private static var full: Refusal { Refusal(status: .full, message: tooMuch) }

  private func living(_ id: EntryID) throws(Refusal) -> PlaylistEntry {
    guard let entry = registers.playlistEntry(id), !entry.isRemoved else {
      throw Refusal(status: .notFound, message: "the playlist has no entry of this id; it may have been removed")
    }
    return entry
  }

  /// Where the entry stands, or stood, that another is to stand before; nil: at the end.
  private func target(_ other: EntryID?, for id: EntryID) throws(Refusal) -> Target? {
    guard let other else { return nil }
    guard let entry = registers.playlistEntry(other) else {
      throw Refusal(status: .notFound, message: "the playlist has no entry that this one could stand before")
    }
    return (entry.place, other)
  }

  /// An entry with a place of its own; where there is none between two, all get new ones.
  private func put(_ entry: PlaylistEntry, _ id: EntryID, before target: Target?) throws(Refusal) -> [Intent] {
    let (left, right) = registers.playlist.neighbours(before: target, leavingOut: id)
    var entry = entry
    if let place = PlaylistPlace.between(left, right, salt: UInt8(truncatingIfNeeded: id.low)) {
      entry.place = place
      return [.write(.playlistEntry(id), .playlistEntry(entry))]
    }
    var lines = registers.playlist.lines.filter { $0.id != id }
    let index = target.map { target in lines.partitioningIndex { (target.place, target.id) <= ($0.entry.place, $0.id) } }
    lines.insert(Playlist.Line(id: id, entry: entry), at: index ?? lines.count)
    return lines.enumerated().map { index, line in
      var entry = line.entry
      entry.place = .spread(index)
      return .write(.playlistEntry(line.id), .playlistEntry(entry))
    }
  }
}

extension RegisterStore {
  /// One step on from the current entry, wherever that stands or stood; from nowhere to the first. nil: nothing is behind it.
  func playlistStep(isByEnd: Bool) -> PlaylistCurrent? {
    guard let current = playlistCurrent else { return playlist.lines.first.map { PlaylistCurrent(entry: $0.id) } }
    guard let entry = playlistEntry(current.value.entry),
      let next = playlist.first(after: entry.place, current.value.entry), current.value.step < .max
    else { return nil }
    return PlaylistCurrent(
      entry: next.id, base: current.value.base ?? current.said, step: current.value.step + 1, isByEnd: isByEnd)
  }
}
