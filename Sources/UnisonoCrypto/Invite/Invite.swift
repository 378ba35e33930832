import UnisonoBase
import UnisonoReplica

/// The text that opens a session's door: where hubs listen, the session's origin, and the door's secret.
///
/// `unisono://host:port/<hub id>/host:port/<hub id>/…/<key>`, ids and key in base 32, an id being optional behind each
/// address. No character of it means anything to a shell or ends a link in a messenger: an IPv6 address `[fe80::1]` is
/// spelled `fe80--1.ipv6`. One spelling is written; what fingers, mailers and QR codes do to it is read as well
/// (`init(parsing:)`).
package struct Invite: Equatable, Sendable {
  package static let maximumLength = 4_095
  package static let maximumHubs = 16
  private static let scheme = Array("unisono://".utf8)
  private static let keyBytes = 55
  private static let hubIDBytes = 16
  /// Characters around an invite that a paste may bring along.
  private static let greatestWrapping = 256
  private static let ipv6Suffix = ".ipv6"

  package let origin: Origin
  package let door: Secret
  /// 1...16, the one to try first in front.
  package let hubs: [HubAddress]

  /// The invite to a door of the session of `origin`; refuses hubs that cannot be spelled.
  package init(origin: Origin, door: Secret, hubs: [HubAddress]) throws(InviteError) {
    guard !hubs.isEmpty else { throw .address }
    guard hubs.count <= Self.maximumHubs else { throw .tooManyHubs }
    guard hubs.allSatisfy({ Self.canSpell($0.address) }) else { throw .address }
    guard hubs.allSatisfy({ $0.hub == nil || $0.hub?.count == Self.hubIDBytes }) else { throw .hubID }
    self.origin = origin
    self.door = door
    self.hubs = hubs
    guard text.utf8.count <= Self.maximumLength else { throw .tooLong }
  }

  /// The invite as text.
  package var text: String {
    var parts: [String] = []
    for hub in hubs {
      parts.append(Self.spell(hub.address))
      if let id = hub.hub { parts.append(Base32.encode(id)) }
    }
    return String(decoding: Self.scheme, as: UTF8.self) + (parts + [key]).joined(separator: "/")
  }

  /// origin[0] ‖ door ‖ origin[1...] ‖ checksum(4), as text.
  private var key: String {
    let payload = [Origin.version] + door.bytes + origin.bytes.dropFirst()
    return Base32.encode(payload + Self.checksum(payload))
  }

  private static func checksum(_ payload: [UInt8]) -> ArraySlice<UInt8> {
    Hash.sha256(Label.invite.bytes + payload).prefix(4)
  }

  // MARK: Addresses

  private static func canSpell(_ address: String) -> Bool {
    HostPort.isValid(address.utf8) && (address.hasPrefix("[") || !host(of: address).lowercased().hasSuffix(ipv6Suffix))
  }

  private static func host(of address: String) -> Substring { address[..<(address.lastIndex(of: ":") ?? address.endIndex)] }

  /// `[fe80::1]:7400` as `fe80--1.ipv6:7400`; others as they are.
  private static func spell(_ address: String) -> String {
    guard address.hasPrefix("[") else { return address }
    let host = host(of: address)
    let inside = host.dropFirst().dropLast().map { $0 == ":" ? "-" : $0 }
    return String(inside) + ipv6Suffix + address[host.endIndex...]
  }

  /// The address that a part of an invite spells.
  private static func readAddress(_ part: ArraySlice<UInt8>) throws(InviteError) -> String {
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
}

extension Invite {
  /// Reads an invite. Words in front of it, and white space, quotes, brackets and punctuation around it are passed over;
  /// scheme, ids and key may be in capitals.
  package init(parsing text: String) throws(InviteError) {
    let pasted = Array(text.utf8)
    guard pasted.count <= Self.maximumLength + Self.greatestWrapping else { throw .tooLong }
    let bytes = Self.unwrapped(pasted)
    guard bytes.count <= Self.maximumLength else { throw .tooLong }
    guard bytes.starts(with: Self.scheme, by: { Self.smallLetter($0) == $1 }) else { throw .scheme }
    var parts = bytes.dropFirst(Self.scheme.count).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard let key = parts.popLast(), !parts.isEmpty, !key.contains(UInt8(ascii: ":")) else { throw .noKey }
    let (origin, door) = try Self.parseKey(key)
    try self.init(origin: origin, door: door, hubs: try Self.parseHubs(parts))
  }

  /// An invite begins with its scheme, behind no letter or digit, and ends with a letter or digit: what stands outside of
  /// these is not of it. So a line that a host printed, "invite unisono://…", can be pasted as it is.
  private static func unwrapped(_ text: [UInt8]) -> ArraySlice<UInt8> {
    guard let last = text.lastIndex(where: isLetterOrDigit) else { return [] }
    let first = text.indices.prefix(greatestWrapping + 1).first { index in
      (index == 0 || !isLetterOrDigit(text[index - 1]))
        && text[index...].starts(with: scheme, by: { smallLetter($0) == $1 })
    }
    guard let first = first ?? text.firstIndex(where: isLetterOrDigit), first <= last else { return [] }
    return text[first...last]
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func smallLetter(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static func parseKey(_ text: ArraySlice<UInt8>) throws(InviteError) -> (Origin, Secret) {
    guard text.count == Base32.length(of: keyBytes) else { throw text.isEmpty ? .noKey : .keyLength }
    guard let bytes = Base32.decode(text) else { throw .keyCharacter }
    guard ConstantTime.areEqual(bytes[51...], checksum(Array(bytes[..<51]))) else { throw .keyChecksum }
    guard bytes[0] == Origin.version else { throw .version(bytes[0]) }
    guard let door = Secret(Array(bytes[1..<33])), let root = ParticipantID(bytes: bytes[33..<49]) else {
      throw .keyLength
    }
    return (Origin(root: root, controlPolicy: bytes[49], joinerRole: bytes[50]), door)
  }

  /// Addresses, each perhaps followed by the id of the hub there.
  private static func parseHubs(_ parts: [ArraySlice<UInt8>]) throws(InviteError) -> [HubAddress] {
    var hubs: [HubAddress] = []
    for part in parts {
      guard let last = hubs.last, !part.contains(UInt8(ascii: ":")) else {
        guard hubs.count < maximumHubs else { throw .tooManyHubs }
        hubs.append(HubAddress(address: try readAddress(part)))
        continue
      }
      guard last.hub == nil else { throw .part }
      guard part.count == Base32.length(of: hubIDBytes), let id = Base32.decode(part) else { throw .hubID }
      hubs[hubs.count - 1].hub = id
    }
    return hubs
  }
}
