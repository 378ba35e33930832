import UnisonoCore

/// What opens a session's door: its origin, the door's secret, and where hubs listen.
///
/// `unisono://host:port/?k=<hub id>&h=host:port~<hub id>&h=…#<fragment>`. Every invite has exactly one spelling.
public struct Invite: Equatable, Sendable {
  public static let maximumLength = 4_095
  public static let maximumHubs = 16
  static let scheme = "unisono://"
  private static let fragmentBytes = 55
  private static let fragmentCharacters = 74

  public let origin: Origin
  public let door: Secret
  /// 1...16, the one to try first in front.
  public let hubs: [HubAddress]

  /// The invite to a door of the session of `origin`; refuses hubs that cannot be spelled.
  public init(origin: Origin, door: Secret, hubs: [HubAddress]) throws(InviteError) {
    guard let first = hubs.first else { throw .address }
    guard hubs.count <= Self.maximumHubs else { throw .tooManyHubs }
    guard HostPort.isValid(first.address.utf8) else { throw .address }
    guard hubs.dropFirst().allSatisfy({ HostPort.isValid($0.address.utf8) }) else { throw .otherAddress }
    guard hubs.allSatisfy({ $0.hub == nil || $0.hub?.count == 16 }) else { throw .hubID }
    self.origin = origin
    self.door = door
    self.hubs = hubs
    guard text.utf8.count <= Self.maximumLength else { throw .tooLong }
  }

  /// The invite as text.
  public var text: String {
    var parameters: [String] = []
    if let hub = hubs[0].hub { parameters.append("k=" + Base64URL.encode(hub)) }
    for other in hubs.dropFirst() {
      parameters.append("h=" + other.address + (other.hub.map { "~" + Base64URL.encode($0) } ?? ""))
    }
    let query = parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&")
    return Self.scheme + hubs[0].address + "/" + query + "#" + fragment
  }

  /// origin[0] ‖ door ‖ origin[1...] ‖ checksum(4), as text.
  private var fragment: String {
    let payload = [Origin.version] + door.bytes + origin.bytes.dropFirst()
    return Base64URL.encode(payload + Self.checksum(payload))
  }

  private static func checksum(_ payload: [UInt8]) -> ArraySlice<UInt8> {
    Hash.sha256(Label.invite.bytes + payload).prefix(4)
  }
}

extension Invite {
  /// Reads an invite; nothing but the one spelling is accepted.
  public init(parsing text: String) throws(InviteError) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.maximumLength else { throw .tooLong }
    guard bytes.starts(with: Self.scheme.utf8) else { throw .scheme }
    let rest = bytes.dropFirst(Self.scheme.utf8.count)
    guard let hash = rest.firstIndex(of: UInt8(ascii: "#")) else { throw .noFragment }
    let (origin, door) = try Self.parseFragment(rest[(hash + 1)...])
    try self.init(origin: origin, door: door, hubs: try Self.parseHubs(rest[..<hash]))
  }

  private static func parseFragment(_ text: ArraySlice<UInt8>) throws(InviteError) -> (Origin, Secret) {
    guard text.count == fragmentCharacters else { throw text.isEmpty ? .noFragment : .fragmentLength }
    guard let bytes = Base64URL.decode(text), bytes.count == fragmentBytes else { throw .fragmentCharacter }
    guard ConstantTime.areEqual(bytes[51...], checksum(Array(bytes[..<51]))) else { throw .fragmentChecksum }
    guard bytes[0] == Origin.version else { throw .version(bytes[0]) }
    guard let door = Secret(Array(bytes[1..<33])), let root = ParticipantID(bytes: bytes[33..<49]) else {
      throw .fragmentLength
    }
    return (Origin(root: root, controlPolicy: bytes[49], joinerRole: bytes[50]), door)
  }

  /// `host:port/` and perhaps `?k=…&h=…`.
  private static func parseHubs(_ text: ArraySlice<UInt8>) throws(InviteError) -> [HubAddress] {
    guard let slash = text.firstIndex(of: UInt8(ascii: "/")), HostPort.isValid(text[..<slash]) else { throw .address }
    var first = HubAddress(address: String(decoding: text[..<slash], as: UTF8.self))
    let query = text[(slash + 1)...]
    guard !query.isEmpty else { return [first] }
    guard query.first == UInt8(ascii: "?") else { throw .address }
    var others: [HubAddress] = []
    let parameters = query.dropFirst().split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    for (index, parameter) in parameters.enumerated() {
      let value = parameter.dropFirst(2)
      if parameter.starts(with: "k=".utf8), index == 0 {
        first.hub = try parseHubID(value)
      } else if parameter.starts(with: "h=".utf8) {
        others.append(try parseOther(value))
      } else {
        throw .parameter
      }
      guard others.count < maximumHubs else { throw .tooManyHubs }
    }
    return [first] + others
  }

  private static func parseOther(_ text: ArraySlice<UInt8>) throws(InviteError) -> HubAddress {
    guard let tilde = text.firstIndex(of: UInt8(ascii: "~")) else {
      guard HostPort.isValid(text) else { throw .otherAddress }
      return HubAddress(address: String(decoding: text, as: UTF8.self))
    }
    guard HostPort.isValid(text[..<tilde]) else { throw .otherAddress }
    let hub = try parseHubID(text[(tilde + 1)...])
    return HubAddress(address: String(decoding: text[..<tilde], as: UTF8.self), hub: hub)
  }

  private static func parseHubID(_ text: ArraySlice<UInt8>) throws(InviteError) -> [UInt8] {
    guard text.count == 22, let id = Base64URL.decode(text), id.count == 16 else { throw .hubID }
    return id
  }
}
