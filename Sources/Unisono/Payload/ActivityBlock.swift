import CUnisono
import UnisonoBase
import UnisonoReplica

extension Arena {
  func activity(_ activity: Activity) -> UnsafePointer<unisono_activity> {
    var body = unisono_activity()
    body.size = size(of: unisono_activity.self)
    body.type = unisono_activity_type(rawValue: Int32(activity.type)) ?? .UNISONO_ACTIVITY_GENERIC
    body.identifier = text(activity.identifier)
    body.title = visible(activity.title)
    body.subtitle = visible(activity.subtitle)
    body.fallback_url = text(activity.fallbackURL)
    body.preview_image = UnsafeRawPointer(store(activity.previewImage))
    body.preview_image_length = activity.previewImage.count
    body.payload = UnsafeRawPointer(text(activity.payload))
    body.payload_length = activity.payload.count
    body.lifetime = unisono_lifetime(rawValue: Int32(activity.lifetime)) ?? .UNISONO_LIFETIME_AUTOMATIC
    body.supports_continuation = activity.supportsContinuation ? 1 : 0
    return UnsafePointer(store(body))
  }
}

extension Payload {
  /// SESSION_ACTIVITY. `originator`: none: the local participant.
  static func activity(_ origin: EventOrigin, _ activity: Activity?, originator: ParticipantID) -> Payload {
    Payload { arena in
      unisono_activity_event(
        base: origin.head(.UNISONO_EVENT_SESSION_ACTIVITY, of: unisono_activity_event.self),
        originator: unisono_participant_id(originator), activity: activity.map { arena.activity($0) },
        is_local: originator == .none ? 1 : 0, reserved: 0)
    }
  }

  /// SESSION_STATE. The numbers are those of the header.
  static func sessionState(
    _ origin: EventOrigin, _ state: unisono_session_state, _ connection: unisono_connection, reason: unisono_status,
    message: String, hub: String, isHubOwn: Bool, isAlone: Bool, isClosed: Bool
  ) -> Payload {
    Payload { arena in
      unisono_session_state_event(
        base: origin.head(.UNISONO_EVENT_SESSION_STATE, of: unisono_session_state_event.self), state: state,
        connection: connection, reason: reason.rawValue, closed: isClosed ? 1 : 0, message: arena.text(message),
        hub: arena.text(hub), hub_is_own: isHubOwn ? 1 : 0, alone: isAlone ? 1 : 0)
    }
  }

  /// SESSION_INVITE.
  static func invite(_ origin: EventOrigin, _ invite: String, as type: unisono_event_type = .UNISONO_EVENT_SESSION_INVITE) -> Payload {
    Payload { arena in
      unisono_invite_event(base: origin.head(type, of: unisono_invite_event.self), invite: arena.text(invite))
    }
  }
}

/// The activity a host gives: copied, its limits checked.
func copiedActivity(_ pointer: UnsafePointer<unisono_activity>) throws(Failure) -> Activity {
  let given = try copied(pointer, into: unisono_activity(), atLeast: 80, "activity")
  guard (0...9).contains(given.type.rawValue) else {
    throw Failure(.UNISONO_EINVAL, "activity.type is \(given.type.rawValue), which is no unisono_activity_type")
  }
  guard (0...1).contains(given.lifetime.rawValue) else {
    throw Failure(.UNISONO_EINVAL, "activity.lifetime is \(given.lifetime.rawValue), which is no unisono_lifetime")
  }
  return Activity(
    type: UInt8(given.type.rawValue),
    identifier: try InputText.required(
      given.identifier, atMost: 255, "activity.identifier", tooLong: .UNISONO_ETOOBIG),
    title: try InputText.visible(given.title, atMost: 255, "activity.title", tooLong: .UNISONO_ETOOBIG),
    subtitle: try InputText.visible(given.subtitle, atMost: 255, "activity.subtitle", tooLong: .UNISONO_ETOOBIG),
    fallbackURL: try InputText.optional(
      given.fallback_url, atMost: 2_047, "activity.fallback_url", tooLong: .UNISONO_ETOOBIG),
    previewImage: try InputText.bytes(
      given.preview_image, count: given.preview_image_length, atMost: 65_536, "activity.preview_image"),
    payload: try InputText.bytes(given.payload, count: given.payload_length, atMost: 65_536, "activity.payload"),
    lifetime: UInt8(given.lifetime.rawValue), supportsContinuation: given.supports_continuation != 0)
}
