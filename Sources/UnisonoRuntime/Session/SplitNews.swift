import UnisonoBase
import UnisonoCoordination

/// Somebody and this participant do not hear each other, or do again, as the host is told it.
package struct SplitNews: Equatable, Sendable {
  package var change: SplitChange
  /// "host:port" of the hub in use; "": none any more.
  package var hub: String
  /// The other one's; its id where it has none.
  package var name: String

  /// One sentence for people.
  package var sentence: String {
    switch (change.kind, change.isOver) {
    case (.unheard, false): "others hear \(name), but this participant does not: the hub may keep them apart"
    case (.deaf, false): "\(name) hears others, but not this participant: the hub may keep them apart"
    case (.unreadable, false): "\(name) is here, but nothing it says can be read: it may be with others, behind other keys"
    case (.unheard, true): "\(name) is heard here again, or by nobody any more"
    case (.deaf, true): "\(name) hears this participant again, or nobody any more"
    case (.unreadable, true): "\(name) can be read again, or is not here any more"
    }
  }
}

/// Splits that the host was told of and that are not over, for the list of participants.
struct Splits: Sendable {
  private var open: [ParticipantID: [SplitChange]] = [:]
  /// In which ways somebody and this participant do not hear each other: the numbers of the kinds, added up; nobody else is in it.
  private(set) var flags: [ParticipantID: UInt32] = [:]

  mutating func record(_ change: SplitChange) {
    var changes = (open[change.participant] ?? []).filter { $0.kind != change.kind }
    if !change.isOver { changes.append(change) }
    open[change.participant] = changes.isEmpty ? nil : changes
    flags[change.participant] = changes.isEmpty ? nil : changes.reduce(0) { $0 | $1.kind.rawValue }
  }

  /// The session is in another room: who could not be read was in the one before. They are over.
  mutating func endUnreadable() -> [SplitChange] {
    let ended = open.values.flatMap { $0 }.filter { $0.kind == .unreadable }.sorted { $0.participant < $1.participant }
    return ended.map { change in
      var over = change
      over.isOver = true
      record(over)
      return over
    }
  }
}
