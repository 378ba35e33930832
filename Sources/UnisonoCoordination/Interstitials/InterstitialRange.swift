import UnisonoBase

/// Range of the own copy of an item that is not the group's: an advertisement that was cut in, or a notice of the law (coordination 2.21).
package struct InterstitialRange: Hashable, Sendable {
  /// In the item time of the own copy, ns.
  package var start: ItemTime
  /// Where the group's item goes on; after `start`.
  package var end: ItemTime

  /// Ranges of one item at most; more than any broadcast has breaks.
  package static let most = 64
  /// Items that ranges are kept of at most: longer queues are given theirs as they come.
  package static let mostItems = 64

  package init(start: ItemTime, end: ItemTime) {
    self.start = start
    self.end = end
  }

  /// It has a beginning and an end, in this order.
  package var isOne: Bool { start != .min && end != .max && start < end }

  /// The ranges in order, those that touch made one; nil: two overlap, or one is none.
  package static func ordered(_ ranges: [InterstitialRange]) -> [InterstitialRange]? {
    var ordered: [InterstitialRange] = []
    for range in ranges.sorted(by: { $0.start < $1.start }) {
      guard range.isOne else { return nil }
      guard let last = ordered.last, range.start <= last.end else {
        ordered.append(range)
        continue
      }
      guard range.start == last.end else { return nil }
      ordered[ordered.count - 1].end = range.end
    }
    return ordered
  }
}
