import Logging
import Synchronization

/// Asks by desktop notifications, through notify-send (libnotify 0.8 and newer, which knows buttons).
final class NotificationPerson: Person {
  private struct State {
    var shown: [UInt64: Program] = [:]
    var withdrawn: Set<UInt64> = []
  }

  private let program: String
  private let log: Logger
  private let state = Mutex(State())

  init(program: String, log: Logger) {
    self.program = program
    self.log = log
  }

  func ask(_ number: UInt64, _ question: Question, answered: @escaping @Sendable (Bool) -> Void) {
    let notification: Program
    do throws(Program.Failure) {
      notification = try Program(arguments(question), readsOutput: true)
    } catch {
      return log.error("\(error.message); the question is not shown")
    }
    state.withLock { $0.shown[number] = notification }
    let begun = Background.run { [self] in
      let (output, status) = notification.finish()
      let isVoid = state.withLock { state in
        state.shown[number] = nil
        return state.withdrawn.remove(number) != nil
      }
      if isVoid { return }
      // Without a word it was closed, or notify-send is too old for buttons: that is no yes.
      switch output.split(separator: "\n").last {
      case "yes": answered(true)
      case "no": answered(false)
      default:
        log.notice("a question was closed without an answer (\(program) ended with \(status ?? -1))")
        answered(false)
      }
    }
    if !begun { notification.stop() }
  }

  func withdraw(_ number: UInt64) {
    let notification = state.withLock { state -> Program? in
      guard let notification = state.shown[number] else { return nil }
      state.withdrawn.insert(number)
      return notification
    }
    notification?.stop()
  }

  func arguments(_ question: Question) -> [String] {
    var body = Self.escaped(question.text)
    var yes = "Open"
    if let digits = question.spacedDigits {
      body += "\n<b>\(digits)</b>"
      yes = "The digits are the same: open"
    }
    return [
      program, "--app-name=Unisono", "--urgency=critical", "--wait", "--action=yes=\(yes)", "--action=no=No", "--",
      Self.escaped(question.title), body,
    ]
  }

  /// A body is markup, and names are strangers' texts.
  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.append(character)
      }
    }
  }
}
