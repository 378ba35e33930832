import Testing

@testable import UnisonoRuntime

@Suite("Addresses")
struct HostAndPortTests {
  @Test(
    "names, IPv4 and bracketed IPv6 are taken apart",
    arguments: [
      ("example.org:4747", "example.org", 4747), ("10.0.0.7:0", "10.0.0.7", 0), ("[fe80::1]:65535", "fe80::1", 65535),
    ] as [(String, String, UInt16)])
  func good(text: String, host: String, port: UInt16) throws {
    #expect(try HostAndPort(parsing: text) == HostAndPort(host: host, port: port))
  }

  @Test(
    "what is no address is refused in a sentence that quotes it",
    arguments: ["", "example.org", ":1", "a:", "a:65536", "a:-1", "a:+1", "a:1x", "::1:80", "[]:80", "a\0b:80"])
  func bad(text: String) {
    let error = #expect(throws: NetworkError.self) { try HostAndPort(parsing: text) }
    #expect(error?.message.contains("\"\(text)\"") == true)
  }

  @Test(
    "numeric addresses survive the way to the kernel and back",
    arguments: [("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("::ffff:10.1.2.3", "10.1.2.3")])
  func numeric(host: String, shown: String) {
    #expect(SocketAddress(host: host, port: 80)?.peer == PeerAddress(host: shown, port: 80))
    #expect(SocketAddress(host: "10.1.2.3", port: 80, mapped: true)?.isIPv6 == true)
    #expect(SocketAddress(host: "example.org", port: 80) == nil)
  }
}
