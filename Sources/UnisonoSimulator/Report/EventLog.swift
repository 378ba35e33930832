import UnisonoBase

/// What happened, line by line, for the one who looks into a seed.
package struct EventLog: Sendable {
  package var isOn: Bool
  package private(set) var lines: [String] = []

  init(isOn: Bool) { self.isOn = isOn }

  mutating func note(_ time: Nanoseconds, _ who: String, _ what: @autoclosure () -> String) {
    guard isOn else { return }
    lines.append("\(seconds(time)) \(who): \(what())")
  }
}
