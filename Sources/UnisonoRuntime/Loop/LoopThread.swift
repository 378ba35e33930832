import CUV
import Glibc

/// A thread of the library's own: named, and with every signal blocked.
package enum LoopThread {
  private final class Start {
    let name: String
    let body: @Sendable () -> Void
    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// Starts a thread; who asked joins or detaches it. `name`: at most 15 bytes.
  package static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(NetworkError) -> pthread_t {
    let start = Unmanaged.passRetained(Start(name: name, body: body))
    var thread = pthread_t()
    let status = PipeSignal.allBlocked {
      pthread_create(
        &thread, nil,
        { argument in
          if let argument {
            let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
            pthread_setname_np(pthread_self(), start.name)
            start.body()
          }
          return nil
        }, start.toOpaque())
    }
    guard status == 0 else {
      start.release()
      throw NetworkError("cannot start a thread: \(String(cString: strerror(status)))")
    }
    return thread
  }

  /// Names this thread among those that run now; never 0.
  static var current: UInt { UInt(pthread_self()) }
}
