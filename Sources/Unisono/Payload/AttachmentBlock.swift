import CUnisono
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoRuntime

extension Arena {
  func attachment(_ listed: ListedAttachment) -> UnsafePointer<unisono_attachment> {
    let value = listed.offer.value
    var id = unisono_attachment_id()
    withUnsafeMutableBytes(of: &id) { $0.copyBytes(from: value.id.bytes) }
    return UnsafePointer(
      store(
        unisono_attachment(
          size: size(of: unisono_attachment.self), is_available: listed.isHeld ? 1 : 0, id: id,
          owner: unisono_participant_id(listed.offer.slot.author), length: value.size,
          name: text(AttachmentValue.plain(name: value.name)), media_type: visible(value.type))))
  }
}

extension Payload {
  /// SESSION_ATTACHMENT.
  static func attachment(_ origin: EventOrigin, _ news: AttachmentNews) -> Payload {
    Payload { arena in
      unisono_attachment_event(
        base: origin.head(.UNISONO_EVENT_SESSION_ATTACHMENT, of: unisono_attachment_event.self),
        attachment: arena.attachment(ListedAttachment(offer: news.offer, isHeld: news.isHeld)), request: news.request,
        transferred: news.transferred, participant: unisono_participant_id(news.participant),
        change: unisono_attachment_change(rawValue: news.change.rawValue) ?? .UNISONO_ATTACHMENT_FAILED,
        status: news.reason.status.rawValue, message: arena.visible(news.message))
    }
  }
}

extension AttachmentNews.Reason {
  fileprivate var status: unisono_status {
    switch self {
    case .none: .UNISONO_OK
    case .notFound: .UNISONO_ETIMEDOUT
    case .forged: .UNISONO_EAUTH
    case .cancelled: .UNISONO_ECANCELED
    case .removed: .UNISONO_ENOTFOUND
    case .file, .exists: .UNISONO_EIO
    case .tooBig: .UNISONO_ETOOBIG
    case .full: .UNISONO_EFULL
    case .busy: .UNISONO_EBUSY
    }
  }
}

/// Attachments that the host owns.
func ownedAttachments(_ listed: [ListedAttachment]) -> UnsafePointer<unisono_attachments> {
  let arena = Arena()
  let body = unisono_attachments(
    size: size(of: unisono_attachments.self), reserved: 0, count: listed.count,
    items: arena.store(listed.map { Optional(arena.attachment($0)) }))
  let place = UnsafePointer(arena.store(body))
  OwnedResults.shared.give(place, of: arena)
  return place
}
