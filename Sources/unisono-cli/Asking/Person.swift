/// Somebody at this device who can be asked: by desktop notifications or at a terminal.
protocol Person: Sendable {
  /// Asks. `answered` comes at most once, on any thread; never after `withdraw` of the same number.
  func ask(_ number: UInt64, _ question: Question, answered: @escaping @Sendable (_ yes: Bool) -> Void)
  /// The question is void.
  func withdraw(_ number: UInt64)
}

/// A question that somebody has not answered yet.
struct OpenQuestion {
  var number: UInt64
  var question: Question
  var answered: @Sendable (Bool) -> Void
}
