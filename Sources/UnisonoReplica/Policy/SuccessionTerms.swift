import UnisonoBase

/// Who stands in for the owners of a policy when none of them is there, and after how long; a part of what a policy says.
package struct SuccessionTerms: Hashable, Sendable {
  /// How the list of deputies is kept; numbers of the wire.
  package enum Rule: UInt8, Sendable, CaseIterable {
    /// Nobody stands in.
    case nobody = 0
    /// An owner named them.
    case named = 1
    /// An owner's library lists those who have been there longest, the highest roles first, where not all may command.
    case bySeniority = 2
  }

  package static let deputyLimit = 8
  /// How many the library lists by itself.
  package static let lineLength = 4
  package static let leastPatience: Nanoseconds = .seconds(5)
  package static let greatestPatience: Nanoseconds = .seconds(3_600)
  package static let usualPatience: Nanoseconds = .seconds(30)

  package var rule: Rule
  /// The first of these who is there stands in; neither owners nor removed.
  package var deputies: [ParticipantID]
  /// How long no owner must have been there, ns, in whole milliseconds.
  package var patience: Nanoseconds

  package init(
    rule: Rule = .nobody, deputies: [ParticipantID] = [], patience: Nanoseconds = SuccessionTerms.usualPatience
  ) {
    self.rule = rule
    self.deputies = deputies
    self.patience = patience
  }

  package var isWellFormed: Bool {
    deputies.count <= Self.deputyLimit && Set(deputies).count == deputies.count
      && (rule != .nobody || deputies.isEmpty)
      && (Self.leastPatience...Self.greatestPatience).contains(patience) && patience % .milliseconds(1) == 0
  }
}

/// Who acts as owner while none is there, as everybody is told.
package struct SuccessionChange: Equatable, Sendable {
  /// Numbers of `unisono_succession_status`.
  package enum Status: Int32, Sendable {
    /// An owner is back, or decided otherwise.
    case ended = 0
    case began = 1
    /// A deputy says that no owner is there, and one is: it is not believed.
    case refused = 2
  }

  package var status: Status
  /// The deputy.
  package var deputy: ParticipantID
  /// An owner named it; else it was the first by seniority.
  package var isNamed: Bool

  package init(_ status: Status, deputy: ParticipantID, isNamed: Bool) {
    self.status = status
    self.deputy = deputy
    self.isNamed = isNamed
  }
}
