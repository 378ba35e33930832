import UnisonoBase
import UnisonoReplica

/// The newest entries of a chat: a union of what everybody said, so that it is the same in whatever order that comes.
package struct ChatLog: Sendable {
  private struct Kept: Sendable {
    var entry: ChatEntry
    var hash: [UInt8]
    var bytes: Int { entry.signed.body.count + entry.signed.signature.count }
    var name: ChatName { ChatName(id: entry.id, hash: hash.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }) }
  }

  private let hash: @Sendable ([UInt8]) -> [UInt8]
  /// In the order of the conversation.
  private var kept: [Kept] = []

  /// `hash`: 32 bytes.
  package init(hash: @escaping @Sendable ([UInt8]) -> [UInt8]) { self.hash = hash }

  package var isEmpty: Bool { kept.isEmpty }
  /// In the order of the conversation.
  package var entries: [ChatEntry] { kept.map { $0.entry } }

  /// True: it was not known, and is kept. Of two that an author made of one name the one with the lesser hash counts.
  package mutating func merge(_ entry: ChatEntry) -> Bool {
    let new = Kept(entry: entry, hash: hash(entry.signed.body))
    if let index = kept.firstIndex(where: { $0.entry.id == entry.id }) {
      guard new.hash.lexicographicallyPrecedes(kept[index].hash) else { return false }
      kept.remove(at: index)
    }
    kept.insert(new, at: kept.firstIndex { ChatEntry.precedes(entry, $0.entry) } ?? kept.count)
    forgetOldest()
    return kept.contains { $0.entry.id == entry.id }
  }

  /// Whether an entry is kept goes by those that are newer alone. If it went by its own length, too, a short one could come back
  /// where a longer, newer one had no room, and what is kept would depend on the order in which they come.
  private mutating func forgetOldest() {
    var bytes = 0
    var first = kept.count
    while first > 0, kept.count - first < WireLimits.chatEntries, bytes <= WireLimits.chatNewerBytes {
      first -= 1
      bytes += kept[first].bytes
    }
    kept.removeFirst(first)
  }

  // MARK: Comparing. Only entries of `readers`: whoever is on no roster any more is nobody to a newcomer.

  package func digest(of readers: Set<ParticipantID>) -> [UInt8] {
    var writer = ByteWriter()
    for one in kept where readers.contains(one.entry.id.author) { writer.append(one.hash) }
    return hash(writer.bytes)
  }

  /// Ascending by id.
  package func names(of readers: Set<ParticipantID>) -> [ChatName] {
    kept.filter { readers.contains($0.entry.id.author) }.map { $0.name }.sorted { $0.id < $1.id }
  }

  /// What one who has these lacks.
  package func entries(of readers: Set<ParticipantID>, without names: [ChatName]) -> [ChatEntry] {
    let had = Set(names)
    return kept.filter { readers.contains($0.entry.id.author) && !had.contains($0.name) }.map { $0.entry }
  }

  /// Whether one who has these has something that is missing here.
  package func lacksAny(of names: [ChatName]) -> Bool { !Set(names).isSubset(of: kept.map { $0.name }) }
}
