import CUnisono
import UnisonoBase
import UnisonoReplica
import UnisonoRuntime

/// The session's audience.
extension SessionObject {
  func openAudience(_ options: UnsafePointer<unisono_audience_options>?) throws(Failure) {
    let terms = try AudienceTerms(given: options)
    try requireJoined()
    try requireCommand()
    let snapshot = snapshot
    guard snapshot.audience.state == .closed else { throw Failure(.UNISONO_ESTATE, AudienceRefusal.isOpen.message) }
    guard snapshot.view.control == .hostsOnly else { throw Failure(.UNISONO_ESTATE, AudienceRefusal.control.message) }
    try submit { [self] engine in
      do throws(AudienceRefusal) {
        try engine.openAudience(terms)
      } catch {
        refuse(callbacks?.error, "unisono_session_open_audience", error.status, error.message)
      }
    }
  }

  func renewAudience() throws(Failure) {
    try requireJoined()
    try requireCommand()
    guard snapshot.audience.state != .closed else { throw Failure(.UNISONO_ESTATE, AudienceRefusal.notOpen.message) }
    try submit { [self] engine in
      do throws(AudienceRefusal) {
        try engine.renewAudience()
      } catch {
        refuse(callbacks?.error, "unisono_session_renew_audience", error.status, error.message)
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
      let message = "no audience is open, or this participant is no host; call unisono_session_open_audience, and let the loop turn"
      throw Failure(.UNISONO_ESTATE, message)
    }
    return Array(link.utf8)
  }

  func inviteListener(_ pointer: UnsafePointer<unisono_participant_id>?) throws(Failure) {
    guard let pointer else { throw Failure(.UNISONO_EINVAL, "listener is NULL") }
    let listener = ParticipantID(pointer.pointee)
    try requireJoined()
    let snapshot = snapshot
    let refusal: AudienceRefusal? =
      snapshot.audience.state == .closed ? .notOpen : snapshot.askingListeners.contains(listener) ? nil : .notAsked
    if let refusal { throw Failure(refusal.status, refusal.message) }
    try submit { [self] engine in
      do throws(AudienceRefusal) {
        try engine.inviteListener(listener)
      } catch {
        refuse(callbacks?.error, "unisono_session_invite_listener", error.status, error.message)
      }
    }
  }

  /// On the loop.
  func deliverListener(_ news: ListenerNews) { deliver(.listener(origin, news), .other, to: bound(callbacks?.listener)) }

  /// On the loop.
  func deliverAudience(_ news: AudienceNews) { deliver(.audience(origin, news), to: bound(callbacks?.audience)) }
}

extension AudienceRefusal {
  fileprivate var status: unisono_status {
    switch self {
    case .denied: .UNISONO_EDENIED
    case .notAsked: .UNISONO_ENOTFOUND
    case .notJoined, .control, .joinerRole, .isOpen, .noHub, .notOpen, .notSpeaking, .notSent: .UNISONO_ESTATE
    }
  }
}
