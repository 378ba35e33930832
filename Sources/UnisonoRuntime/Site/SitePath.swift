/// The path of a request's target, taken apart: names that each stay inside of the folder that they are looked for in.
struct SitePath: Equatable, Sendable {
  static let media = "media"
  /// The file of a folder that is asked for itself.
  static let index = "index.html"
  private static let longest = 2_048
  private static let deepest = 8

  /// At least one. None is empty, hidden, "..", or has a slash, a backslash or a control character in it.
  var names: [String]
  /// It ended with a slash; the last name is `index`.
  var isFolder: Bool
  /// With its "?"; "": there is none.
  var query: String

  /// `target`: "/a%20b/c?d", as it was sent. Throws what the client is answered.
  init(_ target: String) throws(HTTPAnswer) {
    guard target.utf8.count <= Self.longest else { throw .longTarget }
    guard target.utf8.first == UInt8(ascii: "/"), target.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) else {
      throw .bad("The target is no path.")
    }
    let end = target.firstIndex(of: "?") ?? target.endIndex
    query = String(target[end...])
    names = []
    let parts = target[..<end].dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= Self.deepest else { throw .noFile }
    for part in parts.dropLast() { names.append(try Self.name(part)) }
    isFolder = parts.last?.isEmpty ?? true
    names.append(isFolder ? Self.index : try Self.name(parts[parts.count - 1]))
  }

  /// One name, with what is written as %41 in letters. What would lead elsewhere is not there, whatever there is.
  private static func name(_ text: Substring) throws(HTTPAnswer) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
        throw .bad("There is a % in the target without its two digits.")
      }
      bytes.append(high << 4 | low)
    }
    let name = String(decoding: bytes, as: UTF8.self)
    guard let first = bytes.first, first != UInt8(ascii: "."), Array(name.utf8) == bytes,
      !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") })
    else { throw .noFile }
    return name
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
