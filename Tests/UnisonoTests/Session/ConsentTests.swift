import CUnisono
import Testing

@testable import Unisono

@Suite("Consent that nobody gives") struct ConsentTests {
  @Test("F31: people have 60 s to answer")
  func patience() { #expect(OpenActivation.patience == .seconds(60)) }

  /// With a patience of an instant: what is waited for is the event, not the time.
  @Test("F31: nobody answers: the activation is cancelled once, the late answer is refused, and it can be asked again")
  func timedOut() throws {
    let context = Make.context(ownThread: false, eventQueue: true)
    defer { unisono_context_destroy(context.raw) }
    let session = Make.hosted(in: context)
    #expect(unisono_session_join(session.raw) == 0)
    let guest = Make.opened(Make.invite(of: session), in: context)
    #expect(unisono_session_join(guest.raw) == 0)
    // Alone nobody would be asked.
    var isAlone = true
    while isAlone {
      var event: UnsafePointer<unisono_context_event>?
      try #require(unisono_context_next_event(context.raw, 60_000_000_000, &event) > 0)
      if let state = unisono_event_session_state(event), state.pointee.base.source == UnsafeMutableRawPointer(session.raw) {
        isAlone = state.pointee.alone != 0
      }
    }
    try object(session.raw, SessionObject.self).activations.withLock { $0.patience = .milliseconds(1) }
    for round in 1...2 as ClosedRange<UInt64> {
      #expect(prepare(session) == 0)
      var seen: [(type: unisono_event_type, request: UInt64, result: unisono_activation_result)] = []
      while seen.last?.type != .UNISONO_EVENT_SESSION_ACTIVATION {
        var event: UnsafePointer<unisono_context_event>?
        // Every wait ends with an event, or the limit of a minute says that none came.
        try #require(unisono_context_next_event(context.raw, 60_000_000_000, &event) > 0)
        guard let event, event.pointee.user == nil else { continue }
        switch event.pointee.type {
        case .UNISONO_EVENT_SESSION_CONSENT, .UNISONO_EVENT_SESSION_ACTIVATION:
          let body = UnsafeRawPointer(event).assumingMemoryBound(to: unisono_activation_event.self).pointee
          seen.append((event.pointee.type, body.request, body.result))
        default: break
        }
      }
      #expect(seen.map(\.type) == [.UNISONO_EVENT_SESSION_CONSENT, .UNISONO_EVENT_SESSION_ACTIVATION])
      #expect(seen.map(\.request) == [round, round])
      #expect(seen.last?.result == .UNISONO_ACTIVATION_CANCELLED)
      let late = unisono_session_answer_consent(session.raw, round, .UNISONO_ACTIVATION_PREFERRED, 1)
      #expect(late == unisono_status.UNISONO_ENOTFOUND.rawValue)
    }
    // Nothing was decided, nothing is remembered: the second round asked again.
    unisono_session_destroy(session.raw)
  }

  private func prepare(_ session: Handle) -> Int32 {
    "org.example.film".withCString { identifier in
      var activity = unisono_activity()
      activity.size = UInt32(MemoryLayout<unisono_activity>.size)
      activity.identifier = identifier
      return unisono_session_prepare_for_activation(session.raw, &activity, nil, nil)
    }
  }
}
