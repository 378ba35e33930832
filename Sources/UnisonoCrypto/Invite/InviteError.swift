/// Why a text is no invite, and which part of it is to blame.
public enum InviteError: Error, Hashable, Sendable {
  /// Longer than 4,095 bytes.
  case tooLong
  /// Does not begin with `unisono://`.
  case scheme
  /// The address after `unisono://` is not host:port followed by a slash.
  case address
  /// A parameter that is neither `k` nor `h`, or stands in the wrong place.
  case parameter
  /// `k`, or what follows `~`, is not the id of a hub.
  case hubID
  /// `h` holds no host:port.
  case otherAddress
  /// More than 16 hubs.
  case tooManyHubs
  /// No `#` and key after it.
  case noFragment
  /// The key after `#` does not have 74 characters.
  case fragmentLength
  /// The key after `#` has a character that no key has.
  case fragmentCharacter
  /// The key after `#` was mistyped or damaged.
  case fragmentChecksum
  /// The invite is of another protocol version: EVERSION; everything else is EINVAL.
  case version(UInt8)

  public var isVersion: Bool {
    if case .version = self { true } else { false }
  }

  /// One sentence for people.
  public var message: String {
    switch self {
    case .tooLong: "the invite is longer than 4,095 bytes"
    case .scheme: "the invite does not begin with unisono://"
    case .address: "the invite's address is not host:port followed by a slash"
    case .parameter: "the invite has a parameter that is not known, or in the wrong place"
    case .hubID: "the invite's id of a hub is not 22 characters of base64url"
    case .otherAddress: "the invite's further address (h=) is not host:port"
    case .tooManyHubs: "the invite names more than 16 hubs"
    case .noFragment: "the invite's key is missing: the part after #"
    case .fragmentLength: "the invite's key, the part after #, does not have 74 characters"
    case .fragmentCharacter: "the invite's key, the part after #, has a character that cannot be there"
    case .fragmentChecksum: "the invite's key, the part after #, was mistyped: its checksum does not fit"
    case .version(let version): "the invite is of protocol version \(version); this library speaks version 1"
    }
  }
}
