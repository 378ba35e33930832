import UnisonoCrypto

/// The way from HTTP to a WebSocket (RFC 6455, 4.2): judges a request, and says what it is answered.
struct WebSocketUpgrade: Equatable, Sendable {
  /// What a client may ask for as its subprotocol; it need not.
  static let subprotocol = "unisono"
  private static let suffix = Array("258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)

  private let origins: OriginPolicy
  private let proxies: ProxyList

  init(_ options: HubOptions) {
    origins = OriginPolicy(listed: options.origins, advertised: options.advertise)
    proxies = ProxyList(options.proxies)
  }

  /// Result of a request that is granted.
  struct Grant: Equatable, Sendable {
    /// To be sent: 101.
    var answer: [UInt8]
    /// Address of the client, where a proxy in front of the hub says it; nil: that of the connection.
    var client: PeerAddress?
  }

  /// `peer`: the other side of the connection. Throws what the client is answered instead.
  func grant(_ request: HTTPRequest, from peer: PeerAddress) throws(HTTPAnswer) -> Grant {
    let host = try request.checkedHost()
    guard request.method == "GET" else { throw .notFound }
    guard Self.isAsked(by: request) else {
      throw request.target == "/" ? .noWebSocket : .notFound
    }
    guard try request.value("sec-websocket-version") == "13" else { throw .noWebSocket }
    guard let key = try request.value("sec-websocket-key"), Self.isKey(key) else {
      throw .bad("The field Sec-WebSocket-Key is not 16 bytes in base64.")
    }
    guard origins.allows(try request.value("origin"), host: host) else {
      throw HTTPAnswer(
        status: 403, sentence: "Pages from there may not use this hub. Its operator lets them in with --origin.")
    }
    let client = try proxies.client(of: request, by: peer)
    var lines = [
      "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Accept: \(Self.accept(key))",
    ]
    if request.elements("sec-websocket-protocol").contains(Self.subprotocol) {
      lines.append("Sec-WebSocket-Protocol: \(Self.subprotocol)")
    }
    return Grant(answer: Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8), client: client)
  }

  /// Whether a request wants to become a WebSocket.
  static func isAsked(by request: HTTPRequest) -> Bool {
    request.elements("upgrade").contains("websocket") && request.elements("connection").contains("upgrade")
  }

  /// 16 bytes in base64: 22 characters, and two that fill up.
  private static func isKey(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count == 24 && bytes.suffix(2) == Array("==".utf8)[...] && bytes.prefix(22).allSatisfy { alphabet.contains($0) }
  }

  /// Sec-WebSocket-Accept for a key.
  static func accept(_ key: String) -> String { base64(UpgradeHash.sha1(Array(key.utf8) + suffix)) }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static func base64(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for index in 0..<4 {
        text.append(index > group.count ? UInt8(ascii: "=") : alphabet[bits >> (6 * (3 - index)) & 63])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
