import Glibc

/// Threads of the operating system's, as hosts have them.
enum Threads {
  private final class Start {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs all bodies at once, each in a thread of its own, and waits for them.
  static func run(_ bodies: [@Sendable () -> Void]) {
    let threads = bodies.map { body in
      var thread = pthread_t()
      let start = Unmanaged.passRetained(Start(body))
      let status = pthread_create(
        &thread, nil,
        { argument in
          if let argument { Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body() }
          return nil
        }, start.toOpaque())
      precondition(status == 0, "a thread can be started")
      return thread
    }
    for thread in threads { pthread_join(thread, nil) }
  }
}
