import UnisonoCrypto

/// Who may open a room at a hub, that is be the first in it; to enter one in which somebody is the door's key is enough (wire 3.7).
package enum RoomOpening: Sendable {
  case anybody
  /// Who comes from this machine or its networks, and who shows a good pass.
  case neighbours(PassCheck)

  /// Whether strangers are asked for a pass.
  var asksForPass: Bool {
    if case .neighbours = self { true } else { false }
  }
}
