import UnisonoBase
import UnisonoReplica

/// The text by which anybody listens to an audience: where hubs listen, the session's origin, and what opens what is said there. It lets
/// nobody into the session, and nobody who has it can command.
///
/// Spelled as an invite is (`LinkText`); the payload is 0x03 ‖ secret(32) ‖ topic(32) ‖ origin[1...].
package struct AudienceLink: Equatable, Sendable {
  static let version: UInt8 = 3
  static let payloadLength = 83

  package let origin: Origin
  /// What the audience's keys are made of.
  package let secret: Secret
  /// The audience's name at a hub: the public half of the key that publishers prove to have, 32 bytes.
  package let topic: [UInt8]
  /// 1...16, the one to try first in front.
  package let hubs: [HubAddress]

  /// Refuses hubs that cannot be spelled.
  package init(origin: Origin, secret: Secret, topic: [UInt8], hubs: [HubAddress]) throws(InviteError) {
    try LinkText.check(hubs: hubs)
    guard topic.count == 32 else { throw .keyLength }
    self.origin = origin
    self.secret = secret
    self.topic = topic
    self.hubs = hubs
    guard text.utf8.count <= LinkText.maximumLength else { throw .tooLong }
  }

  package var text: String { LinkText(hubs: hubs, payload: payload).text }

  private var payload: [UInt8] { [Self.version] + secret.bytes + topic + origin.bytes.dropFirst() }

  /// Reads a link as `Invite` reads an invite; `invites` where it is one.
  package init(parsing text: String) throws(InviteError) {
    let link: LinkText
    do throws(InviteError) {
      link = try LinkText(parsing: text) { (payload) throws(InviteError) in
        guard payload.count == Self.payloadLength else { throw payload[0] == Origin.version ? .invites : .keyLength }
        guard payload[0] == Self.version else { throw .version(payload[0]) }
      }
    } catch {
      throw error == .keyLength ? .linkLength : error
    }
    let bytes = link.payload
    guard let secret = Secret(Array(bytes[1..<33])), let origin = Origin([Origin.version] + bytes[65...]) else { throw .keyLength }
    guard link.passes.isEmpty else { throw .pass }
    try self.init(origin: origin, secret: secret, topic: Array(bytes[33..<65]), hubs: link.hubs)
  }
}
