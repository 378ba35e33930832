import UnisonoBase

/// End of a link to a hub, with its reason.
package enum HubLinkEnd: Equatable, Sendable {
  /// The hub said no: a status of the C interface, its words, and when to try again.
  case refused(status: Int32, text: String, retry: Nanoseconds?)
  /// Another hub than expected, or one that cannot prove who it is.
  case wrongHub(String)
  /// Nothing listens there any more: the process that kept the hub is gone.
  case gone(String)
  /// Not reached, broken, silent, or not a hub.
  case lost(String)

  /// For people.
  package var reason: String {
    switch self {
    case .refused(_, let text, _): "the hub refused: \(text)"
    case .wrongHub(let text), .gone(let text), .lost(let text): text
    }
  }

  /// The status of the C interface that says so.
  package var status: Int32 {
    switch self {
    case .refused(let status, _, _): status
    case .wrongHub: HubRefusal.auth.rawValue
    case .gone, .lost: -106
    }
  }

  /// Ended by a newer connection under the same key, as the hub says.
  var isReplaced: Bool {
    if case .refused(HubRefusal.replaced.rawValue, _, _) = self { true } else { false }
  }

  /// The hub that was meant does not let this participant in.
  var isRefusalToAdmit: Bool {
    if case .refused(HubRefusal.auth.rawValue, _, _) = self { true } else { false }
  }

  var outcome: ReconnectPolicy.Outcome {
    switch self {
    case .lost: .failed
    case .gone: .gone
    case .wrongHub: .wrongHub
    case .refused(let status, _, let retry):
      switch HubRefusal(rawValue: status) {
      case .auth, .version, .replaced: .fatal
      case .full: retry.map { .full(retry: $0) } ?? .failed
      case .protocolBroken, nil: .failed
      }
    }
  }
}
