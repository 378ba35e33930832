import UnisonoCore
import UnisonoCrypto

/// One connection to an advertiser: what it sent, and what was answered.
final class IncomingAsk {
  let id: UInt64
  let stream: any ByteStream
  var responder: PairingResponder?
  var keys: PairingKeys?
  var isGranted = false
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

  var request: NearbyRequest? {
    guard let responder, let keys else { return nil }
    return NearbyRequest(
      id: id, deviceName: responder.ask.deviceName, platform: responder.ask.platform, intent: responder.ask.intent,
      digits: keys.digits)
  }

  func write(_ frame: PairingFrame) { stream.write(frame.encoded) }
}
