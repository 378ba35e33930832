import Crypto

/// 32 secret bytes that are overwritten when the last copy goes away.
///
/// Compared in constant time. It has no description on purpose: it cannot slip into a log.
public struct Secret: Equatable, Sendable {
  static let length = 32
  let key: SymmetricKey

  /// The secret in `bytes`; nil unless there are exactly 32.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.length else { return nil }
    key = SymmetricKey(data: bytes)
  }

  /// 32 bytes drawn from `random` (bytes wanted -> bytes).
  public init(random: (Int) -> [UInt8]) {
    let bytes = random(Self.length)
    precondition(bytes.count == Self.length, "the random source gave \(bytes.count) bytes instead of \(Self.length)")
    key = SymmetricKey(data: bytes)
  }

  init(_ key: SymmetricKey) { self.key = key }

  /// A copy of the bytes, for what leaves sealed (a welcome) or as part of an invite.
  public var bytes: [UInt8] { key.withUnsafeBytes { Array($0) } }

  /// HMAC(salt, material): HKDF-Extract.
  public static func extract(salt: [UInt8], material: Secret) -> Secret { extract(salt: salt, material: material.key) }

  /// The same for material of any length.
  static func extract(salt: [UInt8], material: SymmetricKey) -> Secret {
    Secret(SymmetricKey(data: HKDF<SHA256>.extract(inputKeyMaterial: material, salt: salt)))
  }

  /// HMAC(self, label ‖ info ‖ 0x01): HKDF-Expand to 32 bytes.
  public func expand(_ label: Label, _ info: [UInt8] = []) -> Secret {
    Secret(HKDF<SHA256>.expand(pseudoRandomKey: key, info: label.bytes + info, outputByteCount: Self.length))
  }

  var isZero: Bool { key.withUnsafeBytes { $0.reduce(0, |) == 0 } }
}
