import UnisonoReplica

/// The line that a hub of its own prints, for those who host sessions there: `unisono-hub://host:port/<hub id>`, and behind it
/// `/<token>` where the operator gave one. It opens no session; the token is for whoever hosts, and goes into no invite.
package struct HubLine: Equatable, Sendable {
  package static let maximumLength = 511
  private static let scheme = "unisono-hub://"

  package let address: HubAddress
  /// Makes passes for a hub that asks for them; nil: none was given.
  package let token: HubToken?

  package init(address: HubAddress, token: HubToken? = nil) {
    self.address = address
    self.token = token
  }

  /// Reads a line; white space around it is passed over, and the scheme may be in capitals.
  package init(parsing text: String) throws(HubLineError) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.maximumLength else { throw .tooLong }
    let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) }) else {
      throw .scheme
    }
    let line = String(decoding: bytes[first...last], as: UTF8.self)
    guard line.lowercased().hasPrefix(Self.scheme) else { throw HostPort.isValid(line.utf8) ? .noHubID : .scheme }
    let parts = Array(line.utf8.dropFirst(Self.scheme.utf8.count)).split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard let place = parts.first, let address = try? HubSpelling.address(place) else { throw .address }
    guard parts.count > 1 else { throw .noHubID }
    guard let id = try? HubSpelling.id(parts[1]) else { throw .hubID }
    self.address = HubAddress(address: address, hub: id)
    guard parts.count > 2 else {
      token = nil
      return
    }
    guard parts.count == 3, parts[2].count == Base32.length(of: HubToken.length),
      let bytes = Base32.decode(parts[2]), let token = HubToken(bytes: bytes)
    else { throw .token }
    self.token = token
  }

  /// The id of a hub, or of a set, as lines have it.
  package static func text(of id: [UInt8]) -> String { Base32.encode(id) }

  /// The id that a text is, or that a line names; white space around it is passed over.
  package static func id(in text: String) throws(HubLineError) -> [UInt8] {
    guard text.utf8.count <= maximumLength else { throw .tooLong }
    let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    let word = text.utf8.split(whereSeparator: isSpace)
    if word.count == 1, let id = try? HubSpelling.id(Array(word[0])[...]) { return id }
    return try HubLine(parsing: text).address.hub
  }

  package var text: String {
    let parts = [HubSpelling.spell(address.address), Base32.encode(address.hub)] + (token.map { [$0.text] } ?? [])
    return Self.scheme + parts.joined(separator: "/")
  }
}

/// Why a text is no hub's line.
package enum HubLineError: Error, Hashable, Sendable {
  case tooLong
  /// Does not begin with `unisono-hub://`.
  case scheme
  case address
  /// The address alone: without its id anybody there could pose as the hub.
  case noHubID
  case hubID
  case token

  /// One sentence for people.
  package var message: String {
    switch self {
    case .tooLong: "the hub's line is longer than 511 bytes"
    case .scheme: "the hub's line does not begin with unisono-hub://; copy the line that \"unisono hub\" prints"
    case .address: "the hub's line has an address that is not host:port"
    case .noHubID:
      "the hub is given by its address alone; copy the line that \"unisono hub\" prints, unisono-hub://host:port/id, which says which hub it is"
    case .hubID: "the id in the hub's line is not 26 letters and digits; was all of it copied?"
    case .token: "the token in the hub's line is not 74 letters and digits; was all of it copied?"
    }
  }
}
