import Glibc
import Synchronization

/// Asks at the terminal, one question at a time: y or n and Enter.
final class TerminalPerson: Person {
  private struct State {
    /// The first one is on the screen.
    var open: [OpenQuestion] = []
    /// What is typed next was meant for a question that is gone.
    var mustBeEmptied = false
    /// Somebody reads what is typed.
    var isRead = false
    /// The input is over: nobody is there.
    var isOver = false
  }

  private let state = Mutex(State())

  func ask(_ number: UInt64, _ question: Question, answered: @escaping @Sendable (Bool) -> Void) {
    let (isOver, mustRead) = state.withLock { state in
      if state.isOver { return (true, false) }
      state.open.append(OpenQuestion(number: number, question: question, answered: answered))
      if state.open.count == 1, !state.mustBeEmptied { Self.show(question) }
      defer { state.isRead = true }
      return (false, !state.isRead)
    }
    if isOver { answered(false) }
    if mustRead { read() }
  }

  /// Not before the first question: what a pipe holds already is the answer to that. What was typed at a terminal is not.
  private func read() {
    tcflush(0, TCIFLUSH)
    Background.run { [self] in
      while let line = readLine() { take(line) }
      giveUp()
    }
  }

  func withdraw(_ number: UInt64) {
    state.withLock { state in
      guard let place = state.open.firstIndex(where: { $0.number == number }) else { return }
      state.open.remove(at: place)
      guard place == 0 else { return }
      // A yes on its way to this question must not reach the next one.
      state.mustBeEmptied = true
      Self.say("\nnot asked any more; press Enter")
    }
  }

  private func take(_ line: String) {
    let answered = state.withLock { state -> (@Sendable () -> Void)? in
      if state.mustBeEmptied {
        state.mustBeEmptied = false
        if let next = state.open.first { Self.show(next.question) }
        return nil
      }
      guard let asked = state.open.first else { return nil }
      let yes: Bool
      switch line.lowercased().filter({ $0 != " " }) {
      case "y", "yes": yes = true
      case "n", "no": yes = false
      default:
        Self.say("y or n?")
        return nil
      }
      state.open.removeFirst()
      if let next = state.open.first { Self.show(next.question) }
      return { asked.answered(yes) }
    }
    answered?()
  }

  /// Nobody answers any more: that is no yes.
  private func giveUp() {
    let unanswered = state.withLock { state in
      state.isOver = true
      defer { state.open = [] }
      return state.open
    }
    for question in unanswered { question.answered(false) }
  }

  private static func show(_ question: Question) {
    say("\n\(question.title)\n\(question.text)")
    if let digits = question.spacedDigits { say("Both screens must show \(digits).") }
    say("y or n?")
  }

  private static func say(_ text: String) {
    // Past the buffers of stdio, whose flush would wait for the thread that reads.
    var rest = Array((text + "\n").utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return }
    }
  }
}
