/// Reason for refusing a frame or a part of it; each is counted (wire 4.4).
package enum ChannelRefusal: String, Error, CaseIterable, Hashable, Sendable {
  /// No envelope, or nothing readable inside.
  case malformed
  /// Sealed for another epoch.
  case unknownEpoch
  /// A roster record that is not valid, or whose commitment is false.
  case record
  /// From a connection that two newer ones replaced.
  case oldLane
  /// Seen before, or older than what was seen.
  case replay
  /// Does not open, or its padding is wrong.
  case seal
  /// Not signed by who it says.
  case signature
  /// The sender, or the author, is on no roster, or was not introduced yet.
  case unknownSender
  /// Not meant for us, or bent on the way.
  case notAddressed
  /// A re-key whose secrets are not those that an owner signed for.
  case rekey
  /// Another agreement key under a known id.
  case introduction
  /// A welcome that was not asked for, or that does not open.
  case welcome
  /// A welcome that does not prove that it is the group's.
  case proof
  /// More signatures from this sender, or from all, than can be checked.
  case budget

  /// An honest participant at an honest hub causes none of these, however busy it is, however full the room, and whatever key
  /// one of the two has yet: whoever causes many is ignored for a while.
  var isFault: Bool {
    switch self {
    case .malformed, .oldLane, .replay, .seal, .signature, .notAddressed, .rekey, .introduction, .record, .proof:
      true
    case .budget, .unknownEpoch, .unknownSender, .welcome: false
    }
  }

  /// Stable number on the wire (wire 10.1).
  package var number: UInt8 {
    switch self {
    case .malformed: 1
    case .seal: 2
    case .signature: 3
    case .introduction: 4
    case .replay: 5
    case .oldLane: 6
    case .notAddressed: 7
    case .rekey: 8
    case .welcome: 9
    case .unknownEpoch: 10
    case .record: 11
    case .unknownSender: 12
    case .budget: 13
    case .proof: 14
    }
  }

  /// Reason with a number from the wire; nil: none given, or of a later version.
  package init?(number: UInt8) {
    guard let found = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = found
  }
}
