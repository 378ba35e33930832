import Synchronization

/// "unknown error N" for numbers that are none of ours, without a lock or an allocation.
///
/// Texts lie in a ring that is never freed: one is overwritten after 1,024 others were asked for.
enum UnknownErrors {
  private static let count = 1_024
  private static let length = 32
  private static let next = Atomic<UInt>(0)
  nonisolated(unsafe) private static let ring = UnsafeMutablePointer<CChar>.allocate(capacity: count * length)
  private static let prefix: StaticString = "unknown error "

  static func text(_ number: Int32) -> UnsafePointer<CChar> {
    let turn = next.wrappingAdd(1, ordering: .relaxed).newValue
    let text = ring + Int(turn % UInt(count)) * length
    var place = 0
    func put(_ byte: UInt8) {
      text[place] = CChar(bitPattern: byte)
      place += 1
    }
    for index in 0..<prefix.utf8CodeUnitCount { put(prefix.utf8Start[index]) }
    if number < 0 { put(UInt8(ascii: "-")) }
    let magnitude = number.magnitude
    var power: UInt32 = 1_000_000_000
    while power > 1 && magnitude < power { power /= 10 }
    while power > 0 {
      put(UInt8(ascii: "0") + UInt8(magnitude / power % 10))
      power /= 10
    }
    put(0)
    return UnsafePointer(text)
  }
}
