import UnisonoBase

/// News of a participant for the people at this device, which the library finds by itself and nobody sends.
package struct PersonNotice: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// It came.
    case joined
    /// It went.
    case left
    /// It was there when this participant joined.
    case present
    /// It is at another item than this device, and has been for a while.
    case elsewhere(ItemID)
  }

  package let kind: Kind
  package let participant: ParticipantID
  /// Its display name, never empty.
  package let name: String

  /// The same for the log; what others wrote does not break its lines. Those who were there come in one.
  static func lines(of news: [PersonNotice]) -> [String] {
    let here = news.filter { $0.kind == .present }.map { $0.name }.joined(separator: ", ")
    return (here.isEmpty ? [] : ["here: \(VisibleText.plain(here))"])
      + news.compactMap { notice in
        let name = VisibleText.plain(notice.name)
        return switch notice.kind {
        case .joined: "\(name) came"
        case .left: "\(name) is gone"
        case .present: nil
        case .elsewhere(let item): "\(name) is at another item: \(VisibleText.plain(item.description))"
        }
      }
  }
}
