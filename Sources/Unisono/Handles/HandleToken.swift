/// A handle as the host holds it: a number that looks like a pointer and is none.
///
/// Shape, from the lowest bit: 3 bits mark (odd, so that it is no address of any object), 4 bits kind, 16 bits slot,
/// 24 bits generation. 47 bits in all, because some hosts keep pointers in that many.
struct HandleToken: Hashable, Sendable {
  let raw: UInt

  static let slotCount = 1 << 16
  static let lastGeneration: UInt32 = 1 << 24 - 1
  private static let mark: UInt = 0b101

  init(kind: HandleKind, slot: Int, generation: UInt32) {
    raw = Self.mark | UInt(kind.rawValue) << 3 | UInt(slot) << 7 | UInt(generation) << 23
  }

  /// nil: the host's pointer cannot be one of ours.
  init?(_ pointer: OpaquePointer?) {
    let raw = UInt(bitPattern: pointer)
    guard raw & 0b111 == Self.mark, raw >> 47 == 0, HandleKind(rawValue: UInt8(raw >> 3 & 0xF)) != nil else {
      return nil
    }
    self.raw = raw
  }

  var kindNumber: UInt8 { UInt8(raw >> 3 & 0xF) }
  var slot: Int { Int(raw >> 7 & 0xFFFF) }
  var generation: UInt32 { UInt32(raw >> 23 & 0xFF_FFFF) }

  var pointer: OpaquePointer? { OpaquePointer(bitPattern: raw) }
  var rawPointer: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: raw) }
}
