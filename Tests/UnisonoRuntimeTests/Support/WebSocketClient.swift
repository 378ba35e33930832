import UnisonoBase

@testable import UnisonoRuntime

/// What a WebSocket client sends, by hand.
enum ClientFrames {
  static let mask: [UInt8] = [0x37, 0xfa, 0x21, 0x3d]

  /// A frame in the shortest spelling; `first`: its first byte.
  static func frame(_ first: UInt8, _ payload: [UInt8], mask: [UInt8] = mask) -> [UInt8] {
    var bytes = [first]
    switch payload.count {
    case ..<126: bytes.append(0x80 | UInt8(payload.count))
    case ..<65_536: bytes += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
    default: bytes += [0x80 | 127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
    }
    return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] }
  }

  static func binary(_ payload: [UInt8]) -> [UInt8] { frame(0x82, payload) }

  /// A message of zeros in two fragments of these lengths.
  static func inParts(_ first: Int, _ second: Int) -> [UInt8] {
    frame(0x02, [UInt8](repeating: 0, count: first)) + frame(0x80, [UInt8](repeating: 0, count: second))
  }

  static func ping(_ payload: [UInt8] = []) -> [UInt8] { frame(0x89, payload) }

  static func close(_ code: UInt16, _ reason: String = "") -> [UInt8] {
    frame(0x88, [UInt8(code >> 8), UInt8(code & 255)] + Array(reason.utf8))
  }

  /// A request for a WebSocket; `fields` stand behind those that have to be there.
  static func request(fields: [String] = [], host: String = "hub:7400") -> [UInt8] {
    let lines =
      [
        "GET /any HTTP/1.1", "Host: \(host)", "Upgrade: websocket", "Connection: keep-alive, Upgrade",
        "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      ] + fields
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}

/// A frame that a server sent.
struct ServerFrame: Equatable {
  var first: UInt8
  var payload: [UInt8]

  var closeCode: UInt16? {
    first == 0x88 && payload.count >= 2 ? UInt16(payload[0]) << 8 | UInt16(payload[1]) : nil
  }

  /// Takes the next from the front of `bytes`; nil: it is not complete.
  static func next(in bytes: inout [UInt8]) -> ServerFrame? {
    guard bytes.count >= 2 else { return nil }
    let octets = bytes[1] == 126 ? 2 : bytes[1] == 127 ? 8 : 0
    guard bytes.count >= 2 + octets else { return nil }
    let length = octets == 0 ? Int(bytes[1]) : bytes[2..<(2 + octets)].reduce(0) { $0 << 8 | Int($1) }
    guard bytes.count >= 2 + octets + length else { return nil }
    let start = 2 + octets
    defer { bytes.removeFirst(start + length) }
    return ServerFrame(first: bytes[0], payload: Array(bytes[start..<(start + length)]))
  }
}

/// A client's end of a WebSocket, as a stream whose writes are messages.
final class WebSocketClientStream: ByteStream {
  private var inner: (any ByteStream)!
  private var events: StreamEvents
  private let fields: [String]
  private var waiting: [[UInt8]] = []
  private var incoming: [UInt8] = []
  private var isUpgraded = false
  private(set) var head = ""
  private(set) var controls: [ServerFrame] = []

  init(to address: String, over environment: any Environment, fields: [String], _ events: StreamEvents) {
    self.events = events
    self.fields = fields
    inner = environment.connect(
      to: address,
      StreamEvents(
        opened: { [unowned self] in inner.write(ClientFrames.request(fields: fields, host: address)) },
        received: { [unowned self] in take($0) }, drained: { [unowned self] in self.events.drained() },
        closed: { [unowned self] in self.events.closed($0) }))
  }

  private func take(_ bytes: [UInt8]) {
    incoming += bytes
    if !isUpgraded {
      let text = String(decoding: incoming, as: UTF8.self)
      guard text.unicodeScalars.suffix(4).elementsEqual("\r\n\r\n".unicodeScalars) else {
        head = text
        return
      }
      head = text
      incoming = []
      isUpgraded = true
      for message in waiting { inner.write(ClientFrames.binary(message)) }
      waiting = []
      events.opened()
    }
    var records: [UInt8] = []
    while let frame = ServerFrame.next(in: &incoming) {
      if frame.first == 0x82 { records += frame.payload } else { controls.append(frame) }
    }
    if !records.isEmpty { events.received(records) }
  }

  var peer: PeerAddress { inner.peer }
  var queuedBytes: Int { inner.queuedBytes + waiting.reduce(0) { $0 + $1.count } }

  func write(_ bytes: [UInt8]) {
    if isUpgraded { inner.write(ClientFrames.binary(bytes)) } else { waiting.append(bytes) }
  }

  /// Bytes as they are, beside all messages.
  func writeFrames(_ bytes: [UInt8]) { inner.write(bytes) }

  func setReading(_ reading: Bool) { inner.setReading(reading) }
  func receiveNow() { inner.receiveNow() }
  func close() { inner.close() }
}

/// A machine whose streams are WebSockets, and which has no datagrams, as a browser.
final class WebSocketEnvironment: Environment {
  private let base: any Environment
  private let fields: [String]
  /// All that were made, oldest first.
  private(set) var streams: [WebSocketClientStream] = []

  init(_ base: any Environment, fields: [String] = []) {
    self.base = base
    self.fields = fields
  }

  var now: HostTime { base.now }
  var timeAsleep: Nanoseconds { base.timeAsleep }
  var calendarHour: UInt32 { base.calendarHour }
  func randomBytes(_ count: Int) -> [UInt8] { base.randomBytes(count) }
  func makeTimer(_ fire: @escaping () -> Void) -> any LoopTimer { base.makeTimer(fire) }

  func perform(_ work: @escaping @Sendable () -> Void, then: @escaping () -> Void) { base.perform(work, then: then) }

  func connect(to address: String, _ events: StreamEvents) -> any ByteStream {
    let stream = WebSocketClientStream(to: address, over: base, fields: fields, events)
    streams.append(stream)
    return stream
  }

  func listen(
    on address: String, accepted: @escaping (any ByteStream) -> StreamEvents
  ) throws(NetworkError) -> any StreamListener { throw NetworkError("a page cannot listen") }

  func openDatagrams(
    on address: String, received: @escaping ([UInt8], PeerAddress, HostTime) -> Void
  ) throws(NetworkError) -> any DatagramPort { throw NetworkError("a page has no datagrams") }

  func localAddresses() -> [String] { base.localAddresses() }

  func openMulticast(
    _ group: MulticastGroup, received: @escaping ([UInt8], PeerAddress, HostTime) -> Void
  ) -> any MulticastPort { base.openMulticast(group, received: received) }
}
