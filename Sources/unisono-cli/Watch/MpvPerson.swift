import Synchronization

/// Asks over the film, one question at a time: it stands on the picture and in the terminal, and two keys of mpv's answer it, as the
/// terminal's keys are mpv's, too, meanwhile.
final class MpvPerson: Person {
  private struct State {
    /// The first one is on the picture.
    var open: [OpenQuestion] = []
    var send: (@Sendable (String) -> Void)?
  }

  private static let keys = (yes: "Ctrl+y", no: "Ctrl+n")
  /// ms; an ask is over sooner.
  private static let shown = "70000"
  /// What the keys send, in front of the question's number and the word: other questions' keys answer nothing.
  private static let word = "unisono-answer"

  private let state = Mutex(State())
  private let say: @Sendable (String) -> Void

  /// - Parameter say: for the person at the terminal, line by line.
  init(say: @escaping @Sendable (String) -> Void) { self.say = say }

  /// mpv is there, and takes lines of requests.
  func attach(_ send: @escaping @Sendable (String) -> Void) {
    state.withLock { state in
      state.send = send
      if !state.open.isEmpty { show(state) }
    }
  }

  func ask(_ number: UInt64, _ question: Question, answered: @escaping @Sendable (Bool) -> Void) {
    state.withLock { state in
      state.open.append(OpenQuestion(number: number, question: question, answered: answered))
      if state.open.count == 1 { show(state) }
    }
  }

  func withdraw(_ number: UInt64) { _ = remove(number) }

  /// A line that mpv wrote.
  func take(_ line: String) {
    guard line.contains("\"client-message\""), let number = state.withLock({ $0.open.first?.number }) else { return }
    for (word, yes) in [("yes", true), ("no", false)] where line.contains("\"\(Self.word)-\(number)-\(word)\"") {
      remove(number)?.answered(yes)
    }
  }

  private func remove(_ number: UInt64) -> OpenQuestion? {
    state.withLock { state in
      guard let place = state.open.firstIndex(where: { $0.number == number }) else { return nil }
      let removed = state.open.remove(at: place)
      if place == 0 { show(state) }
      return removed
    }
  }

  /// The first question, or none any more.
  private func show(_ state: State) {
    guard let send = state.send else { return }
    guard let first = state.open.first else { return Self.none.forEach(send) }
    Self.requests(first.number, first.question).forEach(send)
    Self.lines(first.question).forEach(say)
  }

  private static func lines(_ question: Question) -> [String] {
    var lines = [question.text]
    if let digits = question.spacedDigits { lines.append("Both screens must show \(digits).") }
    return lines + ["\(keys.yes): yes    \(keys.no): no"]
  }

  /// Lines for mpv. Texts of strangers are no commands and no properties there: they are strings of JSON, which mpv does not expand.
  static func requests(_ number: UInt64, _ question: Question) -> [String] {
    let text = ([question.title] + lines(question)).joined(separator: "\n")
    return [
      MpvStart.request("keybind", keys.yes, "script-message \(word)-\(number)-yes"),
      MpvStart.request("keybind", keys.no, "script-message \(word)-\(number)-no"),
      MpvStart.request("show-text", text, shown),
    ]
  }

  private static let none = [
    MpvStart.request("keybind", keys.yes, "ignore"), MpvStart.request("keybind", keys.no, "ignore"),
    MpvStart.request("show-text", "", "1"),
  ]
}
