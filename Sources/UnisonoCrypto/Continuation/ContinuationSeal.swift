import Crypto
import UnisonoBase
import UnisonoWire

/// Seals what a participant goes on from, for a file that others may find: "UNIC" 0x01 ‖ salt(32) ‖ AES-256-GCM (wire 8.25).
package struct ContinuationSeal: Sendable {
  /// Of a sealed one, in bytes.
  package static let maximumLength = 1_048_576
  /// Of the key that it is sealed with.
  package static let keyLengths = 16...1_024
  /// How long ago one may have been made that is gone on from, unless the host says.
  package static let usualAge = Nanoseconds.seconds(90 * 86_400)
  private static let magic = Array("UNIC".utf8)
  private static let version: UInt8 = 1
  private static let saltLength = 32
  private static let tagLength = 16

  private let key: SymmetricKey

  /// - Parameter key: `keyLengths` bytes that nobody can guess.
  package init(key: [UInt8]) {
    precondition(Self.keyLengths.contains(key.count), "a key has \(Self.keyLengths) bytes")
    self.key = SymmetricKey(data: key)
  }

  /// - Parameter random: bytes wanted -> fresh bytes.
  package func seal(_ continuation: Continuation, random: (Int) -> [UInt8]) throws(ContinuationError) -> [UInt8] {
    let head = Self.magic + [Self.version] + random(Self.saltLength)
    defer { SecretBuffer.overwriteStackBelow() }
    let plain = continuation.plain
    guard head.count + plain.count + Self.tagLength <= Self.maximumLength else { throw .length }
    let sealing = secret(head)
    guard let nonce = Self.nonce,
      let box = plain.withUnsafeBytes({ try? AES.GCM.seal($0, using: sealing.key, nonce: nonce, authenticating: head) })
    else { throw .length }
    return head + box.ciphertext + box.tag
  }

  package func open(_ sealed: [UInt8]) throws(ContinuationError) -> Continuation {
    guard sealed.count <= Self.maximumLength else { throw .length }
    guard sealed.starts(with: Self.magic), sealed.count > Self.magic.count else { throw .format }
    guard sealed[Self.magic.count] == Self.version else { throw .version }
    let start = Self.magic.count + 1 + Self.saltLength
    guard sealed.count >= start + Self.tagLength else { throw .format }
    let head = Array(sealed[..<start])
    let end = sealed.count - Self.tagLength
    defer { SecretBuffer.overwriteStackBelow() }
    let sealing = secret(head)
    guard let nonce = Self.nonce,
      let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: sealed[start..<end], tag: sealed[end...]),
      var opened = try? AES.GCM.open(box, using: sealing.key, authenticating: head)
    else { throw .seal }
    var plain = SecretBuffer(capacity: opened.count)
    opened.withUnsafeMutableBytes { plain.take($0) }
    return try Continuation(reading: plain)
  }

  /// Opens one, and judges it before anything is done for it. `calendarTime`: now, ns since 1970; `limit`: ns that it may be old.
  package func open(
    _ sealed: [UInt8], at calendarTime: Int64, notOlderThan limit: Nanoseconds, now: HostTime, random: @escaping (Int) -> [UInt8]
  ) throws(ContinuationError) -> Continuation {
    let continuation = try open(sealed)
    guard calendarTime.subtracting(continuation.text.made) <= limit else { throw .old(limit) }
    guard continuation.channel(now: now, random: random) != nil else { throw .unproven }
    return continuation
  }

  /// Of this one token: its salt is in the head.
  private func secret(_ head: [UInt8]) -> Secret {
    Secret.extract(salt: Array(head.suffix(Self.saltLength)), material: key).expand(.continuation)
  }

  /// The key seals one token.
  private static var nonce: AES.GCM.Nonce? { try? AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 12)) }
}
