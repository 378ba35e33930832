import UnisonoBase
import UnisonoReplica

/// The text that opens a session's door: where hubs listen, the session's origin, and the door's secret.
///
/// `unisono://host:port/<hub id>/host:port/<hub id>/<pass>/…/<key>`, ids, passes and key in base 32. Behind each address is the id that
/// the hub there must prove to have, and behind a hub's first one perhaps a pass that opens the group's rooms there. No character of it means anything to a shell or ends a link in a messenger: an IPv6 address `[fe80::1]` is
/// spelled `fe80--1.ipv6`. One spelling is written; what fingers, mailers and QR codes do to it is read as well
/// (`init(parsing:)`).
package struct Invite: Equatable, Sendable {
  package static let maximumLength = LinkText.maximumLength
  package static let maximumHubs = LinkText.maximumHubs
  static let payloadLength = 51

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
    try LinkText.check(hubs: hubs)
    let passes = passes.filter { pass in hubs.contains { $0.hub == pass.key } }
    guard passes.values.allSatisfy({ $0.count == HubPass.length }) else { throw .pass }
    self.origin = origin
    self.door = door
    self.hubs = hubs
    self.passes = passes
    guard text.utf8.count <= Self.maximumLength else { throw .tooLong }
  }

  /// The invite as text.
  package var text: String { LinkText(hubs: hubs, passes: passes, payload: payload).text }

  /// origin[0] ‖ door ‖ origin[1...].
  private var payload: [UInt8] { [Origin.version] + door.bytes + origin.bytes.dropFirst() }

  /// Reads an invite. Words in front of it, and white space, quotes, brackets and punctuation around it are passed over;
  /// scheme, ids and key may be in capitals.
  package init(parsing text: String) throws(InviteError) {
    let link = try LinkText(parsing: text) { (payload) throws(InviteError) in
      guard payload.count == Self.payloadLength else { throw payload[0] == AudienceLink.version ? .listens : .keyLength }
      guard payload[0] == Origin.version else { throw .version(payload[0]) }
    }
    let bytes = link.payload
    guard let door = Secret(Array(bytes[1..<33])), let root = ParticipantID(bytes: bytes[33..<49]) else {
      throw .keyLength
    }
    let origin = Origin(root: root, controlPolicy: bytes[49], joinerRole: bytes[50])
    try self.init(origin: origin, door: door, hubs: link.hubs, passes: link.passes)
  }
}
