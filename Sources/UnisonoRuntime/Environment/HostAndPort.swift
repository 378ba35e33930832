/// "host:port" taken apart: "example.org:4747", "10.0.0.7:0", "[fe80::1]:4747".
package struct HostAndPort: Hashable, Sendable {
  /// Without brackets.
  package var host: String
  package var port: UInt16

  init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Throws a sentence that names what is wrong with `text`.
  package init(parsing text: String) throws(NetworkError) {
    guard let colon = text.lastIndex(of: ":") else {
      throw NetworkError("the address \"\(text)\" has no port; write it as host:port")
    }
    var host = text[..<colon]
    let digits = text[text.index(after: colon)...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits) else {
      throw NetworkError("the address \"\(text)\" has no port between 0 and 65535 after its last colon")
    }
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      throw NetworkError("the address \"\(text)\" is IPv6 without brackets; write it as [host]:port")
    }
    // A NUL would cut the name short on its way through C.
    guard !host.isEmpty, host.utf8.count <= 255, !host.utf8.contains(0) else {
      throw NetworkError("the address \"\(text)\" has no usable host before its port")
    }
    self.host = String(host)
    self.port = port
  }
}
