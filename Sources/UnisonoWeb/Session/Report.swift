import UnisonoBase
import UnisonoCoordination

/// What happened since JavaScript was answered last: one line of JSON for each event.
final class Report {
  private var lines = ""

  func add(_ event: String, _ fill: (inout JSONObject) -> Void = { _ in }) {
    var object = JSONObject()
    object.add("event", event)
    fill(&object)
    lines += object.text + "\n"
  }

  /// A call was taken, and what it asked for is refused.
  func refuse(_ operation: Operation, _ code: Failure.Code, _ message: String) {
    add("refused") { object in
      object.add("operation", operation.name)
      object.add("code", code.name)
      object.add("message", visible: message)
    }
  }

  func log(_ level: LogLevel, _ text: String) {
    add("log") { object in
      object.add("level", number: level.rawValue)
      object.add("text", visible: text)
    }
  }

  /// The lines, which count as read then.
  func take() -> String {
    defer { lines = "" }
    return lines
  }
}
