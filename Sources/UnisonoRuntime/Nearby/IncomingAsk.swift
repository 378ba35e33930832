import UnisonoBase
import UnisonoCrypto
import UnisonoNearby
import UnisonoWire

/// One connection to an advertiser: the pairing that it asked for, as far as that went.
///
/// Phases, in this order: connected; asked (`answer`); proven (`check`); granted (`grant`), after which an invite may be passed
/// (`open`). What comes out of order is refused by `isAsked` and its kin; that ends the connection, and is its owner's to do.
final class IncomingAsk {
  let id: UInt64
  let stream: any ByteStream
  private var responder: PairingResponder?
  private var keys: PairingKeys?
  private var isGranted = false
  private var assembler = FrameAssembler(limit: PairingFrame.askBytes)
  private var received = 0

  init(id: UInt64, stream: any ByteStream) {
    self.id = id
    self.stream = stream
  }

  /// The frames that are complete now. Throws when more came than an ask may send, or what came makes no frames.
  func receive(_ bytes: [UInt8]) throws(WireError) -> [RawFrame] {
    received += bytes.count
    guard received <= PairingFrame.askBytes else { throw .count }
    assembler.append(bytes)
    var frames: [RawFrame] = []
    while let frame = try assembler.next() { frames.append(frame) }
    return frames
  }

  var isAsked: Bool { responder != nil }
  /// The frame to offer, once it asked.
  var offer: PairingFrame? { responder.map { .offer($0.offer) } }

  /// Answers ASK.
  func answer(_ ask: [UInt8], deviceName: String, random: (Int) -> [UInt8]) throws(PairingError) {
    responder = try PairingResponder(answering: ask, deviceName: deviceName, random: random)
  }

  /// Checks REVEAL; false: it is not its turn.
  func check(reveal: [UInt8]) throws(PairingError) -> Bool {
    guard let responder, keys == nil else { return false }
    keys = try responder.check(reveal: reveal)
    return true
  }

  /// What says that it may have what it asked for, with the invite for one who joins; nil: not proven.
  func sealGrant(_ invite: Invite?) -> [UInt8]? { keys?.grant(invite) }

  /// It may have what it asked for, by a grant that `sealGrant` made.
  func grant(_ sealed: [UInt8]) {
    isGranted = true
    write(.grant(sealed))
  }

  /// The invite in a PASS, with the request that it belongs to; nil: it is not its turn.
  func open(pass: [UInt8]) throws(PairingError) -> (NearbyRequest, Invite)? {
    guard isGranted, let keys, let request, request.intent == .invite else { return nil }
    return (request, try keys.open(pass: pass))
  }

  var request: NearbyRequest? {
    guard let responder, let keys else { return nil }
    return NearbyRequest(
      id: id, deviceName: responder.ask.deviceName, platform: responder.ask.platform, intent: responder.ask.intent,
      digits: keys.digits)
  }

  func write(_ frame: PairingFrame) { stream.write(frame.encoded) }
}
