extension SessionReason {
  /// Reason for the end of a link.
  init(_ end: HubLinkEnd) {
    switch end {
    case .gone, .lost: self = .network
    case .wrongHub: self = .authentication
    case .refused(let status, _, _):
      switch HubRefusal(rawValue: status) {
      case .auth: self = .authentication
      case .version: self = .version
      case .full: self = .full
      case .replaced: self = .duplicateKey
      case .protocolBroken, nil: self = .protocolError
      }
    }
  }
}
