import UnisonoBase

/// What a listener has counted at its hub, which does not know what it means (wire 3.14, 8.31).
package enum TallyKind: UInt8, CaseIterable, Sendable {
  /// Its player is ready for a start.
  case ready
  /// Its person reacts to what is heard.
  case reaction

  /// A listener says each kind at most once in so long.
  package static let pause = Nanoseconds.seconds(1)
}

/// How many listeners had the same counted.
package struct Tally: Hashable, Sendable {
  /// Tallies of one kind that COUNT has, the greatest.
  package static let most = 8

  /// What they had counted, under a name that who has the listening link can make.
  package var tag: UInt64
  package var count: UInt32

  package init(tag: UInt64, count: UInt32) {
    self.tag = tag
    self.count = count
  }

  /// Of several hubs, added up: ascending by tag, one each.
  package static func sum(_ lists: [[Tally]]) -> [Tally] {
    var sums: [UInt64: UInt32] = [:]
    for list in lists {
      for tally in list { sums[tally.tag] = UInt32(clamping: UInt64(sums[tally.tag] ?? 0) + UInt64(tally.count)) }
    }
    return sums.map { Tally(tag: $0.key, count: $0.value) }.sorted { $0.tag < $1.tag }
  }

  /// The greatest of these, so many at most, ascending by tag; of equal ones those of the lesser tags.
  package static func greatest(of tallies: [Tally], atMost most: Int) -> [Tally] {
    guard tallies.count > most else { return tallies.sorted { $0.tag < $1.tag } }
    let descending = tallies.sorted { ($1.count, $0.tag) < ($0.count, $1.tag) }
    return descending.prefix(most).sorted { $0.tag < $1.tag }
  }

  static func read(_ item: Item, upTo most: Int) throws(WireError) -> [Tally] {
    try item.elements(of: 12, upTo: most) { (reader) throws(WireError) in
      Tally(tag: try reader.integer(), count: try reader.integer())
    } ascending: {
      $0.tag < $1.tag
    }
  }

  /// Nothing where there are none.
  static func write(_ tallies: [Tally], tag: UInt8, to writer: inout ItemWriter) {
    guard !tallies.isEmpty else { return }
    writer.item(tag) {
      for tally in tallies {
        $0.integer(tally.tag)
        $0.integer(tally.count)
      }
    }
  }
}
