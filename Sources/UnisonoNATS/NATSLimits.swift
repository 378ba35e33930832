#if NATS
  import UnisonoBase

  /// Limits of the way through NATS: what may wait on it, and for how long.
  enum NATSLimits {
    /// One message, as hubs say it to each other.
    static let message = 300_000
    /// What one message costs beside its bytes and its subject.
    static let overhead = 128
    /// Waiting towards NATS: over the first the hub is told, and under the second told that it is over; over the third the connection
    /// is cut.
    static let pressed = 4 << 20
    static let relieved = 2 << 20
    static let outbound = 16 << 20
    /// How long something may wait towards NATS, and a question whether the server is there, before the connection is cut.
    static let patience = Nanoseconds.seconds(2)
    static let patienceInMilliseconds: Int64 = 2_000
    /// The server is asked so often whether it is there, and at most so many answers may be missing: `patience`, together.
    static let pingInMilliseconds: Int64 = 500
    static let missingPongs: Int32 = 3
    /// Waiting from NATS, to the loop: over it what comes is left out.
    static let inbound = 64 << 20
    /// Waiting inside libnats, of one subscription.
    static let subscription: Int32 = 8 << 20
    /// From a lost connection to the next, at random, ms.
    static let pause: ClosedRange<Int32> = 50...150
    /// The same where the server is there and does not let this hub in: a person has to do something first.
    static let refusalPause: ClosedRange<Int32> = 1_000...3_000
    /// Time in one turn of the loop for what came, and from there to the next.
    static let slice = Nanoseconds.milliseconds(1)
    static let betweenSlices = Nanoseconds.microseconds(50)
    /// Time at the end for what still waits to be sent.
    static let farewell = Nanoseconds.milliseconds(500)
    static let farewellInMilliseconds: Int64 = 500
    static let servers = 16
  }
#endif
