/// The name of one replicated register (coordination 2.3; numbers of wire 11.3).
public enum RegisterKey: Hashable, Sendable {
  case clock(ClockID)
  /// Travels as levels, never as a statement.
  case policy
  case end
  case activity
  case stallPolicy
  case rate(ItemID)
  case position(ItemID)
  case continuation(ItemID)
  case participant(ParticipantID)
}
