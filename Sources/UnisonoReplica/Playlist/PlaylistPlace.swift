import UnisonoBase

/// Where an entry of the playlist stands: bytes that are compared one by one, so that there is always room between two.
///
/// A fractional index: whoever puts an entry between two others writes only that one. Two at one place stand in the order of their
/// identifiers.
package struct PlaylistPlace: Hashable, Comparable, Sendable {
  /// 1...64; the last one is not 0, as nothing would go between a place and the same with a 0 behind it.
  package let bytes: [UInt8]

  package static let longest = 64
  /// Bytes of the counter that places at either end of the list are made by.
  private static let counted = 3

  /// nil: no place has such bytes.
  package init?(_ bytes: [UInt8]) {
    guard (1...Self.longest).contains(bytes.count), bytes.last != 0 else { return nil }
    self.bytes = bytes
  }

  private init(digits bytes: [UInt8]) { self.bytes = bytes }

  package static func < (left: Self, right: Self) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }

  /// Places of a whole list, in the order of `index`, 0...1,000.
  package static func spread(_ index: Int) -> Self { counter(0x80_0000 + index) }

  private static func counter(_ number: Int) -> Self {
    Self(digits: [UInt8(truncatingIfNeeded: number >> 16), UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number), 0x80])
  }

  /// A place behind one and before another (nil: at the end of the list); nil: there is none of at most 64 bytes.
  ///
  /// `salt`, not 0, tells two apart that are put between the same two at the same time.
  package static func between(_ left: Self?, _ right: Self?, salt: UInt8) -> Self? {
    guard let plain = plain(left, right) else { return nil }
    let salted = Self(digits: plain.bytes + [max(1, salt)])
    let fits = salted.bytes.count <= longest && left.map { $0 < salted } ?? true && right.map { salted < $0 } ?? true
    return fits ? salted : plain
  }

  private static func plain(_ left: Self?, _ right: Self?) -> Self? {
    switch (left, right) {
    case (nil, nil): return counter(0x80_0000)
    case (let left?, nil):
      let number = number(left)
      if number < 0xFF_FFFF { return counter(number + 1) }
    case (nil, let right?):
      let number = number(right)
      if number > 0 { return counter(number - 1) }
    case (let left?, let right?):
      guard left < right else { return nil }
    }
    return middle(left?.bytes ?? [], right?.bytes)
  }

  private static func number(_ place: Self) -> Int {
    (0..<counted).reduce(0) { $0 << 8 | Int($1 < place.bytes.count ? place.bytes[$1] : 0) }
  }

  /// Digits between two, read as fractions to the base of 256; `right` nil: one.
  private static func middle(_ left: [UInt8], _ right: [UInt8]?) -> Self? {
    var digits: [UInt8] = []
    // As long as the digits are those of `right` it still bounds what follows.
    var isBound = right != nil
    while digits.count < longest {
      let index = digits.count
      let low = index < left.count ? Int(left[index]) : 0
      let high = isBound ? (right.flatMap { index < $0.count ? Int($0[index]) : nil } ?? 0) : 256
      if high - low > 1 {
        digits.append(UInt8(low + (high - low) / 2))
        return Self(digits: digits)
      }
      digits.append(UInt8(low))
      if low < high { isBound = false }
    }
    return nil
  }
}
