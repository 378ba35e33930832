import Glibc

/// Work that waits for programs or for a person, on a thread of its own.
enum Background {
  private final class Work: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// False: the system has no thread left, and nothing runs.
  @discardableResult
  static func run(_ work: @escaping @Sendable () -> Void) -> Bool {
    let box = Unmanaged.passRetained(Work(work))
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { raw in
        if let raw { Unmanaged<Work>.fromOpaque(raw).takeRetainedValue().run() }
        return nil
      }, box.toOpaque())
    guard status == 0 else {
      box.release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}
