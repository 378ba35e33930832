import CUnisono
import UnisonoBase
import UnisonoReplica
import UnisonoRuntime

extension Arena {
  func notice(
    _ notice: NoticeMessage, originator: ParticipantID, name: String?, coordinator: CoordinatorName?
  ) -> UnsafePointer<unisono_notice> {
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
    body.coordinator = coordinator.map { text($0.utf8) }
    return UnsafePointer(store(body))
  }
}

extension Payload {
  /// SESSION_NOTICE.
  static func notice(
    _ origin: EventOrigin, _ notice: NoticeMessage, originator: ParticipantID, name: String?, coordinator: CoordinatorName?
  ) -> Payload {
    Payload { arena in
      unisono_notice_event(
        base: origin.head(.UNISONO_EVENT_SESSION_NOTICE, of: unisono_notice_event.self),
        notice: arena.notice(notice, originator: originator, name: name, coordinator: coordinator))
    }
  }

  /// SESSION_NOTICE of who came, went or is at another item.
  static func notice(_ origin: EventOrigin, _ news: PersonNotice) -> Payload {
    let kind: NoticeSentence.Kind
    var text: String?
    switch news.kind {
    case .joined: kind = .joined
    case .left: kind = .left
    case .present: kind = .present
    case .elsewhere(let item):
      kind = .elsewhere
      text = String(decoding: item.utf8.prefix(255), as: UTF8.self)
    }
    return Payload { arena in
      var body = unisono_notice()
      body.size = size(of: unisono_notice.self)
      body.kind = unisono_notice_kind(rawValue: kind.rawValue) ?? .UNISONO_NOTICE_CUSTOM
      body.originator = unisono_participant_id(news.participant)
      body.text = arena.visible(text)
      body.item_time = .min
      body.name = arena.visible(news.name)
      return unisono_notice_event(
        base: origin.head(.UNISONO_EVENT_SESSION_NOTICE, of: unisono_notice_event.self),
        notice: UnsafePointer(arena.store(body)))
    }
  }
}
