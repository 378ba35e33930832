import CUnisono
import UnisonoBase
import UnisonoReplica
import UnisonoRuntime
import UnisonoWire

extension Payload {
  /// SESSION_MESSAGE. The data is aligned, and not NULL even when empty.
  static func message(
    _ origin: EventOrigin, _ data: [UInt8], label: MessageLabel?, cue: MessageCue?, sender: ParticipantID,
    _ delivery: unisono_delivery
  ) -> Payload {
    Payload { arena in
      let place = arena.allocate(data.count)
      place.copyMemory(from: data, byteCount: data.count)
      let type: String = label?.type ?? ""
      let item: String = cue?.item.description ?? ""
      return unisono_message(
        base: origin.head(.UNISONO_EVENT_SESSION_MESSAGE, of: unisono_message.self),
        sender: unisono_participant_id(sender), data: UnsafeRawPointer(place), length: data.count, delivery: delivery,
        version: label?.version ?? 0, type: arena.text(type), item: arena.text(item), item_time: cue?.itemTime ?? 0)
    }
  }

  /// SESSION_FOREGROUND, SESSION_SPEAKING.
  static func participant(
    _ origin: EventOrigin, _ type: unisono_event_type, _ id: ParticipantID, isActive: Bool, inBackground: Bool = false
  ) -> Payload {
    Payload { _ in
      unisono_participant_event(
        base: origin.head(type, of: unisono_participant_event.self), participant: unisono_participant_id(id),
        active: isActive ? 1 : 0, in_background: inBackground ? 1 : 0)
    }
  }

  private static func status(of ignored: Ignored) -> unisono_status {
    switch ignored.part {
    case .all: break
    case .chat, .cues: return .UNISONO_EBUSY
    case .excess: return .UNISONO_EFULL
    }
    return ignored.isForgery ? .UNISONO_EAUTH : .UNISONO_EPROTOCOL
  }

  /// SESSION_IGNORED.
  static func ignored(_ origin: EventOrigin, _ ignored: Ignored) -> Payload {
    Payload { arena in
      unisono_ignored_event(
        base: origin.head(.UNISONO_EVENT_SESSION_IGNORED, of: unisono_ignored_event.self),
        participant: unisono_participant_id(ignored.participant), by_other: ignored.byOther ? 1 : 0,
        status: status(of: ignored).rawValue, until: ignored.until,
        message: arena.text(ignored.sentence))
    }
  }

  /// SESSION_CLOCK_DOUBT.
  static func clockDoubt(_ origin: EventOrigin, _ doubt: ClockDoubtNews) -> Payload {
    Payload { arena in
      unisono_clock_doubt_event(
        base: origin.head(.UNISONO_EVENT_SESSION_CLOCK_DOUBT, of: unisono_clock_doubt_event.self),
        participant: unisono_participant_id(doubt.participant), own: doubt.isOwn ? 1 : 0, over: doubt.isOver ? 1 : 0,
        offset: doubt.offset, hub: arena.text(doubt.hub), message: arena.text(doubt.sentence))
    }
  }

  /// SESSION_SPLIT.
  static func split(_ origin: EventOrigin, _ split: SplitNews) -> Payload {
    Payload { arena in
      unisono_split_event(
        base: origin.head(.UNISONO_EVENT_SESSION_SPLIT, of: unisono_split_event.self),
        participant: unisono_participant_id(split.change.participant),
        kind: unisono_split_kind(rawValue: Int32(split.change.kind.rawValue)) ?? .UNISONO_SPLIT_UNHEARD,
        over: split.change.isOver ? 1 : 0, since: split.change.since, hub: arena.text(split.hub),
        message: arena.text(split.sentence))
    }
  }

  /// SESSION_HUB_DOUBT.
  static func hubDoubt(_ origin: EventOrigin, _ doubt: HubDoubtNews) -> Payload {
    Payload { arena in
      unisono_hub_doubt_event(
        base: origin.head(.UNISONO_EVENT_SESSION_HUB_DOUBT, of: unisono_hub_doubt_event.self),
        reason: unisono_hub_doubt_reason(rawValue: doubt.reason.rawValue) ?? .UNISONO_HUB_DOUBT_CLOCK,
        over: doubt.isOver ? 1 : 0, until: doubt.until ?? .min, hub: arena.text(doubt.hub),
        message: arena.text(doubt.sentence))
    }
  }

  /// SESSION_CONSENT, SESSION_ACTIVATION.
  static func activation(
    _ origin: EventOrigin, _ type: unisono_event_type, request: UInt64, _ activity: Activity,
    result: unisono_activation_result = .UNISONO_ACTIVATION_DISABLED, isRemembered: Bool = false
  ) -> Payload {
    Payload { arena in
      unisono_activation_event(
        base: origin.head(type, of: unisono_activation_event.self), request: request,
        activity: arena.activity(activity), result: result, remembered: isRemembered ? 1 : 0)
    }
  }
}

/// The notice a host posts: copied, its limits checked.
func copiedNotice(_ pointer: UnsafePointer<unisono_notice>) throws(Failure) -> NoticeMessage {
  let given = try copied(pointer, into: unisono_notice(), atLeast: 56, "notice")
  guard (0...7).contains(given.kind.rawValue) else {
    throw Failure(.UNISONO_EINVAL, "notice.kind is \(given.kind.rawValue), which is no unisono_notice_kind")
  }
  guard given.amount != .min else { throw Failure(.UNISONO_EINVAL, "notice.amount is UNISONO_TIME_INVALID") }
  guard given.rate.isFinite else { throw Failure(.UNISONO_EINVAL, "notice.rate is not finite") }
  return NoticeMessage(
    kind: UInt8(given.kind.rawValue), amount: given.amount, rate: given.rate == 0 ? 0 : given.rate,
    text: try InputText.visible(given.text, atMost: 255, "notice.text", tooLong: .UNISONO_ETOOBIG),
    url: try InputText.optional(given.url, atMost: 2_047, "notice.url", tooLong: .UNISONO_ETOOBIG))
}

extension NoticeSentence {
  /// The notice of a host, checked.
  init(_ pointer: UnsafePointer<unisono_notice>?) throws(Failure) {
    guard let pointer else { throw Failure(.UNISONO_EINVAL, "notice is NULL") }
    let given = try copied(pointer, into: unisono_notice(), atLeast: 56, "notice")
    guard let kind = Kind(rawValue: given.kind.rawValue) else {
      throw Failure(.UNISONO_EINVAL, "notice.kind is \(given.kind.rawValue), which is no unisono_notice_kind")
    }
    guard given.rate.isFinite else { throw Failure(.UNISONO_EINVAL, "notice.rate is not finite") }
    let times = try GivenTimes(given.flags, known: .position, "notice")
    self.init(
      kind: kind, name: try InputText.optional(given.name, atMost: 255, "notice.name"), amount: given.amount,
      rate: given.rate, itemTime: try times.position(given.item_time, 0)?.itemTime,
      message: try InputText.optional(given.text, atMost: 255, "notice.text"),
      coordinator: try InputText.optional(given.coordinator, atMost: CoordinatorName.maximumLength, "notice.coordinator"))
  }
}

extension ParticipantID {
  init(_ id: unisono_participant_id) {
    self = withUnsafeBytes(of: id) { ParticipantID(bytes: $0) } ?? .none
  }
}
