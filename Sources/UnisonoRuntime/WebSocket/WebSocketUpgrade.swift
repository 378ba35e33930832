import UnisonoCrypto

/// The way from HTTP to a WebSocket (RFC 6455, 4.2): judges a request, and says what it is answered.
struct WebSocketUpgrade: Equatable, Sendable {
  /// What a client may ask for as its subprotocol; it need not.
  static let subprotocol = "unisono"
  private static let suffix = Array("258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)

  private let origins: OriginPolicy
  private let proxies: Set<String>

  init(_ options: HubOptions) {
    origins = OriginPolicy(listed: options.origins, advertised: options.advertise)
    proxies = Set(options.proxies.compactMap { SocketAddress(host: $0, port: 0)?.peer.host })
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
    guard request.target.hasPrefix("/"), request.version == "HTTP/1.1" else { throw .noRequest }
    guard let host = try request.value("host") else { throw .bad("There is no field Host.") }
    let length = try request.value("content-length") ?? "0"
    guard length == "0", request.values("transfer-encoding").isEmpty else { throw .bad("The request has a body.") }
    guard request.method == "GET" else { throw .notFound }
    guard request.elements("upgrade").contains("websocket"), request.elements("connection").contains("upgrade") else {
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
    let client = try forwarded(request, by: peer)
    var lines = [
      "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Accept: \(Self.accept(key))",
    ]
    if request.elements("sec-websocket-protocol").contains(Self.subprotocol) {
      lines.append("Sec-WebSocket-Protocol: \(Self.subprotocol)")
    }
    return Grant(answer: Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8), client: client)
  }

  /// Where the client is, by what the operator's proxies say; nobody else is believed. The last address that is not one of theirs, or
  /// the first of all where a client is on a proxy's own machine.
  private func forwarded(_ request: HTTPRequest, by peer: PeerAddress) throws(HTTPAnswer) -> PeerAddress? {
    guard proxies.contains(peer.host) else { return nil }
    var client: PeerAddress?
    for hop in request.elements("x-forwarded-for").reversed() {
      client = SocketAddress(host: hop, port: 0)?.peer
      guard let client, proxies.contains(client.host) else { break }
    }
    guard let client else { throw .bad("The proxy does not say in X-Forwarded-For who is behind it.") }
    return client
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
