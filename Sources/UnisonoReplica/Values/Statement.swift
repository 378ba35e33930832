import UnisonoBase

/// One write to one register, by its author, under a policy.
package struct Statement: Equatable, Sendable {
  package var key: RegisterKey
  /// Who signed it.
  package var author: ParticipantID
  /// The policy it cites.
  package var policy: PolicyID
  /// Group time of the write, ns.
  package var time: GroupTime
  package var value: RegisterValue
  /// Of a confirmation of Activity, StallPolicy, ActionAtEnd, StartPolicy, ScheduledStart, SkipPolicy, Audience, the playlist or Clocks under
  /// another policy: who said it first, and when. Cells and continuations carry theirs in their values.
  package var original: Stamp?
  /// The bytes it came in, for relaying them unchanged; nil for an own statement that was not signed yet.
  package var signed: SignedStatement?

  package init(
    key: RegisterKey, author: ParticipantID, policy: PolicyID, time: GroupTime, value: RegisterValue,
    original: Stamp? = nil, signed: SignedStatement? = nil
  ) {
    self.key = key
    self.author = author
    self.policy = policy
    self.time = time
    self.value = value
    self.original = original
    self.signed = signed
  }

  package var stamp: Stamp { Stamp(time: time, author: author) }

  /// The order in which statements are told: by stamp, and those of one stamp, which only who lies signs, by register, so that no
  /// order of a dictionary decides.
  package static func precedes(_ left: Statement, _ right: Statement) -> Bool {
    if left.stamp != right.stamp { return left.stamp < right.stamp }
    let (one, other) = (RegisterKeyCoding.number(left.key), RegisterKeyCoding.number(right.key))
    if one != other { return one < other }
    return RegisterKeyCoding.keyBytes(left.key).lexicographicallyPrecedes(RegisterKeyCoding.keyBytes(right.key))
  }

  /// Who said it first, and when.
  package var said: Stamp { original ?? stamp }
}

/// A statement's bytes as its author signed them: stored and relayed as received, never encoded again.
package struct SignedStatement: Hashable, Sendable {
  package var body: [UInt8]
  package var signature: [UInt8]

  package init(body: [UInt8], signature: [UInt8]) {
    self.body = body
    self.signature = signature
  }
}

/// The value of a register; the case must fit the key.
///
/// What a participant says of itself is twenty fields, and shared: statements are copied far more often than made.
package enum RegisterValue: Equatable, Sendable {
  case clock(ClockValue)
  case end
  case activity(Activity)
  case stallPolicy(StallPolicy)
  case actionAtEnd(ActionAtEnd)
  case startPolicy(StartPolicy)
  case rate(RateValue)
  case position(PositionValue)
  case continuation(ContinuationValue)
  indirect case participant(ParticipantValue)
  case playlistEntry(PlaylistEntry)
  case playlistCurrent(PlaylistCurrent)
  /// nil: nothing is offered there any more.
  case attachment(AttachmentValue?)
  /// nil: nothing is scheduled any more.
  case scheduledStart(ScheduledStart?)
  case skipPolicy(SkipPolicy)
  /// nil: there is no audience any more.
  case audience(AudienceValue?)
}
