import UnisonoBase
import UnisonoReplica
import UnisonoWire

/// Events of a client of a hub for its owner, on the loop's thread and never inside a call of the owner.
package struct HubClientEvents {
  /// In the room; also after every reconnection, with a new connection number.
  package var entered: (RoomEntry) -> Void
  /// About to leave this room for one that was seen at another hub, where more of the group are; it may fail.
  package var moves: (_ hub: HubAddress) -> Void
  /// The hub said that it is about to end; the next one is entered beside it, while the link to it lasts.
  package var ending: (_ within: Nanoseconds) -> Void
  /// Others came (a known id with a new number: it came back) or went.
  package var presence: (_ joined: [Member], _ gone: [Departure]) -> Void
  /// An envelope from another member, sealed as it came.
  package var delivered: (_ envelope: [UInt8]) -> Void
  package var probed: (ProbeSample) -> Void
  /// All that was sent has left.
  package var drained: () -> Void
  /// The hub tried whether it reaches this machine, or did not.
  package var triedBack: (TriedBackFrame) -> Void
  /// The hub could not have all that others said: of what these did something may be missing.
  package var missed: ([ParticipantID]) -> Void
  /// Clocks of the other hubs that make one service with this one.
  package var clocks: (ClockReport) -> Void
  /// So many listen to the audience, as its hub says; to a listener in two digits, and without what was left out.
  package var counted: (AudienceCount) -> Void
  /// The link is over, or one could not be made. `retry`: when the next attempt begins, host time; nil: no further one.
  package var lost: (_ end: HubLinkEnd, _ retry: HostTime?) -> Void
  /// A hub of the invite, or one that was in use, is left alone until then, host time.
  package var setAside: (_ hub: HubAddress, _ end: HubLinkEnd, _ until: HostTime) -> Void

  package init(
    entered: @escaping (RoomEntry) -> Void = { _ in },
    moves: @escaping (_ hub: HubAddress) -> Void = { _ in },
    ending: @escaping (_ within: Nanoseconds) -> Void = { _ in },
    presence: @escaping (_ joined: [Member], _ gone: [Departure]) -> Void = { _, _ in },
    delivered: @escaping (_ envelope: [UInt8]) -> Void = { _ in },
    probed: @escaping (ProbeSample) -> Void = { _ in },
    drained: @escaping () -> Void = {},
    triedBack: @escaping (TriedBackFrame) -> Void = { _ in },
    missed: @escaping ([ParticipantID]) -> Void = { _ in },
    clocks: @escaping (ClockReport) -> Void = { _ in },
    counted: @escaping (AudienceCount) -> Void = { _ in },
    lost: @escaping (_ end: HubLinkEnd, _ retry: HostTime?) -> Void = { _, _ in },
    setAside: @escaping (_ hub: HubAddress, _ end: HubLinkEnd, _ until: HostTime) -> Void = { _, _, _ in }
  ) {
    self.entered = entered
    self.moves = moves
    self.ending = ending
    self.presence = presence
    self.delivered = delivered
    self.probed = probed
    self.drained = drained
    self.triedBack = triedBack
    self.missed = missed
    self.clocks = clocks
    self.counted = counted
    self.lost = lost
    self.setAside = setAside
  }
}
