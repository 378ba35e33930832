import UnisonoCore

/// Whether a welcome's key is the room's, until somebody else was read with it (wire-and-security 5.2).
struct WelcomeDoubt: Sendable {
  /// So many others who cannot be read with it: it is wrong.
  static let enough = 2

  let welcomer: ParticipantID
  private var unread: Set<ParticipantID> = []

  init(_ welcomer: ParticipantID) { self.welcomer = welcomer }

  /// A frame of `sender` did not open. True: that is enough.
  mutating func note(_ sender: ParticipantID) -> Bool {
    if sender != welcomer { unread.insert(sender) }
    return unread.count >= Self.enough
  }
}
