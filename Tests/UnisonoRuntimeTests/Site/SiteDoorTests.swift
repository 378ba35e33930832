import Testing
import UnisonoBase

@testable import UnisonoRuntime

@Suite("Which files a hub's site has for a request")
struct SiteDoorTests {
  private static let state = FileState(size: 1_000, device: 1, inode: 2, changed: 3)
  private static let tag = "\"3e8-2-3\""
  private static let peer = PeerAddress(host: "192.0.2.7", port: 5_000)
  private static let films = HubSite(page: "/p", media: .films(["a b.mp4": "/x/a b.mp4"], key: "0a1b"))

  /// The status, and what is granted.
  private func judged(
    _ target: String, _ fields: [String] = [], method: String = "GET", host: String = "192.168.1.5:7400",
    site: HubSite = HubSite(page: "/p", media: .folder("/m")), options: HubOptions = HubOptions()
  ) throws -> (status: Int, grant: SiteDoor.Grant?) {
    var options = options
    options.site = site
    let door = try #require(SiteDoor(options))
    let lines = ["\(method) \(target) HTTP/1.1", "Host: \(host)"] + fields
    do throws(HTTPAnswer) {
      var reader = HTTPHeadReader()
      guard let (request, _) = try reader.read(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)) else { return (0, nil) }
      return (200, try door.grant(request, from: Self.peer))
    } catch {
      return (error.status, nil)
    }
  }

  @Test(
    "F105: a path leads to a file below the folder",
    arguments: [
      ("/page/", .page(["page", "index.html"])), ("/unisono.wasm?v=2", .page(["unisono.wasm"])),
      ("/page/a%20b%2Ejs", .page(["page", "a b.js"])), ("/media/", .films), ("/media/Fr%C3%BChling%20%231.mp4", .film("Frühling #1.mp4")),
    ] as [(String, HubSite.Place)])
  func places(target: String, place: HubSite.Place) throws { #expect(try judged(target).grant?.request.place == place) }

  @Test(
    "F105: what would lead out of the folder, or is hidden in it, is not there",
    arguments: [
      "/..", "/../etc/passwd", "/page/../../etc/passwd", "/%2e%2e/etc/passwd", "/%2E%2e%2fetc", "/page%2f..%2f..", "/page/%5c..", "/.git/config",
      "/page/.env", "//etc/passwd", "/page//page.js", "/a%00.js", "/a%0d%0aB", "/%ff", "/%c0%ae%c0%ae/", "/a/b/c/d/e/f/g/h/i", "/media/a/b.mp4",
      "/media/..%2f..%2fb", "/media/.mp4", "/media/a.mp4/",
    ])
  func outside(target: String) throws {
    #expect(try judged(target).status == 404)
    #expect(try judged(target, method: "HEAD").status == 404)
  }

  @Test(
    "F105: what is no request for a file is answered so",
    arguments: [
      ("POST", "/page/", 405), ("PUT", "/media/a.mp4", 405), ("OPTIONS", "*", 405), ("GET", "/a%2", 400), ("GET", "/a%zz", 400),
      ("GET", "/a#b", 400), ("GET", "*", 400), ("GET", "/" + String(repeating: "a", count: 2_048), 414),
      ("GET", "http://192.168.1.5/page/", 400), ("GET", "/", 307),
    ])
  func refusals(method: String, target: String, status: Int) throws {
    #expect(try judged(target, method: method).status == status)
  }

  @Test("F105: the way from / to the page keeps what is behind the question mark")
  func moved() {
    let answer = String(decoding: HTTPAnswer.moved(to: "/page/?key=1").bytes(), as: UTF8.self)
    #expect(answer.hasPrefix("HTTP/1.1 307 Temporary Redirect\r\n") && answer.contains("\r\nLocation: /page/?key=1\r\n"))
  }

  @Test(
    "F105: a name that is its owner's to point here gets no files; the operator's names do",
    arguments: [
      ("192.168.1.5", 200), ("[fe80::1]:7400", 200), ("localhost:7400", 200), ("hub.example.org", 200), ("films.example.org", 200),
      ("evil.example.net:7400", 421), ("hub.example.org.evil.net", 421), ("", 421), ("a b", 421),
    ])
  func hosts(host: String, status: Int) throws {
    let options = HubOptions(advertise: ["hub.example.org:7400"], origins: ["https://films.example.org"])
    #expect(try judged("/page/", host: host, options: options).status == status)
    #expect(try judged("/page/", host: host, options: HubOptions(origins: ["*"])).status == 200)
  }

  @Test("F107: films that need a key are not there without it, and only those that were named are")
  func keys() throws {
    #expect(try judged("/media/0a1b/a%20b.mp4", site: Self.films).grant?.request.place == .film("a b.mp4"))
    #expect(try judged("/media/0a1b/", site: Self.films).grant?.request.place == .films)
    for target in ["/media/", "/media/a%20b.mp4", "/media/0a1c/a%20b.mp4", "/media/0a1b", "/media/0a1b/x/a%20b.mp4"] {
      #expect(try judged(target, site: Self.films).status == 404)
    }
    #expect(try judged("/media/", site: HubSite(page: "/p")).status == 404)
    let file = SiteFile(.film("c.mp4"), in: Self.films)
    #expect(file == nil)
  }

  @Test("F105: a proxy's word for where the client is counts, and nobody else's")
  func proxies() throws {
    let field = "X-Forwarded-For: 203.0.113.9"
    #expect(try judged("/page/", [field]).grant?.client == nil)
    let behind = HubOptions(proxies: ["192.0.2.7"])
    #expect(try judged("/page/", [field], options: behind).grant?.client?.host == "203.0.113.9")
    #expect(try judged("/page/", options: behind).status == 400)
  }

  private func reply(_ target: String, _ fields: [String] = [], method: String = "GET", state: FileState? = Self.state) throws
    -> (head: String, span: Range<UInt64>)
  {
    let request = try #require(try judged(target, fields, method: method).grant).request
    let reply = SiteReply(to: request, state: state)
    return (String(decoding: reply.head, as: UTF8.self), reply.span)
  }

  @Test(
    "F106: one range is had, and what is none asks for the whole",
    arguments: [
      ("bytes=0-0", 206, 0..<1), ("bytes=0-499", 206, 0..<500), ("bytes=500-", 206, 500..<1_000), ("bytes=-1", 206, 999..<1_000),
      ("bytes=-5000", 206, 0..<1_000), ("bytes=999-99999999999999999999", 206, 999..<1_000), ("BYTES=1-2", 206, 1..<3),
      ("bytes=1000-", 416, 0..<0), ("bytes=-0", 416, 0..<0), ("bytes=99999999999999999999-", 416, 0..<0),
      ("bytes=2-1", 200, 0..<1_000), ("bytes=0-1,5-6", 200, 0..<1_000), ("bytes=-", 200, 0..<1_000), ("bytes=+1-2", 200, 0..<1_000),
      ("bytes= 1-2", 200, 0..<1_000), ("bytes=1-2-3", 200, 0..<1_000), ("bytes=١-٢", 200, 0..<1_000), ("items=0-1", 200, 0..<1_000),
      ("bytes=", 200, 0..<1_000),
    ] as [(String, Int, Range<UInt64>)])
  func ranges(field: String, status: Int, span: Range<UInt64>) throws {
    let (head, sent) = try reply("/media/a.mp4", ["Range: \(field)"])
    #expect(head.hasPrefix("HTTP/1.1 \(status) ") && sent == span)
    switch status {
    case 206:
      #expect(head.contains("\r\nContent-Range: bytes \(span.lowerBound)-\(span.upperBound - 1)/1000\r\n"))
      #expect(head.contains("\r\nContent-Length: \(span.count)\r\n"))
    case 416: #expect(head.contains("\r\nContent-Range: bytes */1000\r\n"))
    default: #expect(head.contains("\r\nContent-Length: 1000\r\n") && !head.contains("Content-Range"))
    }
  }

  @Test("F106: no range of an empty file can be had, and all of it is nothing")
  func empty() throws {
    let nothing = FileState(size: 0, device: 1, inode: 2, changed: 3)
    for range in ["bytes=0-", "bytes=-1"] {
      #expect(try reply("/media/a.mp4", ["Range: \(range)"], state: nothing).head.hasPrefix("HTTP/1.1 416 "))
    }
    let whole = try reply("/media/a.mp4", state: nothing)
    #expect(whole.head.contains("\r\nContent-Length: 0\r\n") && whole.span.isEmpty)
  }

  @Test(
    "F106: conditions are about the state of the file",
    arguments: [
      (["If-None-Match: \(tag)"], 304), (["If-None-Match: \"x\", W/\(tag)"], 304), (["If-None-Match: *"], 304),
      (["If-None-Match: \"x\""], 200), (["If-Match: \(tag)"], 200), (["If-Match: *"], 200), (["If-Match: \"x\""], 412),
      (["If-Match: W/\(tag)"], 412), (["Range: bytes=0-1", "If-Range: \(tag)"], 206), (["Range: bytes=0-1", "If-Range: \"x\""], 200),
      (["Range: bytes=0-1", "If-Range: Thu, 26 Nov 2026 22:40:00 GMT"], 200), (["Range: bytes=0-1", "If-None-Match: \(tag)"], 304),
    ])
  func conditions(fields: [String], status: Int) throws {
    let (head, span) = try reply("/media/a.mp4", fields)
    #expect(head.hasPrefix("HTTP/1.1 \(status) "))
    #expect(span.isEmpty == (status == 304 || status == 412))
    if status != 412 { #expect(head.contains("\r\nETag: \(Self.tag)\r\n")) }
  }

  @Test("F105: HEAD has the fields of the whole, and no bytes of the file or of an answer")
  func heads() throws {
    let (head, span) = try reply("/unisono.wasm", ["Range: bytes=0-1"], method: "HEAD")
    #expect(head.hasPrefix("HTTP/1.1 200 ") && head.contains("\r\nContent-Length: 1000\r\n") && span.isEmpty)
    #expect(try reply("/nothing", method: "HEAD", state: nil).head.hasSuffix("\r\n\r\n"))
    #expect(try reply("/nothing", state: nil).head.hasPrefix("HTTP/1.1 404 "))
  }

  @Test(
    "F105: a file says what it is; among films no page is one",
    arguments: [
      ("/unisono.wasm", "application/wasm"), ("/page/", "text/html; charset=utf-8"), ("/engine.js", "text/javascript; charset=utf-8"),
      ("/LICENSE", "application/octet-stream"), ("/media/a.MP4", "video/mp4"), ("/media/a.html", "application/octet-stream"),
      ("/media/a.svg", "application/octet-stream"),
    ])
  func types(target: String, type: String) throws {
    let head = try reply(target).head
    #expect(head.contains("\r\nContent-Type: \(type)\r\n") && head.contains("\r\nX-Content-Type-Options: nosniff\r\n"))
    #expect(head.contains(target.hasPrefix("/media/") ? "sandbox" : "script-src 'self' 'wasm-unsafe-eval'"))
    #expect(head.contains("Cross-Origin-Opener-Policy") == (target == "/page/"))
  }

  @Test("F105: places for visits are limited in all and for each address, and are had again")
  func gate() {
    var limits = HubLimits()
    limits.connectionsPerAddress = 2
    limits.outboundMemory = 12 * HubLimits.visitBytes
    var gate = SiteGate(limits: limits)
    let (one, other, third) = (AddressKey("192.168.1.5"), AddressKey("192.168.1.6"), AddressKey("192.168.1.7"))
    #expect([one, one, one].map { gate.enter($0) } == [true, true, false])
    #expect([other, other, third].map { gate.enter($0) } == [true, true, false])
    gate.leave(one)
    #expect(gate.enter(third) && !gate.enter(one) && gate.count == 4)
  }
}
