import UnisonoBase
import UnisonoReplica

/// What of two copies of one entry differs, as far as both are known.
package struct CopyDifference: Hashable, Sendable {
  /// By more than a second.
  package var duration = false
  package var size = false
  package var hash = false
  /// As long as the other to within a second: the same in another container, as far as can be told.
  package var isContainer = false

  package var isNone: Bool { !duration && !size && !hash }

  /// Durations as players measure them differ by less than this of one and the same film.
  package static let tolerance: Nanoseconds = .seconds(1)

  /// nil: nothing of them can be compared.
  package init?(_ own: Copy, _ other: Copy) {
    let knowsDurations = own.duration != 0 && other.duration != 0
    let knowsSizes = own.size != 0 && other.size != 0
    let knowsHashes = !own.hash.isEmpty && !other.hash.isEmpty
    guard knowsDurations || knowsSizes || knowsHashes else { return nil }
    // The same bytes are the same, whatever their players measure.
    if knowsHashes, own.hash == other.hash { return }
    duration = knowsDurations && own.duration.subtracting(other.duration).absolute > Self.tolerance
    size = knowsSizes && own.size != other.size
    hash = knowsHashes
    isContainer = knowsDurations && !duration && (size || hash)
  }

  /// For people. `name`: the other's.
  package func sentence(_ name: String) -> String {
    if isNone { return "\(name) has the same copy" }
    if isContainer { return "\(name) has another file of the same length" }
    if duration { return "\(name) has a copy of another length" }
    return "\(name) has another file"
  }
}

/// Another's copy against the own one, as the host is told of it.
package struct CopyNews: Equatable, Sendable {
  package var participant: ParticipantID
  package var entry: EntryID
  /// The other's.
  package var copy: Copy
  package var difference: CopyDifference

  package init(participant: ParticipantID, entry: EntryID, copy: Copy, difference: CopyDifference) {
    self.participant = participant
    self.entry = entry
    self.copy = copy
    self.difference = difference
  }
}

/// The copies of all who are at the own entry, as the host was told of them (coordination 2.17). Each tells its own host: so both
/// sides hear of a difference, whoever of them came first.
struct CopyComparison: Sendable {
  private struct Told: Equatable, Sendable {
    var entry: EntryID
    var difference: CopyDifference
  }

  private var told: [ParticipantID: Told] = [:]
  /// The own one, as it was compared.
  private var own: StatedCopy?

  /// What is news of these; each difference is told once, until it is another.
  mutating func news(_ facts: borrowing Facts) -> [CopyNews] {
    guard facts.session.joined, facts.session.participates else { return [] }
    let isOther = own != facts.own.copy
    own = facts.own.copy
    guard let own else {
      told = [:]
      return []
    }
    // Somebody whose copy is not known cannot have been told of.
    let changes = facts.registers.changes
    guard isOther || changes.ofParticipants || changes.beyondParticipants else { return [] }
    var news: [CopyNews] = []
    for id in told.keys where facts.registers.participant(id) == nil { told[id] = nil }
    for id in facts.roster.others.sorted() {
      guard let stated = facts.registers.participant(id)?.copy, stated.entry == own.entry,
        let difference = CopyDifference(own.copy, stated.copy)
      else {
        told[id] = nil
        continue
      }
      let now = Told(entry: own.entry, difference: difference)
      guard told[id] != now else { continue }
      told[id] = now
      news.append(CopyNews(participant: id, entry: own.entry, copy: stated.copy, difference: difference))
    }
    return news
  }
}
