/// Why the own host does not take part at the moment (coordination 2.9).
struct Suspensions: Sendable {
  struct Open: Sendable {
    var reason: String
    var since: HostTime
    /// nil: begun by the library.
    var id: UInt64?
  }

  private(set) var open: [Open] = []
  /// A proposal of one that ended while others were open.
  var held: ItemTime?
  /// A transition made while suspended or joining: becomes the item's state afterwards, if that has none.
  var heldTransition: Proposal??
  /// The pair when the library's suspension began: a newer one ends it.
  var pairAtLibrarySuspension: Pair?
  /// The library's suspension is for a stall of a running host: it ends when that reports to be running again.
  var endsWithStall = false
  /// The pair when a proposal was held: a newer one drops it.
  var pairAtHold: Pair?
  /// What the host does by itself while suspended, in host time.
  var ownLine = Line(at: 0, rate: 0, since: 0)
  /// What it asked for by itself and was not told yet.
  var ownRequest: OwnRequest?

  enum OwnRequest: Sendable { case play, pause, seek }

  static let stallRecovery = "stall-recovery"
  static let notPossible = "coordinated-playback-not-possible"

  var isSuspended: Bool { !open.isEmpty }
  var isOnlyByLibrary: Bool { isSuspended && open.allSatisfy { $0.id == nil } }
  var reasons: [String] { open.map(\.reason) }

  mutating func begin(_ reason: String, id: UInt64?, now: HostTime) {
    open.append(Open(reason: reason, since: now, id: id))
  }

  /// Returns whether it was open.
  mutating func end(id: UInt64) -> Bool {
    guard let index = open.firstIndex(where: { $0.id == id }) else { return false }
    open.remove(at: index)
    return true
  }

  mutating func endLibrarys() {
    open.removeAll { $0.id == nil }
    pairAtLibrarySuspension = nil
    endsWithStall = false
  }
}
