import Testing
import UnisonoBase

@testable import UnisonoRuntime

@Suite("From HTTP to a WebSocket")
struct WebSocketUpgradeTests {
  private static let peer = PeerAddress(host: "203.0.113.9", port: 5_000)

  private func status(_ bytes: [UInt8], _ options: HubOptions = HubOptions(), from peer: PeerAddress = peer) -> Int {
    var reader = HTTPHeadReader()
    do throws(HTTPAnswer) {
      guard let (request, _) = try reader.read(bytes) else { return 0 }
      _ = try WebSocketUpgrade(options).grant(request, from: peer)
      return 101
    } catch {
      return error.status
    }
  }

  private func request(_ lines: [String]) -> [UInt8] { Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) }

  private static let good = [
    "GET / HTTP/1.1", "Host: 10.0.0.7:7400", "Upgrade: WebSocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ]

  @Test("F90: the key of RFC 6455, 1.3 has the answer that stands there")
  func acceptance() throws {
    #expect(WebSocketUpgrade.accept("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    var reader = HTTPHeadReader()
    let read = try reader.read(request(Self.good + ["Sec-WebSocket-Protocol: chat, unisono"]) + [1, 2])
    let (known, rest) = try #require(read)
    #expect(rest == [1, 2])
    let grant = try WebSocketUpgrade(HubOptions()).grant(known, from: Self.peer)
    #expect(
      String(decoding: grant.answer, as: UTF8.self)
        == "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: unisono\r\n\r\n")
    #expect(grant.client == nil)
  }

  @Test("F90: requests that are none, or ask for something else, are answered with what is wrong")
  func refused() {
    func with(_ old: String, _ new: String?) -> [UInt8] {
      request(Self.good.compactMap { $0.hasPrefix(old) ? new : $0 })
    }
    #expect(status(request(Self.good)) == 101)
    #expect(status(request(Self.good + ["Origin: http://10.0.0.7:7400"])) == 101)
    #expect(status(with("GET", "GET / HTTP/1.0")) == 400)
    #expect(status(with("GET", "GET  / HTTP/1.1")) == 400)
    #expect(status(with("GET", "GET http://a/ HTTP/1.1")) == 400)
    #expect(status(with("Host", nil)) == 400)
    #expect(status(request(Self.good + ["Host: b"])) == 400)
    #expect(status(with("Upgrade", nil)) == 426)
    #expect(status(with("Connection", "Connection: close")) == 426)
    #expect(status(request(["GET /page HTTP/1.1", "Host: a"])) == 404)
    #expect(status(with("Sec-WebSocket-Version", "Sec-WebSocket-Version: 8")) == 426)
    #expect(status(with("Sec-WebSocket-Version", nil)) == 426)
    #expect(status(with("Sec-WebSocket-Key", nil)) == 400)
    #expect(status(with("Sec-WebSocket-Key", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ")) == 400)
    #expect(status(with("Sec-WebSocket-Key", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25-ZQ==")) == 400)
    #expect(status(request(Self.good + ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="])) == 400)
    #expect(status(request(Self.good + ["Content-Length: 5"])) == 400)
    #expect(status(request(Self.good + ["Transfer-Encoding: chunked"])) == 400)
    #expect(status(request(Self.good + [" folded"])) == 400)
    #expect(status(request(Self.good + ["Name : value"])) == 400)
    #expect(status(request(Self.good + ["Name"])) == 400)
    #expect(status(request(Self.good + ["a: \u{1}"])) == 400)
    #expect(status(request(Self.good + ["a: 1\nb: 2"])) == 400)
    #expect(status(request(Self.good + ["a: 1\rb: 2"])) == 400)
    #expect(status(Array(request(Self.good).dropLast(4)) + [0xff, 0x0d, 0x0a, 0x0d, 0x0a]) == 400)
    #expect(status(request(Self.good + (0..<60).map { "f\($0): 1" })) == 431)
  }

  @Test("F90: a head may have 8,192 bytes and no more, also of one that never ends")
  func length() {
    let frame = request(Self.good + ["a: "]).count
    func padded(_ length: Int) -> [UInt8] {
      request(Self.good + ["a: " + String(repeating: "x", count: length - frame)])
    }
    #expect(padded(8_192).count == 8_192)
    #expect(status(padded(8_192)) == 101)
    #expect(status(padded(8_193)) == 431)
    var reader = HTTPHeadReader()
    var count = 0
    do throws(HTTPAnswer) {
      while count < 10_000, try reader.read([0x61]) == nil { count += 1 }
    } catch {
      #expect(error == .tooLong)
    }
    #expect(count == 8_191)
  }

  @Test("F90: pages come from the host asked for, unless that is a name of anybody's, or a listed origin")
  func origins() {
    let policy = OriginPolicy(listed: ["https://Films.example", "null"], advertised: ["hub.example.org:7400"])
    let cases: [(origin: String?, host: String, isAllowed: Bool)] = [
      (nil, "anything", true), ("http://10.0.0.7:7400", "10.0.0.7:7400", true),
      ("http://10.0.0.7:7401", "10.0.0.7:7400", false),
      ("http://[fd00::1]:7400", "[fd00::1]:7400", true), ("http://[fd00::2]", "[fd00::2]", true),
      ("http://localhost:7400", "localhost:7400", true), ("http://10.0.0.7", "10.0.0.7:80", true),
      ("https://10.0.0.7", "10.0.0.7", true), ("https://hub.example.org", "HUB.example.org:443", true),
      ("http://evil.example:7400", "evil.example:7400", false), ("http://evil.example", "10.0.0.7:7400", false),
      ("https://films.example", "10.0.0.7:7400", true), ("http://films.example", "10.0.0.7:7400", false),
      ("null", "10.0.0.7:7400", true), ("ftp://10.0.0.7", "10.0.0.7", false), ("", "10.0.0.7", false),
      ("http://10.0.0.7/", "10.0.0.7", false), ("http://user@10.0.0.7", "user@10.0.0.7", false),
    ]
    for (origin, host, isAllowed) in cases {
      #expect(policy.allows(origin, host: host) == isAllowed, "\(origin ?? "no page") at \(host)")
    }
    #expect(!OriginPolicy(listed: [], advertised: []).allows("null", host: "10.0.0.7"))
    #expect(OriginPolicy(listed: ["*"], advertised: []).allows("null", host: "a"))
    let foreign = request(Self.good + ["Origin: https://films.example"])
    #expect(status(foreign) == 403)
    #expect(status(foreign, HubOptions(origins: ["https://films.example"])) == 101)
    #expect(["https://a.b", "http://a:81", "*", "null"].allSatisfy(HubOptions.isOrigin))
    #expect(!["a.b", "https://", "https://a/b", "https://a:b", ""].contains(where: HubOptions.isOrigin))
  }

  @Test("F90: where a client is says the operator's proxy, and nobody else")
  func forwarded() throws {
    func client(_ fields: [String], from host: String) throws -> String? {
      var reader = HTTPHeadReader()
      let read = try reader.read(request(Self.good + fields))
      let (known, _) = try #require(read)
      let upgrade = WebSocketUpgrade(HubOptions(proxies: ["127.0.0.1", "10.0.0.2"]))
      return try upgrade.grant(known, from: PeerAddress(host: host, port: 1)).client?.host
    }
    let field = "X-Forwarded-For: 192.0.2.1, 198.51.100.7"
    #expect(try client([field], from: "203.0.113.9") == nil)
    #expect(try client([field], from: "127.0.0.1") == "198.51.100.7")
    #expect(try client([field + ", 10.0.0.2"], from: "127.0.0.1") == "198.51.100.7")
    #expect(try client(["X-Forwarded-For: 2001:db8::1"], from: "127.0.0.1") == "2001:db8::1")
    #expect(try client(["X-Forwarded-For: 127.0.0.1, 10.0.0.2"], from: "127.0.0.1") == "127.0.0.1")
    for fields in [[], ["X-Forwarded-For: unknown"], [field + ", nobody"], ["X-Forwarded-For: "]] {
      #expect(throws: HTTPAnswer.self) { try client(fields, from: "127.0.0.1") }
    }
  }
}
