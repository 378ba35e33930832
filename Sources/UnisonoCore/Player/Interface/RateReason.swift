/// Why the rate changed; numbers of `unisono_rate_reason`.
public enum RateReason: Int32, Sendable {
  case setRateCalled = 0, setRateFailed, interrupted, backgrounded, participant, liveEdge, itemEnded
}
