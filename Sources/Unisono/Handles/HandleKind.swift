/// Kind of the object that a handle stands for; part of its token, so that a handle of another kind is told from a dead one.
enum HandleKind: UInt8, Sendable {
  case context = 1
  case session
  case coordinator
  case suspension
  case hub
  case player
  case surface
  case advertiser = 8
  case browser
  case joinRequest
  case simulation

  /// For messages to people.
  var noun: String {
    switch self {
    case .context: "context"
    case .session: "session"
    case .coordinator: "coordinator"
    case .suspension: "suspension"
    case .hub: "hub"
    case .player: "player"
    case .surface: "surface"
    case .advertiser: "advertiser"
    case .browser: "browser"
    case .joinRequest: "join request"
    case .simulation: "simulation"
    }
  }
}
