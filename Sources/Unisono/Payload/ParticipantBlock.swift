import CUnisono
import UnisonoCoordination

/// One participant of a list: what the coordination knows of it and what the session adds.
struct ListedParticipant: Equatable {
  var view: ParticipantView
  var isSpeaking = false
}

extension Arena {
  func participant(_ listed: ListedParticipant) -> UnsafePointer<unisono_participant> {
    let view = listed.view
    var body = unisono_participant()
    body.size = size(of: unisono_participant.self)
    body.connection = unisono_connection(rawValue: view.connection.rawValue) ?? .UNISONO_CONNECTION_NONE
    body.id = unisono_participant_id(view.id)
    body.person = unisono_participant_id(view.person)
    body.display_name = visible(view.displayName)
    body.device_name = visible(view.deviceName)
    body.item = view.item.map { text($0.utf8) }
    body.suspension_reasons = texts(view.suspensionReasons)
    body.suspension_reason_count = view.suspensionReasons.count
    body.role = unisono_role(rawValue: Int32(view.role.rawValue)) ?? .UNISONO_ROLE_MEMBER
    body.is_local = view.isLocal ? 1 : 0
    body.ready = view.ready ? 1 : 0
    body.speaking = listed.isSpeaking ? 1 : 0
    body.rate = view.rate
    body.item_time = view.position?.itemTime ?? .min
    body.host_time = view.position?.hostTime ?? .min
    body.round_trip = view.roundTrip ?? .min
    body.clock_error = view.clockError ?? .min
    body.failure = view.failure
    body.split = view.split
    body.cut_offset = view.cutOffset
    body.given_up = view.isGivenUp ? 1 : 0
    body.readiness = unisono_readiness(rawValue: Int32(view.word.rawValue)) ?? .UNISONO_READINESS_NOT_SAID
    return UnsafePointer(store(body))
  }

  /// A table of pointers; NULL for none.
  func participants(_ list: [ListedParticipant]) -> UnsafePointer<UnsafePointer<unisono_participant>?>? {
    store(list.map { Optional(participant($0)) })
  }

  func waitingFor(_ list: [WaitingFor]) -> UnsafePointer<unisono_waiting_for>? {
    store(
      list.map {
        unisono_waiting_for(participant: unisono_participant_id($0.participant), reason: text($0.reason))
      })
  }
}

/// A change of a list of participants, ready for the host.
struct ListedChange: Equatable {
  var isComplete = false
  var joined: [ListedParticipant] = []
  var updated: [ListedParticipant] = []
  var left: [ListedParticipant] = []

  var isEmpty: Bool { !isComplete && joined.isEmpty && updated.isEmpty && left.isEmpty }
}

extension Payload {
  /// SESSION_PARTICIPANTS, COORDINATOR_PARTICIPANTS.
  static func participants(_ origin: EventOrigin, _ type: unisono_event_type, _ change: ListedChange) -> Payload {
    Payload { arena in
      var body = unisono_participants_change()
      body.base = origin.head(type, of: unisono_participants_change.self)
      body.is_complete = change.isComplete ? 1 : 0
      body.joined = arena.participants(change.joined)
      body.joined_count = change.joined.count
      body.updated = arena.participants(change.updated)
      body.updated_count = change.updated.count
      body.left = arena.participants(change.left)
      body.left_count = change.left.count
      return body
    }
  }
}

/// A list that the host owns.
func ownedParticipants(_ list: [ListedParticipant]) -> UnsafePointer<unisono_participants> {
  let arena = Arena()
  let body = unisono_participants(
    size: size(of: unisono_participants.self), reserved: 0, count: list.count, items: arena.participants(list))
  let place = UnsafePointer(arena.store(body))
  OwnedResults.shared.give(place, of: arena)
  return place
}
