/// One line of a hub's log; texts name what happened, never what was said in a room.
public struct HubLog: Equatable, Sendable {
  public enum Level: CaseIterable, Sendable {
    /// For whoever looks into a problem.
    case debug
    /// Part of the normal day.
    case info
    /// Somebody should look.
    case warning
  }

  public var level: Level
  public var text: String

  public init(_ level: Level, _ text: String) {
    self.level = level
    self.text = text
  }
}
