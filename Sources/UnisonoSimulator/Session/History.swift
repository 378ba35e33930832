import UnisonoCore

/// Something and the true time at which it happened.
public struct Dated<Value> {
  public var at: Nanoseconds
  public var value: Value
}

/// What a participant's coordination told its shell, dated; commands are kept by the player.
public struct History {
  public var sent: [Dated<Sent>] = []
  public var overdue: [Dated<OverdueCommand>] = []
  public var timing: [Dated<TimingChange>] = []
  public var suspensions: [Dated<[String]>] = []
  public var participants: [Dated<ParticipantsChange>] = []
  public var refusals: [Dated<Refusal>] = []
  public var invalidations: [Dated<InvalidationCause>] = []
  public var joined: [Dated<Void>] = []
  public var policies: [Dated<PolicyStack>] = []
  public var successions: [Dated<SuccessionChange>] = []
  public var activities: [Dated<Activity?>] = []
  public var notices: [Dated<Notice>] = []
  /// Spans of time in which it was shown as waiting; `to` nil: it still is.
  public var waits: [Span] = []

  public struct Sent {
    public var message: CoordinationMessage
    public var to: ParticipantID?
  }
  public struct Notice {
    public var notice: NoticeMessage
    public var originator: ParticipantID
  }
  public struct Refusal {
    public var operation: String
    public var status: CoordinationStatus
  }
  public struct Span {
    public var from: Nanoseconds
    public var to: Nanoseconds?
  }
}
