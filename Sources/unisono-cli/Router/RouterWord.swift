import CUV
import Glibc

/// A line of `unisono-port`, judged: what it says comes from a router, which may be anybody's.
enum RouterWord: Equatable {
  /// The router's own address.
  case address(way: String, String)
  case open(RouterPort)
  /// There is no port to be had, and why.
  case refused(String)
  /// The port could not be kept; it is asked for again.
  case lost(String)
  case closed

  /// nil: none of them.
  init?(_ line: String) {
    let words = line.split(separator: " ").map(String.init)
    let rest = words.dropFirst().joined(separator: " ")
    switch words.first {
    case "address" where words.count == 3 && Self.isWay(words[1]) && Self.isAddress(words[2]):
      self = .address(way: words[1], words[2])
    case "open" where words.count == 6 && Self.isWay(words[1]) && Self.isAddress(words[2]):
      // Invites lead to no lower ports.
      guard let port = UInt16(words[3]), port >= 1_024, words[4] == "tcp" || words[4] == "tcp+udp" else { return nil }
      self = .open(RouterPort(way: words[1], address: words[2], port: port, hasDatagrams: words[4] == "tcp+udp"))
    case "none": self = .refused(rest)
    case "lost": self = .lost(rest)
    case "closed" where words.count == 1: self = .closed
    default: return nil
    }
  }

  private static func isWay(_ word: String) -> Bool { ["nat-pmp", "pcp", "upnp"].contains(word) }

  private static func isAddress(_ word: String) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4)
    return uv_inet_pton(AF_INET, word, &bytes) == 0 && bytes != [0, 0, 0, 0]
  }
}
