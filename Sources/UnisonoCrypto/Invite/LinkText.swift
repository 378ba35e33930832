import UnisonoBase
import UnisonoReplica

/// How a link is spelled that opens something of a session: where hubs listen, and a payload of keys.
///
/// `unisono://host:port/<hub id>/host:port/<hub id>/<pass>/…/<key>`, ids, passes and key in base 32; the key is the payload and a checksum of
/// 4 bytes. What the payload is its first byte says, and its length.
struct LinkText {
  static let maximumLength = 4_095
  static let maximumHubs = 16
  private static let scheme = Array("unisono://".utf8)
  /// Of an invite, and of a link to listen by.
  private static let payloadLengths: Set<Int> = [Invite.payloadLength, AudienceLink.payloadLength]
  private static let checksumLength = 4
  /// Characters around a link that a paste may bring along.
  private static let greatestWrapping = 256

  let hubs: [HubAddress]
  /// 38 bytes each, by the hub's id.
  let passes: [[UInt8]: [UInt8]]
  let payload: [UInt8]

  init(hubs: [HubAddress], passes: [[UInt8]: [UInt8]] = [:], payload: [UInt8]) {
    self.hubs = hubs
    self.passes = passes
    self.payload = payload
  }

  /// Refuses hubs that cannot be spelled.
  static func check(hubs: [HubAddress]) throws(InviteError) {
    guard !hubs.isEmpty else { throw .address }
    guard hubs.count <= maximumHubs else { throw .tooManyHubs }
    guard hubs.allSatisfy({ HubSpelling.canSpell($0.address) }) else { throw .address }
    guard hubs.allSatisfy({ $0.hub.count == HubSpelling.idBytes }) else { throw .hubID }
  }

  var text: String {
    var parts: [String] = []
    var passes = passes
    for hub in hubs {
      parts.append(HubSpelling.spell(hub.address))
      parts.append(Base32.encode(hub.hub))
      // Behind the hub's first address: it is good for all of them.
      if let pass = passes.removeValue(forKey: hub.hub) { parts.append(Base32.encode(pass)) }
    }
    parts.append(Base32.encode(payload + Self.checksum(payload)))
    return String(decoding: Self.scheme, as: UTF8.self) + parts.joined(separator: "/")
  }

  private static func checksum(_ payload: [UInt8]) -> ArraySlice<UInt8> {
    Hash.sha256(Label.invite.bytes + payload).prefix(checksumLength)
  }

  /// Words in front of the link, and white space, quotes, brackets and punctuation around it are passed over; scheme, ids and key may be in
  /// capitals. `accepts`: throws where the payload is no link of the kind that is asked for, before the hubs are read.
  init(parsing text: String, accepts: ([UInt8]) throws(InviteError) -> Void) throws(InviteError) {
    let pasted = Array(text.utf8)
    guard pasted.count <= Self.maximumLength + Self.greatestWrapping else { throw .tooLong }
    let bytes = Self.unwrapped(pasted)
    guard bytes.count <= Self.maximumLength else { throw .tooLong }
    guard bytes.starts(with: Self.scheme, by: { Self.smallLetter($0) == $1 }) else { throw .scheme }
    var parts = bytes.dropFirst(Self.scheme.count).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard let key = parts.popLast(), !parts.isEmpty, !key.contains(UInt8(ascii: ":")) else { throw .noKey }
    payload = try Self.payload(key)
    try accepts(payload)
    (hubs, passes) = try Self.hubs(parts)
  }

  /// A link begins with its scheme, behind no letter or digit, and ends with a letter or digit: what stands outside of
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

  private static func payload(_ text: ArraySlice<UInt8>) throws(InviteError) -> [UInt8] {
    guard payloadLengths.contains(where: { text.count == Base32.length(of: $0 + checksumLength) }) else {
      throw text.isEmpty ? .noKey : .keyLength
    }
    guard let bytes = Base32.decode(text) else { throw .keyCharacter }
    let payload = Array(bytes.dropLast(checksumLength))
    guard ConstantTime.areEqual(bytes[payload.count...], checksum(payload)) else { throw .keyChecksum }
    return payload
  }

  /// Addresses, each followed by the id of the hub there, and perhaps by a pass for it.
  private static func hubs(
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
