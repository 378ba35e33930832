#if NATS
  import UnisonoBase
  import UnisonoRuntime

  /// Budget of lines about NATS: a server that misbehaves, or that comes and goes, should not fill a log.
  struct NATSLines {
    private static let burst = 20.0
    private static let perSecond = 0.2

    private var bucket = TokenBucket(rate: Self.perSecond, burst: Self.burst, now: 0)
    private var leftOut = 0

    /// The line, with how many were left out before it; nil: it is left out, too.
    mutating func admit(_ line: HubLog, now: HostTime) -> HubLog? {
      guard bucket.spend(now: now) else {
        leftOut += 1
        return nil
      }
      defer { leftOut = 0 }
      return leftOut == 0 ? line : HubLog(line.level, "\(line.text) (\(leftOut) lines before it were left out)")
    }
  }
#endif
