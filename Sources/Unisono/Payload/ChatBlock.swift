import CUnisono
import UnisonoBase
import UnisonoRuntime

extension Arena {
  func entry(_ said: SaidEntry) -> UnsafePointer<unisono_chat_entry> {
    let entry = said.news.entry
    return UnsafePointer(
      store(
        unisono_chat_entry(
          size: size(of: unisono_chat_entry.self), kind: said.news.isReaction ? .UNISONO_CHAT_REACTION : .UNISONO_CHAT_TEXT,
          author: unisono_participant_id(entry.id.author), number: entry.id.number, said: said.news.hostTime ?? .min,
          item_time: entry.itemTime ?? .min, item: text(entry.item?.description), name: visible(said.name),
          text: said.news.isReaction ? visible(entry.text) : visible(lines: entry.text))))
  }
}

extension Payload {
  /// SESSION_CHAT.
  static func chat(_ origin: EventOrigin, _ said: SaidEntry, isOwn: Bool) -> Payload {
    Payload { arena in
      unisono_chat_event(
        base: origin.head(.UNISONO_EVENT_SESSION_CHAT, of: unisono_chat_event.self), entry: arena.entry(said),
        own: isOwn ? 1 : 0, is_history: said.news.isHistory ? 1 : 0)
    }
  }
}

/// Entries that the host owns.
func ownedChat(_ entries: [SaidEntry]) -> UnsafePointer<unisono_chat> {
  let arena = Arena()
  let body = unisono_chat(
    size: size(of: unisono_chat.self), reserved: 0, count: entries.count,
    items: arena.store(entries.map { Optional(arena.entry($0)) }))
  let place = UnsafePointer(arena.store(body))
  OwnedResults.shared.give(place, of: arena)
  return place
}
