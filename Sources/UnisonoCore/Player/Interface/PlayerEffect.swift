/// What the shell has to carry out after a step, in this order.
public enum PlayerEffect: Sendable {
  /// To the coordination whose host this player is.
  case coordinate(CoordinationEvent)
  /// To the renderer.
  case render(RendererCommand)
  /// Ask the renderer where it is, and give the answer as a `.report`.
  case askPosition
  /// To the host.
  case notify(PlayerNotice)
  /// A request of the host cannot be carried out now; `operation` is the C name without prefix, like "player_replay".
  case refuse(operation: String, message: String)
}
