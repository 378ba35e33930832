import UnisonoBase
import UnisonoReplica

/// The text that opens a session's door: where hubs listen, the session's origin, and the door's secret.
///
/// `unisono://host:port/<hub id>/host:port/<hub id>/<pass>/…/<key>`, ids, passes and key in base 32. Behind each address is the id that
/// the hub there must prove to have, and behind a hub's first one perhaps a pass that opens the group's rooms there. No character of it means anything to a shell or ends a link in a messenger: an IPv6 address `[fe80::1]` is
/// spelled `fe80--1.ipv6`. One spelling is written; what fingers, mailers and QR codes do to it is read as well
/// (`init(parsing:)`).
package struct Invite: Equatable, Sendable {
  package static let maximumLength = 4_095
  package static let maximumHubs = 16
  private static let scheme = Array("unisono://".utf8)
  private static let keyBytes = 55
  /// Characters around an invite that a paste may bring along.
  private static let greatestWrapping = 256

  package let origin: Origin
  package let door: Secret
  /// 1...16, the one to try first in front.
  package let hubs: [HubAddress]
  /// Passes of hubs that ask for one, 38 bytes each, by the hub's id.
  package let passes: [[UInt8]: [UInt8]]

  /// The invite to a door of the session of `origin`; refuses hubs that cannot be spelled. Passes of other hubs are left out.
  package init(
    origin: Origin, door: Secret, hubs: [HubAddress], passes: [[UInt8]: [UInt8]] = [:]
  ) throws(InviteError) {
    guard !hubs.isEmpty else { throw .address }
    guard hubs.count <= Self.maximumHubs else { throw .tooManyHubs }
    guard hubs.allSatisfy({ HubSpelling.canSpell($0.address) }) else { throw .address }
    guard hubs.allSatisfy({ $0.hub.count == HubSpelling.idBytes }) else { throw .hubID }
    let passes = passes.filter { pass in hubs.contains { $0.hub == pass.key } }
    guard passes.values.allSatisfy({ $0.count == HubPass.length }) else { throw .pass }
    self.origin = origin
    self.door = door
    self.hubs = hubs
    self.passes = passes
    guard text.utf8.count <= Self.maximumLength else { throw .tooLong }
  }

  /// The invite as text.
  package var text: String {
    var parts: [String] = []
    var passes = passes
    for hub in hubs {
      parts.append(HubSpelling.spell(hub.address))
      parts.append(Base32.encode(hub.hub))
      // Behind the hub's first address: it is good for all of them.
      if let pass = passes.removeValue(forKey: hub.hub) { parts.append(Base32.encode(pass)) }
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
    let (hubs, passes) = try Self.parseHubs(parts)
    try self.init(origin: origin, door: door, hubs: hubs, passes: passes)
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

  /// Addresses, each followed by the id of the hub there, and perhaps by a pass for it.
  private static func parseHubs(
    _ parts: [ArraySlice<UInt8>]
  ) throws(InviteError) -> (hubs: [HubAddress], passes: [[UInt8]: [UInt8]]) {
    var hubs: [HubAddress] = []
    var passes: [[UInt8]: [UInt8]] = [:]
    var address: String?
    for part in parts {
      if part.contains(UInt8(ascii: ":")) {
        guard address == nil else { throw .noHubID }
        address = try HubSpelling.address(part)
      } else if let named = address {
        guard hubs.count < maximumHubs else { throw .tooManyHubs }
        hubs.append(HubAddress(address: named, hub: try HubSpelling.id(part)))
        address = nil
      } else {
        guard let hub = hubs.last?.hub else { throw .address }
        guard passes[hub] == nil else { throw .part }
        guard part.count == Base32.length(of: HubPass.length), let pass = Base32.decode(part) else { throw .pass }
        passes[hub] = pass
      }
    }
    guard address == nil else { throw .noHubID }
    return (hubs, passes)
  }
}
