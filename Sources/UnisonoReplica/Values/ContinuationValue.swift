import UnisonoBase

/// C of an item: what the library decided about a pair of cells; never beats a newer command (coordination 2.3, 2.4).
package struct ContinuationValue: Equatable, Sendable {
  package var base: Pair
  package var sequence: UInt32
  package var kind: Kind
  /// Of a confirmation: whose decision it is and when that was made; nil: the statement's own.
  package var original: Stamp?

  package enum Kind: Equatable, Sendable {
    /// Playing: the position of the pair holds at `since` (group time); the rate is that of R. `coverage`: how many
    /// ready participants the author counted. `prior`: the line in force until `since` (rate change), in group time.
    case line(coverage: UInt16, since: GroupTime, at: ItemTime?, prior: Line?)
    /// Held at a position until a stalled participant recovers, at most until `deadline`.
    case hold(at: ItemTime, deadline: GroupTime)
    /// On its way from the beginning of a range that the group leaves out to its end; waited for like a hold.
    case skip(from: ItemTime, at: ItemTime, deadline: GroupTime)
    /// Everybody's item ended there.
    case ended(at: ItemTime)
  }

  package init(base: Pair, sequence: UInt32, kind: Kind, original: Stamp? = nil) {
    self.base = base
    self.sequence = sequence
    self.kind = kind
    self.original = original
  }
}

/// The two cells that together are an item's commanded state.
package struct Pair: Hashable, Sendable {
  package var rate: CellKey
  package var position: CellKey

  package init(rate: CellKey, position: CellKey) {
    self.rate = rate
    self.position = position
  }

  /// The commands alone, whoever confirmed them under whatever policy.
  package var commands: Pair { Pair(rate: rate.command, position: position.command) }
}
