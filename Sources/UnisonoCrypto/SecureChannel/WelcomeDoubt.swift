import UnisonoBase

/// Doubt whether a welcome's key is the room's: lasts until somebody else was read with it (wire 5.2).
struct WelcomeDoubt: Sendable {
  /// Number of others whose frames do not open that proves the key wrong.
  static let enough = 2

  let welcomer: ParticipantID
  /// Members present when the key was handed over. Later ones do not count: they may send anything.
  private let witnesses: Set<ParticipantID>
  private var unread: Set<ParticipantID> = []

  init(_ welcomer: ParticipantID, witnesses: Set<ParticipantID>) {
    self.welcomer = welcomer
    self.witnesses = witnesses.subtracting([welcomer])
  }

  /// A frame of `sender` did not open. True: that is enough.
  mutating func recordUnreadable(_ sender: ParticipantID) -> Bool {
    if witnesses.contains(sender) { unread.insert(sender) }
    return unread.count >= Self.enough
  }
}
