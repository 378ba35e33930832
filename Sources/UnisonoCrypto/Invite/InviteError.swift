/// Why a text is no invite, and which part of it is to blame.
package enum InviteError: Error, Hashable, Sendable {
  /// Longer than 4,095 bytes.
  case tooLong
  /// Does not begin with `unisono://`.
  case scheme
  /// A part is not host:port.
  case address
  /// A part that is neither an address, nor the id of the hub at the address before it, nor a pass for it, nor the key.
  case part
  /// An address without the id of the hub there.
  case noHubID
  /// The part after an address is not the id of a hub.
  case hubID
  /// A pass that has not 38 bytes.
  case pass
  /// More than 16 hubs.
  case tooManyHubs
  /// No key at the end.
  case noKey
  /// The key has neither the 88 characters of an invite's nor the 140 of a listening link's: of an invite, and of a listening link.
  case keyLength, linkLength
  /// The key has a character that no key has.
  case keyCharacter
  /// The key was mistyped or damaged.
  case keyChecksum
  /// It is a link to listen to an audience by, where an invite is asked for; and the other way round.
  case listens, invites
  /// The invite is of another protocol version: EVERSION; everything else is EINVAL.
  case version(UInt8)

  package var isVersion: Bool {
    if case .version = self { true } else { false }
  }

  /// One sentence for people.
  package var message: String {
    switch self {
    case .tooLong: "the invite is longer than 4,095 bytes"
    case .scheme: "the invite does not begin with unisono://; was all of it copied?"
    case .address: "the invite has an address that is not host:port"
    case .part: "the invite has a part that is neither an address, nor the id of a hub, nor a pass, nor the key"
    case .noHubID: "the invite has an address without the id of the hub there, 26 letters and digits; was all of it copied?"
    case .pass: "the invite has a pass for a hub that is not 61 letters and digits of base 32"
    case .hubID: "the invite's id of a hub is not 26 letters and digits of base 32"
    case .tooManyHubs: "the invite names more than 16 hubs"
    case .noKey: "the invite's key is missing: the last part, after the last slash; was all of it copied?"
    case .keyLength: "the invite's key, the part after the last slash, does not have 88 characters; was all of it copied?"
    case .linkLength: "the link's key, the part after the last slash, does not have 140 characters; was all of it copied?"
    case .keyCharacter: "the invite's key, the part after the last slash, has a character that cannot be there"
    case .keyChecksum: "the invite's key, the part after the last slash, was mistyped: its checksum does not fit"
    case .listens: "this link is for listening to an audience (unisono_coordinator_listen), not for taking part"
    case .invites: "this is an invite, by which one takes part: open a session with it (unisono_session_open)"
    case .version(let version): "the invite is of protocol version \(version); this library speaks version 2"
    }
  }
}
