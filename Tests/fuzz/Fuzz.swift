import Glibc

@testable import UnisonoBase
@testable import UnisonoCrypto
@testable import UnisonoNearby
@testable import UnisonoRuntime
@testable import UnisonoWire

/// The reader that is to be tried; nil: all of them. Inputs of others are not kept.
private let wanted = getenv("FUZZ_TARGET").flatMap { UInt8(String(cString: $0)) }

/// One input for a reader of bytes from outside; the first byte says which. A trap is a fault, and so is a message that
/// does not come back the same after it was written again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let data, count > 1 else { return 0 }
  if let wanted, data[0] != wanted { return -1 }
  let bytes = Array(UnsafeBufferPointer(start: data + 1, count: count - 1))
  switch data[0] {
  case 0: stream(bytes)
  case 1: frame(bytes)
  case 2: envelope(bytes)
  case 3: message(bytes)
  case 4: statement(bytes)
  case 5: beacon(bytes)
  case 6: pairing(bytes)
  case 7: invite(bytes)
  case 8: fuzz_options(data + 1, count - 1)
  case 9: RoomFuzz.run(bytes)
  case 10: record(bytes)
  case 11: webSocket(bytes)
  case 12: continuation(bytes)
  case 13: site(bytes)
  default: return -1
  }
  return 0
}

/// A stream in uneven pieces.
private func stream(_ bytes: [UInt8]) {
  var assembler = FrameAssembler(limit: WireLimits.frame)
  var rest = bytes[...]
  while !rest.isEmpty {
    let piece = rest.prefix(1 + Int(rest[rest.startIndex]) % 64)
    rest = rest.dropFirst(piece.count)
    assembler.append(Array(piece))
    do throws(WireError) {
      while let raw = try assembler.next() { _ = try HubFrame.decode(raw) }
    } catch {
      return
    }
  }
}

/// What a hub's port is sent, by whom it takes for a WebSocket client: as a whole and in uneven pieces, which has to come to the same.
private func webSocket(_ bytes: [UInt8]) {
  func reception() -> HubReception {
    HubReception(WebSocketUpgrade(HubOptions()), limits: HubLimits(), peer: PeerAddress(host: "192.0.2.1", port: 1))
  }
  let whole = reception()
  var all = whole
  let once = all.receive(bytes, queued: 0, now: 0)
  var pieces = whole
  var together = HubReception.Outcome()
  var rest = bytes[...]
  while !rest.isEmpty {
    let piece = rest.prefix(1 + Int(rest[rest.startIndex]) % 64)
    rest = rest.dropFirst(piece.count)
    let part = pieces.receive(Array(piece), queued: 0, now: 0)
    together.beginsRequest = together.beginsRequest || part.beginsRequest
    together.answer += part.answer
    together.received += part.received
    together.end = together.end ?? part.end
  }
  // Of a message that is refused some may have been handed on before it was known to be bad.
  if case .refused = once.end, together.received.starts(with: once.received) { together.received = once.received }
  precondition(once == together, "the same bytes come to the same, however they are cut")
  precondition(once.received.count <= bytes.count, "nothing is made up")
}

/// A request for a file of a hub's site: what it leads to is below its folder, and what is sent of it is inside of the file.
private func site(_ bytes: [UInt8]) {
  var reader = HTTPHeadReader()
  guard let door = SiteDoor(HubOptions(site: HubSite(page: "/p", media: .folder("/m")))), let read = try? reader.read(bytes),
    let request = try? door.grant(read.request, from: PeerAddress(host: "192.0.2.1", port: 1)).request
  else { return }
  let names: [String] =
    switch request.place {
    case .page(let names): names
    case .film(let name): [name]
    case .films: ["index.html"]
    }
  precondition(!names.isEmpty, "something is asked for")
  for name in names {
    precondition(!name.isEmpty && !name.hasPrefix(".") && !name.utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "/") }, "it stays inside")
  }
  for size in [0, 1, 1_000, .max] as [UInt64] {
    let reply = SiteReply(to: request, state: FileState(size: size, device: 1, inode: 2, changed: 3))
    precondition(reply.span.upperBound <= size && (reply.span.isEmpty || !request.isHead), "no more is sent than there is")
    precondition(reply.head.starts(with: Array("HTTP/1.1 ".utf8)), "there is an answer")
  }
}

private func frame(_ bytes: [UInt8]) {
  guard let kind = bytes.first, let read = try? HubFrame.decode(RawFrame(type: kind, body: Array(bytes.dropFirst())))
  else { return }
  let again = try? HubFrame.decode(read.raw)
  precondition(again == read, "a frame that is written again reads the same")
}

