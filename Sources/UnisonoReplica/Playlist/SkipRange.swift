import UnisonoBase

/// A part of an item that a group may want to leave out (coordination 2.20): `begin` up to before `end`, in the group's item time.
package struct SkipRange: Hashable, Sendable {
  package var begin: ItemTime
  package var end: ItemTime
  package var kind: Kind

  /// Each a bit, so that several together are a number.
  package enum Kind: UInt8, CaseIterable, Sendable {
    case intro = 1
    case recap = 2
    case credits = 4
    case other = 8

    package var word: String {
      switch self {
      case .intro: "intro"
      case .recap: "recap"
      case .credits: "credits"
      case .other: "other"
      }
    }
  }

  /// Of one entry.
  package static let most = 16
  /// Going on somewhere else takes a moment, which a shorter range would not be worth.
  package static let shortest: Nanoseconds = .seconds(1)
  /// The latest end.
  package static let latest: ItemTime = .seconds(7 * 86_400)

  package init(begin: ItemTime, end: ItemTime, kind: Kind) {
    self.begin = begin
    self.end = end
    self.kind = kind
  }

  package func contains(_ position: ItemTime) -> Bool { begin <= position && position < end }

  /// The first of `ranges` that cannot be where it is; nil: they are few enough, long enough, in their order, and none overlaps the next.
  package static func fault(in ranges: [SkipRange]) -> Int? {
    if ranges.count > most { return most }
    var end: ItemTime = 0
    for (index, range) in ranges.enumerated() {
      guard range.begin >= end, range.end <= latest, range.end >= range.begin.adding(shortest) else { return index }
      end = range.end
    }
    return nil
  }
}

/// Which ranges a group leaves out: one register of the whole session, the newest counts (coordination 2.20).
package struct SkipPolicy: Hashable, Sendable {
  /// Bits of `SkipRange.Kind`.
  package private(set) var kinds: UInt8

  package static let none = SkipPolicy(kinds: [])

  package init(kinds: [SkipRange.Kind]) { self.kinds = kinds.reduce(0) { $0 | $1.rawValue } }

  /// nil: a bit that is of no kind.
  package init?(bits: UInt8) {
    guard bits & ~SkipRange.Kind.allCases.reduce(0, { $0 | $1.rawValue }) == 0 else { return nil }
    kinds = bits
  }

  package func skips(_ kind: SkipRange.Kind) -> Bool { kinds & kind.rawValue != 0 }
}
