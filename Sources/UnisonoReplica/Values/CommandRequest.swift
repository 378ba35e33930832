import UnisonoBase

/// What somebody who may not command asks those who may: "Ask to pause".
package struct CommandRequest: Equatable, Sendable {
  /// Numbers of `unisono_request_kind`.
  package enum Kind: UInt8, Sendable, CaseIterable { case pause = 0, play, seek }

  package var kind: Kind
  /// What the asker has before it: a request about another item is not granted.
  package var item: ItemID
  /// Seek: where to; else 0.
  package var itemTime: ItemTime
  /// For people; nil: none.
  package var text: String?

  package init(_ kind: Kind, item: ItemID, itemTime: ItemTime = 0, text: String? = nil) {
    self.kind = kind
    self.item = item
    self.itemTime = itemTime
    self.text = text
  }
}

/// What became of a request, for its asker and for those who were asked; numbers of `unisono_request_status`.
package enum CommandRequestStatus: Int32, Sendable {
  /// It is open: somebody who may command is to answer.
  case open = 0
  case granted, declined
  /// Nobody answered in time, or nobody who could is there any more.
  case unanswered
}

/// A request as a host is told of it.
package struct CommandRequestNews: Equatable, Sendable {
  package var asker: ParticipantID
  /// The asker's own number of it, from 1.
  package var number: UInt64
  package var request: CommandRequest
  package var status: CommandRequestStatus
  /// Who answered; `.none`: nobody did.
  package var answerer: ParticipantID

  package init(
    asker: ParticipantID, number: UInt64, request: CommandRequest, status: CommandRequestStatus, answerer: ParticipantID
  ) {
    self.asker = asker
    self.number = number
    self.request = request
    self.status = status
    self.answerer = answerer
  }
}

/// What participants say to each other about requests.
package enum CommandRequestMessage: Equatable, Sendable {
  /// `number`: the asker's own, ascending.
  case request(number: UInt64, CommandRequest)
  case answer(asker: ParticipantID, number: UInt64, isGranted: Bool)
}
