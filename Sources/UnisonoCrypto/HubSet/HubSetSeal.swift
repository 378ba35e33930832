import Crypto
import UnisonoBase
import UnisonoWire

/// A message between hubs as it travels (hubs 3): 0x02 ‖ run(16) ‖ number u64 ‖ AES-256-GCM(text), with the subject and the bytes before
/// as what is authenticated beside it.
enum HubSetSeal {
  private static let format: UInt8 = 2
  private static let tagLength = 16
  static let headLength = 25

  static func head(run: HubRunID, number: UInt64) -> [UInt8] {
    var writer = ByteWriter()
    writer.integer(format)
    writer.identifier(run)
    writer.integer(number)
    return writer.bytes
  }

  /// The run and number that a message names; nil: it is none.
  static func read(_ message: [UInt8]) -> (run: HubRunID, number: UInt64)? {
    guard message.count > headLength + tagLength, message.count <= HubSetLimits.message else { return nil }
    var reader = ByteReader(message)
    guard (try? reader.integer(UInt8.self)) == format, let run = try? reader.identifier(HubRunKind.self),
      let number = try? reader.integer(UInt64.self)
    else { return nil }
    return (run, number)
  }

  static func seal(_ text: [UInt8], head: [UInt8], number: UInt64, subject: String, key: SymmetricKey) -> [UInt8]? {
    guard head.count + text.count + tagLength <= HubSetLimits.message, let nonce = nonce(number),
      let box = try? AES.GCM.seal(text, using: key, nonce: nonce, authenticating: Array(subject.utf8) + head)
    else { return nil }
    return head + box.ciphertext + box.tag
  }

  static func open(_ message: [UInt8], number: UInt64, subject: String, key: SymmetricKey) -> [UInt8]? {
    let sealed = message[headLength...]
    guard let nonce = nonce(number),
      let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: sealed.dropLast(tagLength), tag: sealed.suffix(tagLength)),
      let text = try? AES.GCM.open(box, using: key, authenticating: Array(subject.utf8) + message[..<headLength])
    else { return nil }
    return Array(text)
  }

  /// 00000000 ‖ number.
  private static func nonce(_ number: UInt64) -> AES.GCM.Nonce? {
    var writer = ByteWriter()
    writer.integer(UInt32(0))
    writer.integer(number)
    return try? AES.GCM.Nonce(data: writer.bytes)
  }
}
