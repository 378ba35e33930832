import UnisonoBase
import UnisonoReplica

/// Everything that can happen to a coordination: `(state, event, now) -> (state, effects)`.
package enum CoordinationEvent: Sendable {
  // From the host.
  /// The current item changes; nil: nothing plays. `proposal` nil: paused at 0.
  case transition(to: ItemID?, proposal: Proposal?)
  /// Play (rate != 0), pause (0) or another rate; `from` is where the item goes on at it, nil: where the group is.
  case rateChange(rate: Double, immediately: Bool, from: ItemTime? = nil)
  case seek(to: ItemTime, resumeImmediately: Bool)
  /// Back to where the group was before somebody jumped.
  case undoJump
  case completed(command: UInt64)
  /// The host, alone on its item, plays from the command's place on, but so much later than the command says.
  case beginsLater(command: UInt64, by: Nanoseconds)
  /// The host could not carry out a command; `status` is its negative reason.
  case failed(command: UInt64, status: Int32)
  /// The host cannot play its item any more, although nothing was asked of it; `status` as above.
  case cannotPlay(status: Int32)
  /// Tell the host the present state again.
  case reapply
  /// `id` is the caller's name for the suspension, unique in its life.
  case beginSuspension(id: UInt64, reason: String)
  /// `proposing` nil: rejoin where the group is.
  case endSuspension(id: UInt64, proposing: ItemTime?)
  case setWaitingReasons([String])
  case setParticipantLimit(reason: String, limit: UInt32)
  case setPauseSnaps(Bool)
  /// The host is told to get ready while the group pauses, so that a start waits for nobody.
  case setPreparesAhead(Bool)
  /// ns; 0: do not wait.
  case setWaitLimit(Nanoseconds)
  /// Whether the running group waits for one that stalls; of the whole session. As a proposal it gives way to what the
  /// session has already.
  case setStallPolicy(StallPolicy, asProposal: Bool)
  /// What happens at the end of an item; of the whole session. As a proposal it gives way to what the session has already.
  case setActionAtEnd(ActionAtEnd, asProposal: Bool)
  /// What starts wait for beside players, and what happens when somebody leaves; of the whole session. As a proposal it gives way
  /// to what the session has already.
  case setStartPolicy(StartPolicy, asProposal: Bool)
  /// Which ranges of entries the group leaves out; as above.
  case setSkipPolicy(SkipPolicy, asProposal: Bool)
  /// Everybody on the item begins to play at this host time; `calendarTime`: what the own calendar clock shows then, for people.
  case scheduleStart(of: ItemID, at: HostTime, calendarTime: Int64?)
  case cancelStart
  /// There is such an audience, to which this participant speaks; nil: there is none any more. Nothing where that may not be said now.
  case setAudience(AudienceValue?)
  /// Starts wait for the audience that this participant speaks to; nil: they do not.
  case audienceReadiness(AudienceReadiness?)
  /// What the own person says of being ready.
  case setReady(ReadyWord)
  /// The start that waits for persons goes on without those of these participants; empty: without waiting for any.
  case startWithout([ParticipantID])
  /// Offer an attachment in an own place.
  case offerAttachment(AttachmentSlot, AttachmentValue)
  /// Take back what was offered in a place at this time, which who may command can do with others', too. What was offered there since
  /// stays.
  case takeBackAttachment(AttachmentSlot, offered: GroupTime)
  case setOutputOffset(Nanoseconds)
  /// ns from a play command to motion, as was learnt of the own player; starts leave room for it.
  case setStartLatency(Nanoseconds)
  case report(PlaybackReport)

  // From the session's owner.
  /// Go on from another day; before anything else.
  case resume(PastGroup)
  case setActivity(Activity)
  /// An owner's wish; refused, at once or late, where the policy does not allow it.
  case changePolicy(PolicyChange)
  /// End the session for everybody.
  case end
  /// Take part from now on: the own register is published (for who was made not to participate at once).
  case participate
  /// The hub that this participant keeps for the others listens there; empty: it keeps none.
  case setHubAddresses([HubAddress])
  /// Names of this participant's coordinators in the session beside the first one; that tells the others of them.
  case setCoordinators(Set<CoordinatorName>)
  /// Leave: say goodbye in the own register. The link goes down afterwards by the shell.
  case leave

  /// Refused, at once or late, where the policy, or what the playlist is by then, does not allow it.
  case editPlaylist(PlaylistEdit)
  /// The copy that the own player has of an entry of the playlist; nil: none.
  case stateCopy(StatedCopy?)
  /// How far the own copy of an entry, nil: of that which the group is at, is ahead of the group's item time.
  case setCutOffset(EntryID?, Nanoseconds)
  /// Ranges of the own copy of an item that are not the group's, in order; none: all of it is.
  case setInterstitials(ItemID, [InterstitialRange])

  // From the link.
  /// A hub let us in: who is there (without the own id), and the hub's clock.
  case linkUp(members: [Member], clock: ClockID)
  /// The same of another room of the session, into which those who were there with us go, too: they are among `members`, and nothing that
  /// was said is lost.
  case moved(members: [Member], clock: ClockID)
  case linkDown
  /// The hub's word about others.
  case presence(joined: [Member], gone: [Departure])
  /// Not all that these said came; how much is not known.
  case missed([ParticipantID])
  /// What the hub says of the clocks of the others of its service.
  case clocks(ClockReport)
  /// Content keys are there: messages to others can be sent and read.
  case secured
  /// Who can read, the own id included, as the record that is spoken in lists them: by seniority, but for owners.
  case roster([ParticipantID])
  /// Persons by their devices, as introductions show; who is missing is a person of its own.
  case persons([ParticipantID: ParticipantID])
  /// A proven message of another participant.
  case message(CoordinationMessage, from: ParticipantID)
  /// What we know of the connected hub's clock; nil: not synchronised (any more).
  case clock(ClockModel?, roundTrip: Nanoseconds?)
  /// This machine slept: host time stood, and group time is not known before the hub's clock is measured anew.
  case slept

  /// `nextWake` has come.
  case tick
}

/// The state a host proposes for an item that the group has none for.
package struct Proposal: Equatable, Sendable {
  /// 0 paused.
  package var rate: Double
  package var itemTime: ItemTime
  /// When `itemTime` holds; nil: now.
  package var hostTime: HostTime?
  package init(rate: Double, itemTime: ItemTime, hostTime: HostTime? = nil) {
    self.rate = rate
    self.itemTime = itemTime
    self.hostTime = hostTime
  }

  /// Where a host that does what it proposes is at a host time.
  func position(at time: HostTime) -> ItemTime {
    itemTime.adding(time.subtracting(hostTime ?? time).scaled(by: rate))
  }
}

/// Where a host's player really is.
package struct PlaybackReport: Equatable, Sendable {
  package var stalled: Bool
  /// As it really runs; 0 paused.
  package var rate: Double
  /// nil: no position given.
  package var position: Position?
  /// Reachable positions; nil: not said.
  package var range: ClosedRange<ItemTime>?

  package struct Position: Equatable, Sendable {
    package var itemTime: ItemTime
    package var hostTime: HostTime
    package init(itemTime: ItemTime, hostTime: HostTime) {
      self.itemTime = itemTime
      self.hostTime = hostTime
    }
  }

  package init(stalled: Bool = false, rate: Double, position: Position? = nil, range: ClosedRange<ItemTime>? = nil) {
    self.stalled = stalled
    self.rate = rate
    self.position = position
    self.range = range
  }
}
