/// One line of a hub's log; texts name what happened, never what was said in a room.
package struct HubLog: Equatable, Sendable {
  package enum Level: CaseIterable, Sendable {
    /// For whoever looks into a problem.
    case debug
    /// Part of the normal day.
    case info
    /// Somebody should look.
    case warning
  }

  package var level: Level
  package var text: String
  /// Short name of the room that it is about, 8 digits: nothing that anybody can enter it with.
  package var room: String?

  package init(_ level: Level, _ text: String, room: String? = nil) {
    self.level = level
    self.text = text
    self.room = room
  }
}
