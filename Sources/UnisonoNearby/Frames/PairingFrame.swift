import UnisonoBase
import UnisonoWire

/// What two devices say to each other between "may I?" and the invite (wire 7.1).
package enum PairingFrame: Equatable, Sendable {
  case ask(AskFrame)
  case offer(OfferFrame)
  case reveal(RevealFrame)
  /// Sealed, `sealedLength` bytes.
  case grant([UInt8])
  /// Sealed, `sealedLength` bytes.
  case pass([UInt8])
  case cancel

  package enum FrameType: UInt8, Sendable {
    case ask = 32, offer, reveal, grant, pass, cancel
  }

  /// Of GRANT and PASS alike, so that neither tells whether it carries an invite.
  package static let plainLength = 4_608
  package static let sealedLength = plainLength + 16
  /// All that one ask may send.
  package static let askBytes = 8_192

  /// Reads a frame; nil: a type that this version may skip. Throws what is wrong with it.
  package static func decode(_ frame: RawFrame) throws(WireError) -> PairingFrame? {
    guard let type = FrameType(rawValue: frame.type) else {
      guard frame.type < 128 else { throw .unknownMustUnderstand }
      return nil
    }
    switch type {
    case .ask: return .ask(try AskFrame(body: frame.body))
    case .offer: return .offer(try OfferFrame(body: frame.body))
    case .reveal: return .reveal(try RevealFrame(body: frame.body))
    case .grant: return .grant(try sealed(frame.body))
    case .pass: return .pass(try sealed(frame.body))
    case .cancel:
      var items = Items(frame.body)
      while let item = try items.next() { try item.unknown() }
      return .cancel
    }
  }

  package var raw: RawFrame {
    switch self {
    case .ask(let frame): RawFrame(type: FrameType.ask.rawValue, body: frame.body)
    case .offer(let frame): RawFrame(type: FrameType.offer.rawValue, body: frame.body)
    case .reveal(let frame): RawFrame(type: FrameType.reveal.rawValue, body: frame.body)
    case .grant(let sealed): RawFrame(type: FrameType.grant.rawValue, body: Self.body(sealed))
    case .pass(let sealed): RawFrame(type: FrameType.pass.rawValue, body: Self.body(sealed))
    case .cancel: RawFrame(type: FrameType.cancel.rawValue, body: [])
    }
  }

  /// The whole frame, length included.
  package var encoded: [UInt8] { raw.encoded }

  private static func body(_ sealed: [UInt8]) -> [UInt8] {
    var writer = ItemWriter()
    writer.item(1, sealed)
    return writer.bytes
  }

  private static func sealed(_ body: [UInt8]) throws(WireError) -> [UInt8] {
    var sealed: [UInt8]?
    var items = Items(body)
    while let item = try items.next() {
      if item.tag == 1 { sealed = try item.bytes(exactly: sealedLength) } else { try item.unknown() }
    }
    return try sealed.required()
  }
}
