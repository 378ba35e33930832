/// Whom limits are for: an IPv4 address, or the /64 of an IPv6 address; and, for public ones, the /24 or /48 that it is in.
///
/// One host has a whole /64 to itself, so anything finer would be no limit; and who has a /48, or a /24, has many addresses: all
/// of them together count four times as much as one (wire 10). A private network is one prefix by its nature, and is not limited as such.
struct AddressKey: Hashable, Sendable {
  /// Shares of a limit that all addresses of a prefix have together.
  private static let prefixShares = 4

  private let text: String
  private let wide: String?
  /// Of each limit this has so many times the share of one address.
  let shares: Int

  init(_ host: String) {
    let plain = host.prefix { $0 != "%" }
    let mapped = plain.split(separator: ":").last.map(String.init) ?? ""
    let isPublic = AddressReach(of: PeerAddress(host: String(plain), port: 1).description) == .anywhere
    if plain.contains(":"), !mapped.contains(".") {
      text = Self.groups(4, of: plain)
      wide = isPublic ? Self.groups(3, of: plain) + "::/48" : nil
    } else {
      text = plain.contains(":") ? mapped : String(plain)
      wide = isPublic ? text.split(separator: ".").prefix(3).joined(separator: ".") + ".0/24" : nil
    }
    shares = 1
  }

  private init(prefix text: String) {
    self.text = text
    wide = nil
    shares = Self.prefixShares
  }

  /// The prefix that a public address is in; nil: of a private one, and of a prefix.
  var prefix: AddressKey? { wide.map { AddressKey(prefix: $0) } }

  /// Names who leaves something here: the prefix where there is one.
  var keeper: [UInt8] { Array((wide ?? text).utf8) }

  /// All that a limit is for: the address, and its prefix if it has one.
  var all: [AddressKey] { prefix.map { [self, $0] } ?? [self] }

  /// The first groups, with the zeros that "::" leaves out.
  private static func groups(_ count: Int, of address: Substring) -> String {
    let parts = address.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard let gap = parts.firstIndex(of: ""), address.contains("::") else {
      return parts.prefix(count).joined(separator: ":")
    }
    let front = parts[..<gap].filter { !$0.isEmpty }
    let back = parts[gap...].filter { !$0.isEmpty }
    let zeros = [String](repeating: "0", count: max(0, 8 - front.count - back.count))
    return (front + zeros + back).prefix(count).joined(separator: ":")
  }
}
