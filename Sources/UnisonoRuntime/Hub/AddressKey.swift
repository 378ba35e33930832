/// Address where limits are per address: an IPv4 address, or the /64 of an IPv6 address.
///
/// One host has a whole /64 to itself, so anything finer would be no limit.
struct AddressKey: Hashable, Sendable {
  private let text: String

  init(_ host: String) {
    let plain = host.prefix { $0 != "%" }
    let mapped = plain.split(separator: ":").last.map(String.init) ?? ""
    if plain.contains(":"), mapped.contains(".") {
      text = mapped
    } else if plain.contains(":") {
      text = Self.prefix(of: plain)
    } else {
      text = String(plain)
    }
  }

  /// The first four groups, with the zeros that "::" leaves out.
  private static func prefix(of address: Substring) -> String {
    let parts = address.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard let gap = parts.firstIndex(of: ""), address.contains("::") else {
      return parts.prefix(4).joined(separator: ":")
    }
    let front = parts[..<gap].filter { !$0.isEmpty }
    let back = parts[gap...].filter { !$0.isEmpty }
    let zeros = [String](repeating: "0", count: max(0, 8 - front.count - back.count))
    return (front + zeros + back).prefix(4).joined(separator: ":")
  }
}
