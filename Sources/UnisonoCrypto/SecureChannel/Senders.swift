import UnisonoBase
import UnisonoWire

/// What a channel remembers of each who speaks in it, and how many signatures it verifies for all of them.
struct Senders: Sendable {
  private var states: [ParticipantID: SenderState] = [:]
  private var verifications = VerificationBudget()

  var count: Int { states.count }

  func isIgnored(_ id: ParticipantID, now: HostTime) -> Bool { states[id]?.isIgnored(at: now) == true }

  /// nil: acceptable.
  func refusal(of header: EnvelopeHeader, isHeld: Bool = false) -> ChannelRefusal? {
    states[header.sender]?.refusal(of: header, isHeld: isHeld)
  }

  /// An envelope was opened, and its signature was right.
  mutating func record(_ header: EnvelopeHeader) { states[header.sender, default: SenderState()].record(header) }

  /// True: that was one too many, and the sender is ignored for a while.
  mutating func countRefusal(of id: ParticipantID, now: HostTime) -> Bool {
    states[id, default: SenderState()].countRefusal(at: now)
  }

  /// Charges signature checks to the sender's budget and to that of all; false: used up.
  ///
  /// - Parameter mayWait: what need not arrive.
  mutating func chargeVerifications(_ count: Int, from id: ParticipantID, mayWait: Bool = false, now: HostTime) -> Bool {
    states[id, default: SenderState()].chargeVerifications(count, at: now)
      && verifications.spend(count, mayWait: mayWait, at: now)
  }

  mutating func forget(_ id: ParticipantID) { states[id] = nil }

  /// Another room: nobody has spoken there yet.
  mutating func forgetAll() { states = [:] }

  /// Forgets who is neither here nor a reader, unless it is ignored; of too many those who are not here.
  mutating func retain(isHere: (ParticipantID) -> Bool, isReader: (ParticipantID) -> Bool, now: HostTime) {
    // What a reader said can be brought again as long as its key is there.
    states = states.filter { id, sender in isHere(id) || isReader(id) || sender.isIgnored(at: now) }
    guard states.count > Introductions.limit else { return }
    let gone = states.keys.filter { !isHere($0) && !isReader($0) }.sorted()
    for id in gone.prefix(states.count - Introductions.limit) { states[id] = nil }
  }
}
