import UnisonoReplica

/// How the parts of an invite, and of a hub's line, spell where a hub is and which one it is.
enum HubSpelling {
  static let idBytes = 16
  private static let ipv6Suffix = ".ipv6"

  static func canSpell(_ address: String) -> Bool {
    HostPort.isValid(address.utf8) && (address.hasPrefix("[") || !host(of: address).lowercased().hasSuffix(ipv6Suffix))
  }

  /// `[fe80::1]:7400` as `fe80--1.ipv6:7400`; others as they are.
  static func spell(_ address: String) -> String {
    guard address.hasPrefix("[") else { return address }
    let host = host(of: address)
    let inside = host.dropFirst().dropLast().map { $0 == ":" ? "-" : $0 }
    return String(inside) + ipv6Suffix + address[host.endIndex...]
  }

  /// The address that a part spells.
  static func address(_ part: ArraySlice<UInt8>) throws(InviteError) -> String {
    let text = String(decoding: part, as: UTF8.self)
    let host = host(of: text)
    var address = text
    if host.lowercased().hasSuffix(ipv6Suffix) {
      let inside = host.dropLast(ipv6Suffix.count).map { $0 == "-" ? ":" : $0 }
      address = "[" + String(inside) + "]" + text[host.endIndex...]
    } else if text.hasPrefix("[") {
      throw .address
    }
    guard HostPort.isValid(address.utf8) else { throw .address }
    return address
  }

  /// The hub's id that a part spells.
  static func id(_ part: ArraySlice<UInt8>) throws(InviteError) -> [UInt8] {
    guard part.count == Base32.length(of: idBytes), let id = Base32.decode(part) else { throw .hubID }
    return id
  }

  private static func host(of address: String) -> Substring { address[..<(address.lastIndex(of: ":") ?? address.endIndex)] }
}
