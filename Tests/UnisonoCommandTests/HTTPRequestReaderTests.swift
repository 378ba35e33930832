import Testing
import UnisonoRuntime

@testable import unisono_cli

@Suite struct HTTPRequestReaderTests {
  private func read(_ text: String) -> HTTPRequestReader.Outcome {
    var reader = HTTPRequestReader()
    return reader.take(Array(text.utf8))
  }

  private func get(_ target: String, _ more: String = "") -> String {
    "GET \(target) HTTP/1.1\r\nHost: a\r\n\(more)\r\n"
  }

  @Test("F76: a request is read as RFC 9112 has it, its query left out, in the absolute form as well")
  func good() {
    #expect(read(get("/metrics")) == .request(.init(method: "GET", path: "/metrics")))
    #expect(
      read(get("/metrics?x=1", "Accept: */*\r\nContent-Length: 0\r\n"))
        == .request(.init(method: "GET", path: "/metrics")))
    #expect(read(get("http://127.0.0.1:9100/healthz")) == .request(.init(method: "GET", path: "/healthz")))
    #expect(read(get("HTTP://a")) == .request(.init(method: "GET", path: "/")))
    #expect(read("HEAD / HTTP/1.0\r\n\r\n") == .request(.init(method: "HEAD", path: "/")))
  }

  @Test("F76: it comes in any pieces, and one byte short of its end it is incomplete")
  func pieces() {
    let bytes = Array(get("/readyz").utf8)
    for size in 1...7 {
      var reader = HTTPRequestReader()
      var outcomes: [HTTPRequestReader.Outcome] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        outcomes.append(reader.take(Array(bytes[start..<min(start + size, bytes.count)])))
      }
      #expect(outcomes.dropLast().allSatisfy { $0 == .incomplete })
      #expect(outcomes.last == .request(.init(method: "GET", path: "/readyz")))
      #expect(reader.take(bytes) == .incomplete)
    }
  }

  @Test(
    "F76: what is no request is refused with the status that says why",
    arguments: [
      ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400),
      ("GET / HTTP/1.1\nHost: a\r\n\r\n", 400), ("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
      ("G(T / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
      ("GET metrics HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET /\u{1} HTTP/1.1\r\nHost: a\r\n\r\n", 400),
      ("\r\n\r\n", 400),
      ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505), ("GET / FTP/1.1\r\nHost: a\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n", 413),
      ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", 413),
    ])
  func refused(_ text: String, _ status: Int) { #expect(read(text) == .refused(status)) }

  @Test("F76: a head of over 8,192 bytes and a target of over 1,024 are refused, however they come")
  func long() {
    #expect(
      read(get("/" + String(repeating: "a", count: 1_023)))
        == .request(.init(method: "GET", path: "/" + String(repeating: "a", count: 1_023))))
    #expect(read(get("/" + String(repeating: "a", count: 1_024))) == .refused(414))
    #expect(read("GET /" + String(repeating: "a", count: 9_000)) == .refused(414))
    #expect(read(get("/", "X: " + String(repeating: "a", count: 8_200) + "\r\n")) == .refused(431))
    var reader = HTTPRequestReader()
    var outcome = HTTPRequestReader.Outcome.incomplete
    var count = 0
    while outcome == .incomplete, count < 20_000 {
      outcome = reader.take([UInt8(ascii: "a")])
      count += 1
    }
    #expect(count == HTTPHeadReader.limit)
  }

  @Test("F76: whatever comes, reading ends and never traps")
  func noise() {
    let words = [
      "GET", " ", "/", "HTTP/1.1", "\r\n", "\r", "\n", ":", "Host", "a", "\u{0}", "é", "?", "http://", "\t", "\r\n\r\n",
    ]
    var state: UInt64 = 5
    for _ in 0..<3_000 {
      var reader = HTTPRequestReader()
      for _ in 0..<14 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        if reader.take(Array(words[Int(state >> 33) % words.count].utf8)) != .incomplete { break }
      }
    }
  }

  @Test("F76: an answer says how long it is, and HEAD's has no body")
  func answers() {
    let response = HTTPResponse(200, "é\n")
    let whole = String(decoding: response.bytes(), as: UTF8.self)
    #expect(
      whole.hasPrefix("HTTP/1.1 200 OK\r\n") && whole.contains("Content-Length: 3\r\n")
        && whole.hasSuffix("\r\n\r\né\n"))
    #expect(String(decoding: response.bytes(withBody: false), as: UTF8.self).hasSuffix("Connection: close\r\n\r\n"))
    #expect(String(decoding: HTTPResponse(405).bytes(), as: UTF8.self).contains("Allow: GET, HEAD\r\n"))
  }
}
