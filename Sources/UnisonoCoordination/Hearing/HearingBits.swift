import UnisonoBase

/// Whom somebody hears: a bit for each place of a roster, the first in the lowest bit of the first byte (wire 8.9).
package enum HearingBits {
  /// Bytes that a roster takes.
  static func length(of count: Int) -> Int { (count + 7) / 8 }

  /// The bits are as many as the roster has places: none beyond the last.
  static func fit(_ bits: [UInt8], count: Int) -> Bool {
    guard !bits.isEmpty, bits.count == length(of: count) else { return false }
    return count % 8 == 0 || bits[bits.count - 1] >> UInt8(count % 8) == 0
  }

  static func has(_ bits: [UInt8], _ place: Int) -> Bool {
    place / 8 < bits.count && bits[place / 8] >> UInt8(place % 8) & 1 == 1
  }

  /// The bits of those for whom it holds.
  static func make(_ roster: [ParticipantID], where isHeard: (ParticipantID) -> Bool) -> [UInt8] {
    var bits = [UInt8](repeating: 0, count: length(of: roster.count))
    for (place, id) in roster.enumerated() where isHeard(id) { bits[place / 8] |= 1 << UInt8(place % 8) }
    return bits
  }

  /// The same by another roster. Empty, and so saying nothing, where they do not fit the first, or where `reader` is not on it: that its
  /// bit is missing would say that it is not heard.
  package static func translate(
    _ bits: [UInt8], from roster: [ParticipantID], to other: [ParticipantID], for reader: ParticipantID
  ) -> [UInt8] {
    guard fit(bits, count: roster.count), roster.contains(reader) else { return [] }
    var heard: Set<ParticipantID> = []
    for (place, id) in roster.enumerated() where has(bits, place) { heard.insert(id) }
    return make(other) { heard.contains($0) }
  }
}
