import CUnisono
import UnisonoBase

/// The head of a payload: whose it is, and when it was issued.
struct EventOrigin {
  /// nil: the context.
  var source: HandleToken?
  /// The user pointer given where the source was made.
  nonisolated(unsafe) var user: UnsafeMutableRawPointer?
  var hostTime: HostTime

  func head<Payload>(_ type: unisono_event_type, of payload: Payload.Type) -> unisono_context_event {
    unisono_context_event(
      size: size(of: payload), type: type, source: source?.rawPointer, user: user, host_time: hostTime)
  }
}
