import CUnisono
import UnisonoBase
import UnisonoCoordination

/// Which points in time a host has set in a struct whose default is zero: its `flags`, judged.
struct GivenTimes {
  struct Flags: OptionSet {
    let rawValue: UInt32

    static let position = Flags(rawValue: UInt32(UNISONO_HAS_POSITION))
    static let range = Flags(rawValue: UInt32(UNISONO_HAS_RANGE))
    static let hostTime = Flags(rawValue: UInt32(UNISONO_HAS_HOST_TIME))
  }

  private let flags: Flags
  /// Of the struct, for the sentence.
  private let name: String

  init(_ given: UInt32, known: Flags, _ name: String) throws(Failure) {
    flags = Flags(rawValue: given)
    self.name = name
    guard flags.isSubset(of: known) else {
      throw Failure(.UNISONO_EINVAL, "\(name).flags has bits that mean nothing here; give UNISONO_HAS_...")
    }
  }

  /// nil: not known.
  func position(_ itemTime: ItemTime, _ hostTime: HostTime) throws(Failure) -> PlaybackReport.Position? {
    guard try isSet(.position, itemTime, hostTime, "item_time or host_time", "UNISONO_HAS_POSITION") else { return nil }
    return PlaybackReport.Position(itemTime: itemTime, hostTime: hostTime)
  }

  /// nil: not known.
  func range(_ start: ItemTime, _ end: ItemTime) throws(Failure) -> ClosedRange<ItemTime>? {
    guard try isSet(.range, start, end, "a range", "UNISONO_HAS_RANGE") else { return nil }
    guard start <= end else { throw Failure(.UNISONO_EINVAL, "the range of \(name) ends before it begins") }
    return start...end
  }

  /// nil: now.
  func hostTime(_ hostTime: HostTime) throws(Failure) -> HostTime? {
    guard hostTime != .max else {
      throw Failure(.UNISONO_EINVAL, "\(name).host_time is UNISONO_TIME_INDEFINITE; give a host time")
    }
    return try isSet(.hostTime, hostTime, hostTime, "host_time", "UNISONO_HAS_HOST_TIME") ? hostTime : nil
  }

  /// false: not flagged, or INVALID. What is there without its flag was forgotten.
  private func isSet(
    _ flag: Flags, _ first: Int64, _ second: Int64, _ what: String, _ flagName: String
  ) throws(Failure) -> Bool {
    guard flags.contains(flag) else {
      guard first == 0 || first == .min, second == 0 || second == .min else {
        throw Failure(.UNISONO_EINVAL, "\(name) has \(what), but not the flag; set \(flagName) in \(name).flags")
      }
      return false
    }
    return first != .min && second != .min
  }
}
