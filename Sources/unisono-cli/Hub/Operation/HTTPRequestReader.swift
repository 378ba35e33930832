/// Reader of one request of HTTP/1.1 (RFC 9112), as far as a page of figures needs it: bytes in, an outcome out.
///
/// It is strict where readers differ (bare line feeds, folded lines, spaces before a colon, two Hosts), keeps at most `longestHead` bytes,
/// and takes no bodies.
struct HTTPRequestReader {
  struct Request: Equatable {
    var method: String
    /// Without a query.
    var path: String
  }

  enum Outcome: Equatable {
    /// More bytes are needed.
    case incomplete
    case request(Request)
    /// Refused, with this status.
    case refused(Int)
  }

  static let longestHead = 8_192
  static let longestTarget = 1_024

  private var head: [UInt8] = []
  private var isOver = false

  /// Takes what came; after anything but `incomplete` further bytes count for nothing.
  mutating func take(_ bytes: [UInt8]) -> Outcome {
    guard !isOver else { return .incomplete }
    let room = Self.longestHead - head.count
    // The end may lie across two pieces.
    let from = max(0, head.count - 3)
    head += bytes.prefix(room)
    guard let end = Self.end(of: head, from: from) else {
      guard bytes.count > room || head.count == Self.longestHead else { return .incomplete }
      isOver = true
      return .refused(head.contains(UInt8(ascii: "\n")) ? 431 : 414)
    }
    isOver = true
    return Self.outcome(of: head[..<end])
  }

  /// Place of the empty line that ends a head.
  private static func end(of bytes: [UInt8], from: Int) -> Int? {
    guard bytes.count >= 4 else { return nil }
    for place in from...(bytes.count - 4) where bytes[place] == 13 {
      if bytes[place + 1] == 10, bytes[place + 2] == 13, bytes[place + 3] == 10 { return place }
    }
    return nil
  }

  private static func outcome(of head: ArraySlice<UInt8>) -> Outcome {
    var lines: [ArraySlice<UInt8>] = []
    var start = head.startIndex
    var place = start
    while place < head.endIndex {
      switch head[place] {
      case 13 where place + 1 < head.endIndex && head[place + 1] == 10:
        lines.append(head[start..<place])
        place += 2
        start = place
      case 9, 32..<127, 128...: place += 1
      default: return .refused(400)
      }
    }
    lines.append(head[start...])
    let parts = lines[0].split(separator: 32, omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(isToken) else { return .refused(400) }
    guard parts[1].count <= longestTarget else { return .refused(414) }
    guard let path = path(of: parts[1]) else { return .refused(400) }
    let version = String(decoding: parts[2], as: UTF8.self)
    guard version.hasPrefix("HTTP/"), version.utf8.count == 8 else { return .refused(400) }
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else { return .refused(505) }
    var hosts = 0
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
        line[..<colon].allSatisfy(isToken)
      else { return .refused(400) }
      let value = String(decoding: line[line.index(after: colon)...], as: UTF8.self).filter { $0 != " " && $0 != "\t" }
      switch String(decoding: line[..<colon], as: UTF8.self).lowercased() {
      case "host": hosts += 1
      case "content-length" where value != "0": return .refused(413)
      case "transfer-encoding": return .refused(413)
      default: break
      }
    }
    guard hosts == 1 || hosts == 0 && version == "HTTP/1.0" else { return .refused(400) }
    return .request(Request(method: String(decoding: parts[0], as: UTF8.self), path: path))
  }

  /// The path of a target, in its origin or absolute form; nil: it is neither.
  private static func path(of target: ArraySlice<UInt8>) -> String? {
    guard target.allSatisfy({ $0 > 32 && $0 < 127 }) else { return nil }
    var text = String(decoding: target, as: UTF8.self)
    if text.lowercased().hasPrefix("http://") {
      let rest = text.dropFirst(7)
      text = rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
    }
    guard text.hasPrefix("/") else { return nil }
    return String(text.prefix { $0 != "?" })
  }

  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
