import CUnisono
import UnisonoBase
import UnisonoReplica

extension Arena {
  func notice(_ notice: NoticeMessage, originator: ParticipantID, name: String?) -> UnsafePointer<unisono_notice> {
    var body = unisono_notice()
    body.size = size(of: unisono_notice.self)
    body.kind = unisono_notice_kind(rawValue: Int32(notice.kind)) ?? .UNISONO_NOTICE_CUSTOM
    body.originator = unisono_participant_id(originator)
    body.amount = notice.amount
    body.rate = notice.rate
    body.text = visible(notice.text)
    body.url = text(notice.url)
    body.item_time = notice.itemTime ?? .min
    body.flags = notice.itemTime == nil ? 0 : UInt32(UNISONO_HAS_POSITION)
    body.name = text(name)
    return UnsafePointer(store(body))
  }
}

extension Payload {
  /// SESSION_NOTICE.
  static func notice(
    _ origin: EventOrigin, _ notice: NoticeMessage, originator: ParticipantID, name: String?
  ) -> Payload {
    Payload { arena in
      unisono_notice_event(
        base: origin.head(.UNISONO_EVENT_SESSION_NOTICE, of: unisono_notice_event.self),
        notice: arena.notice(notice, originator: originator, name: name))
    }
  }
}
