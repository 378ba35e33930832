extension UVLoop {
  /// Only called on the loop's thread, whoever lets go of it.
  private struct Continuation: @unchecked Sendable {
    var call: () -> Void
  }

  package func perform(_ work: @escaping @Sendable () -> Void, then: @escaping () -> Void) {
    let continuation = Continuation(call: then)
    disk.run { [weak self] in
      work()
      self?.submit { continuation.call() }
    }
  }
}
