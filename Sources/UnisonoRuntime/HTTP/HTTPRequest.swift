/// Head of an HTTP request: method, target, version and fields (RFC 9112), as far as a hub reads them.
package struct HTTPRequest: Equatable, Sendable {
  package var method: String
  /// As it was sent: "/a?b". Neither it nor the version is judged yet.
  package var target: String
  /// "HTTP/1.1".
  package var version: String
  /// Names in lower case, in the order in which they came; values without the blanks around them.
  package var fields: [Field]

  package struct Field: Equatable, Sendable {
    package var name: String
    package var value: String
  }

  /// All values of a field, by its name in lower case.
  package func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  /// The value of a field that may stand once; nil: it does not. Throws 400 where it stands more often.
  package func value(_ name: String) throws(HTTPAnswer) -> String? {
    let all = values(name)
    guard all.count < 2 else { throw .bad("The field \(name) stands there more than once.") }
    return all.first
  }

  /// The host that was asked for, of a request to a hub's port: for a path, in HTTP/1.1, without a body.
  func checkedHost() throws(HTTPAnswer) -> String {
    guard target.hasPrefix("/"), version == "HTTP/1.1" else { throw .noRequest }
    guard let host = try value("host") else { throw .bad("There is no field Host.") }
    let length = try value("content-length") ?? "0"
    guard length == "0", values("transfer-encoding").isEmpty else { throw .bad("The request has a body.") }
    return host
  }

  /// Elements of a field that is a list, in lower case.
  func elements(_ name: String) -> [String] {
    values(name).flatMap { $0.split(separator: ",") }.map { HTTPRequest.trimmed($0[...]).lowercased() }
  }

  /// Without the blanks and tabs around it.
  static func trimmed(_ text: Substring) -> String {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    var rest = text.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return String(rest)
  }
}

/// Reads the head of one request from a stream: bytes in, the request out once it is complete. Both WebSocket and the page of figures
/// begin with it.
///
/// It is strict where HTTP lets a reader choose, as everybody in front of a hub has to read the same: lines end with CR LF, fields do
/// not go on in a second line, no blank stands before a colon.
package struct HTTPHeadReader: Sendable {
  /// Longest head, bytes, the empty line included.
  package static let limit = 8_192
  private static let mostFields = 64
  private static let end = Array("\r\n\r\n".utf8)

  private var bytes: [UInt8] = []

  package init() {}

  /// The first line is complete.
  package var hasFirstLine: Bool { bytes.contains(UInt8(ascii: "\n")) }

  /// Takes bytes; returns the request and the bytes behind its head once that is complete. Throws what the client is answered; nothing
  /// may be read after that.
  package mutating func read(_ new: [UInt8]) throws(HTTPAnswer) -> (request: HTTPRequest, rest: [UInt8])? {
    var next = max(0, bytes.count - (Self.end.count - 1))
    bytes += new
    while next + Self.end.count <= min(bytes.count, Self.limit) {
      if bytes[next] == Self.end[0], Array(bytes[next..<(next + Self.end.count)]) == Self.end {
        let request = try Self.parse(bytes[..<next])
        return (request, Array(bytes[(next + Self.end.count)...]))
      }
      next += 1
    }
    guard bytes.count < Self.limit else { throw .tooLong }
    return nil
  }

  private static func parse(_ head: ArraySlice<UInt8>) throws(HTTPAnswer) -> HTTPRequest {
    // Tabs stand in values; all other control characters, a bare CR or LF among them, are somebody's attempt to be read in two ways.
    let text = String(decoding: head, as: UTF8.self)
    guard !text.unicodeScalars.contains("\u{FFFD}") else { throw .bad("The request is not text.") }
    var lines: [Substring] = []
    var rest = text.unicodeScalars[...]
    while let split = rest.firstIndex(of: "\r") {
      let after = rest.index(after: split)
      guard after < rest.endIndex, rest[after] == "\n" else { throw .bad("A line ends otherwise than with CR LF.") }
      lines.append(Substring(rest[..<split]))
      rest = rest[rest.index(after: after)...]
    }
    lines.append(Substring(rest))
    for line in lines where line.unicodeScalars.contains(where: { ($0.value < 0x20 && $0 != "\t") || $0.value == 0x7F }) {
      throw .bad("There are control characters in the request.")
    }
    let parts = lines[0].split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, isToken(parts[0]), !parts[1].isEmpty, parts[2].hasPrefix("HTTP/"), parts[2].utf8.count == 8 else {
      throw .noRequest
    }
    guard lines.count - 1 <= mostFields else { throw .tooLong }
    var fields: [HTTPRequest.Field] = []
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":"), isToken(String(line[..<colon])) else {
        throw .bad("There is a line that is no field.")
      }
      fields.append(
        HTTPRequest.Field(
          name: line[..<colon].lowercased(), value: HTTPRequest.trimmed(line[line.index(after: colon)...])))
    }
    return HTTPRequest(method: parts[0], target: parts[1], version: parts[2], fields: fields)
  }

  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "A")...UInt8(ascii: "Z"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}
