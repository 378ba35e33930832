/// What happened since JavaScript was answered last: one line of JSON for each event.
final class Report {
  private var lines = ""

  func add(_ event: String, _ fill: (inout JSONObject) -> Void = { _ in }) {
    var object = JSONObject()
    object.add("event", event)
    fill(&object)
    lines += object.text + "\n"
  }

  /// The lines, which count as read then.
  func take() -> String {
    defer { lines = "" }
    return lines
  }
}
