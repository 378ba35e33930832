#if NATS
  import Glibc
  import UnisonoBase
  import UnisonoRuntime

  /// How long pieces of work of this thread took in which it waited for something.
  ///
  /// On a machine with other work a thread that waits for nothing is held up, too; the kernel counts that as another kind of switch.
  struct ThreadWaits {
    private(set) var longest: Nanoseconds = 0
    private(set) var count = 0

    mutating func measure(_ loop: UVLoop, _ work: () -> Void) {
      let (time, switches) = (loop.now, Self.switches)
      work()
      let took = loop.now - time
      count += 1
      if Self.switches != switches { longest = max(longest, took) }
    }

    /// Times that this thread gave the processor up by itself.
    private static var switches: Int {
      var usage = rusage()
      // RUSAGE_THREAD, which the Glibc module leaves out.
      getrusage(1, &usage)
      return usage.ru_nvcsw
    }
  }
#endif
