extension UVLoop {
  /// Only called on the loop's thread, whoever lets go of it.
  private struct Continuation<Result>: @unchecked Sendable {
    var call: (Result) -> Void
  }

  package func perform<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result, done: @escaping (Result) -> Void
  ) {
    let continuation = Continuation(call: done)
    disk.run { [weak self] in
      let result = work()
      self?.submit { continuation.call(result) }
    }
  }
}
