/// What somebody who may not command asks those who may: "Ask to pause".
public struct CommandRequest: Equatable, Sendable {
  /// Numbers of `unisono_request_kind`.
  public enum Kind: UInt8, Sendable, CaseIterable { case pause = 0, play, seek }

  public var kind: Kind
  /// What the asker has before it: a request about another item is not granted.
  public var item: ItemID
  /// Seek: where to; else 0.
  public var itemTime: ItemTime
  /// For people; nil: none.
  public var text: String?

  public init(_ kind: Kind, item: ItemID, itemTime: ItemTime = 0, text: String? = nil) {
    self.kind = kind
    self.item = item
    self.itemTime = itemTime
    self.text = text
  }
}

/// What became of a request, for its asker and for those who were asked; numbers of `unisono_request_status`.
public enum CommandRequestStatus: Int32, Sendable {
  /// It is open: somebody who may command is to answer.
  case open = 0
  case granted, declined
  /// Nobody answered in time, or nobody who could is there any more.
  case unanswered
}

/// A request as a host is told of it.
public struct CommandRequestNews: Equatable, Sendable {
  public var asker: ParticipantID
  /// The asker's own number of it, from 1.
  public var number: UInt64
  public var request: CommandRequest
  public var status: CommandRequestStatus
  /// Who answered; `.none`: nobody did.
  public var answerer: ParticipantID
}