private func envelope(_ bytes: [UInt8]) {
  var reader = ByteReader(bytes)
  _ = try? EnvelopeHeader(reading: &reader)
  _ = try? EnvelopeHeader(envelope: bytes)
  _ = try? EnvelopePlain(padded: bytes)
  _ = try? ProbePacket(bytes: bytes)
  _ = try? RecordText.frame(in: bytes)
}

private func message(_ bytes: [UInt8]) {
  if let read = try? StageMessage.decode(bytes) {
    let again = try? StageMessage.decode(read.encoded)
    precondition(again == read, "what is said to an audience reads the same when it is written again")
  }
  guard let read = try? InnerMessage.decode(bytes) else { return }
  let again = try? InnerMessage.decode(read.encoded)
  precondition(again == read, "a message that is written again reads the same")
  if case .coordinator(let message) = read { _ = try? InnerMessage.decode(message.content) }
}

/// A roster record's body, and what a welcome brings; the key in that is taken out before it is read.
private func record(_ bytes: [UInt8]) {
  if let read = try? RosterRecordBody(reading: bytes) {
    let again = try? RosterRecordBody(reading: read.bytes)
    precondition(again == read && read.bytes == bytes, "a record is written in one way")
  }
  if let offset = WelcomeText.keyOffset(bytes) { precondition(offset >= 8, "the key comes after the record") }
  if let read = try? WelcomeText(reading: bytes) {
    let key = [UInt8](repeating: 0, count: WelcomeText.keyLength)
    let again = try? WelcomeText(reading: read.head + key + read.tail)
    precondition(again == read, "a welcome that is written again reads the same")
  }
}

private func statement(_ bytes: [UInt8]) {
  for coordinator in [nil, CoordinatorName("k")] {
    guard let read = try? StatementBody.decode(bytes, of: coordinator) else { continue }
    guard let written = try? StatementBody.encode(read, of: coordinator) else {
      preconditionFailure("a statement that was read can be written")
    }
    let again = try? StatementBody.decode(written, of: coordinator)
    precondition(again == read, "a statement that is written again reads the same")
  }
}

private func invite(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  guard let read = try? Invite(parsing: text) else { return }
  let again = try? Invite(parsing: read.text)
  precondition(again == read, "an invite that is written again reads the same")
}

/// What stands behind the secrets of a token to go on by, and the token as a file has it.
private func continuation(_ bytes: [UInt8]) {
  let secret = Secret { [UInt8](repeating: 1, count: $0) }
  let seal = ContinuationSeal(key: [UInt8](repeating: 2, count: 16))
  precondition((try? seal.open(bytes)) == nil, "nobody seals without the key")
  guard let read = try? ContinuationText(reading: bytes) else { return }
  precondition((try? ContinuationText(reading: read.encoded)) == read, "a token that is written again reads the same")
  let seeds = Identity.Seeds(signing: secret, agreement: secret, hybrid: secret)
  guard let whole = Continuation(door: secret, hub: secret, seeds: seeds, chain: secret, text: read) else { return }
  precondition(whole.channel(now: 0, random: { [UInt8](repeating: 3, count: $0) }) == nil, "a made-up record proves nothing")
}

private func beacon(_ bytes: [UInt8]) {
  guard let read = try? Beacon(bytes: bytes) else { return }
  let again = try? Beacon(bytes: read.bytes)
  precondition(again == read, "a beacon that is written again reads the same")
}

/// Both sides of an ask read what a stranger sends.
private func pairing(_ bytes: [UInt8]) {
  guard let kind = bytes.first else { return }
  let raw = RawFrame(type: kind, body: Array(bytes.dropFirst()))
  if let read = try? PairingFrame.decode(raw) {
    let again = try? PairingFrame.decode(read.raw)
    precondition(again == read, "a pairing frame that is written again reads the same")
  }
  let fixed = { (count: Int) in [UInt8](repeating: 7, count: count) }
  let service = NearbyService(identifier: "org.example.watch", usage: "Watch", deviceName: "a", platform: 2)
  let initiator = PairingInitiator(intent: .join, service: service, random: fixed)
  if let answer = try? initiator.answer(offer: raw.body) { _ = try? answer.keys.open(grant: raw.body, of: .join) }
  if let responder = try? PairingResponder(answering: raw.body, deviceName: "b", random: fixed) {
    _ = try? responder.check(reveal: raw.body)
  }
}
