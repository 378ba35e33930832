import UnisonoCore

/// The door of a room that the session moved out of, kept for those who missed that (wire 6.4).
struct Doorkeeping: Sendable {
  /// Who was away longer is a stranger, and gets no answer.
  static let memory = Nanoseconds.seconds(600)

  let secrets: RoomSecrets
  /// The stack that says where to.
  let levels: [PolicyLevel]
}
