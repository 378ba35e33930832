/// Who stands in for the owners of a policy when none of them is there, and after how long; a part of what a policy says.
public struct SuccessionTerms: Hashable, Sendable {
  /// How the list of deputies is kept; numbers of the wire.
  public enum Rule: UInt8, Sendable, CaseIterable {
    /// Nobody stands in.
    case nobody = 0
    /// An owner named them.
    case named = 1
    /// An owner's library lists those who have been there longest, the highest roles first, where not all may command.
    case bySeniority = 2
  }

  public static let deputyLimit = 8
  /// How many the library lists by itself.
  public static let lineLength = 4
  public static let leastPatience: Nanoseconds = .seconds(5)
  public static let greatestPatience: Nanoseconds = .seconds(3_600)
  public static let usualPatience: Nanoseconds = .seconds(30)

  public var rule: Rule
  /// The first of these who is there stands in; neither owners nor removed.
  public var deputies: [ParticipantID]
  /// How long no owner must have been there, ns, in whole milliseconds.
  public var patience: Nanoseconds

  public init(
    rule: Rule = .nobody, deputies: [ParticipantID] = [], patience: Nanoseconds = SuccessionTerms.usualPatience
  ) {
    self.rule = rule
    self.deputies = deputies
    self.patience = patience
  }

  var isWellFormed: Bool {
    deputies.count <= Self.deputyLimit && Set(deputies).count == deputies.count
      && (rule != .nobody || deputies.isEmpty)
      && (Self.leastPatience...Self.greatestPatience).contains(patience) && patience % .milliseconds(1) == 0
  }
}

/// Who acts as owner while none is there, as everybody is told.
public struct SuccessionChange: Equatable, Sendable {
  /// Numbers of `unisono_succession_status`.
  public enum Status: Int32, Sendable {
    /// An owner is back, or decided otherwise.
    case ended = 0
    case began = 1
    /// A deputy says that no owner is there, and one is: it is not believed.
    case refused = 2
  }

  public var status: Status
  /// The deputy.
  public var deputy: ParticipantID
  /// An owner named it; else it was the first by seniority.
  public var isNamed: Bool

  public init(_ status: Status, deputy: ParticipantID, isNamed: Bool) {
    self.status = status
    self.deputy = deputy
    self.isNamed = isNamed
  }
}
