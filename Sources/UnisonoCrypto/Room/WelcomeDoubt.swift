import UnisonoCore

/// Whether a welcome's key is the room's, until somebody else was read with it (wire 5.2).
struct WelcomeDoubt: Sendable {
  /// So many others who cannot be read with it: it is wrong.
  static let enough = 2

  let welcomer: ParticipantID
  /// Who was there when the key was handed over: who comes later can say what it likes, and has nothing to do with it.
  private let witnesses: Set<ParticipantID>
  private var unread: Set<ParticipantID> = []

  init(_ welcomer: ParticipantID, witnesses: Set<ParticipantID>) {
    self.welcomer = welcomer
    self.witnesses = witnesses.subtracting([welcomer])
  }

  /// A frame of `sender` did not open. True: that is enough.
  mutating func note(_ sender: ParticipantID) -> Bool {
    if witnesses.contains(sender) { unread.insert(sender) }
    return unread.count >= Self.enough
  }
}
