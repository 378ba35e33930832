import UnisonoBase

/// Reason for which a hub turned somebody down, as the REFUSED frame says it.
///
/// The numbers are those of the C interface. Who may not enter learns no more than `auth`.
package enum HubRefusal: Int32, Sendable {
  /// A newer connection of the same participant took over.
  case replaced = -103
  case protocolBroken = -107
  case version = -108
  case auth = -109
  case full = -111

  /// Of `full`, where the hub is about to end.
  static let drainingText = "this hub is about to end; turn to another one"

  /// Of `full`, where nobody publishes.
  static let notOpenText = "this audience is not open; whoever speaks in it may come back"
  /// Time until an entry into an audience that is not open is tried again.
  static let notOpenRetry = Nanoseconds.seconds(5)

  /// For people; at most 127 bytes.
  var text: String {
    switch self {
    case .replaced: "a newer connection of this participant took over"
    case .protocolBroken: "the protocol was broken"
    case .version: "this hub speaks another version of the protocol"
    case .auth: "not admitted"
    case .full: "this hub, room or address has no place left"
    }
  }
}
