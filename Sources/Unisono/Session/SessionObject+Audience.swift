import CUnisono
import UnisonoRuntime

/// The audience that this participant opens.
extension SessionObject {
  func openAudience() throws(Failure) {
    try requireJoined()
    try requireCommand()
    let snapshot = snapshot
    guard snapshot.audience.state == .closed else { throw Failure(.UNISONO_ESTATE, AudienceRefusal.isOpen.message) }
    guard snapshot.view.control == .hostsOnly else { throw Failure(.UNISONO_ESTATE, AudienceRefusal.control.message) }
    try submit { [self] engine in
      do throws(AudienceRefusal) {
        try engine.openAudience()
      } catch {
        refuse(callbacks?.error, "unisono_session_open_audience", error.status, error.message)
      }
    }
  }

  func closeAudience() throws(Failure) {
    try requireLife()
    try submit { $0.closeAudience() }
  }

  func audienceLink() throws(Failure) -> [UInt8] {
    try requireLife()
    guard let link = snapshot.audienceLink else {
      throw Failure(.UNISONO_ESTATE, "no audience is open here; call unisono_session_open_audience, and let the loop turn")
    }
    return Array(link.utf8)
  }

  /// On the loop.
  func deliverAudience(_ news: AudienceNews) { deliver(.audience(origin, news), to: bound(callbacks?.audience)) }
}

extension AudienceRefusal {
  fileprivate var status: unisono_status {
    switch self {
    case .denied: .UNISONO_EDENIED
    case .notJoined, .control, .joinerRole, .isOpen, .noHub: .UNISONO_ESTATE
    }
  }
}
