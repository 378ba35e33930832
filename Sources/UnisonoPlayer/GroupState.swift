import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// State of the group as the coordination says, as of its last turn.
struct GroupState: Sendable {
  private(set) var timing = PublishedTiming()
  /// Why this participant is apart, as the coordination says.
  private(set) var suspensionReasons: [String] = []
  private var waitsForStalls = false
  /// What happens at the end of an item.
  private(set) var actionAtEnd: ActionAtEnd = .advance
  /// Nobody else is on the item: nothing goes on without this player.
  private(set) var isAlone = true

  mutating func update(timing: PublishedTiming) { self.timing = timing }
  mutating func update(suspensionReasons: [String]) { self.suspensionReasons = suspensionReasons }
  mutating func update(waitsForStalls: Bool, isAlone: Bool, actionAtEnd: ActionAtEnd) {
    (self.waitsForStalls, self.isAlone, self.actionAtEnd) = (waitsForStalls, isAlone, actionAtEnd)
  }

  /// A stall of this player stops the group: it is told, and takes part in the waiting.
  var waitsForThis: Bool { waitsForStalls && !isAlone }

  /// The group no longer waits for this player, if it ever did.
  var hasGivenUpWaiting: Bool { suspensionReasons.contains(Suspensions.stallRecovery) }

  /// The own player was in a range of its own copy, by what was told last: a command that leads out of it comes before the word that it is
  /// over.
  var isInRange: Bool { suspensionReasons.contains(Suspensions.playingInterstitial) }

  /// How fast the group plays; 0: it does not.
  var rate: Double { timing.status == .playing ? timing.line.rate : 0 }

  /// Where the group is at a host time, the own output offset included; nil: it does not play.
  func position(at host: HostTime) -> ItemTime? {
    guard timing.status == .playing else { return nil }
    let line = if let prior = timing.prior, host < timing.line.since { prior } else { timing.line }
    return line.position(at: host).adding(timing.outputOffset.scaled(by: line.rate))
  }

  /// Where a seek lands: in a range of the own copy that is not the group's, on its beginning.
  func landing(of target: ItemTime) -> ItemTime {
    timing.interstitials.first { $0.start <= target && target < $0.end }?.start ?? target
  }

  /// Where the group is, or stands; nil: it is nowhere.
  func place(at host: HostTime) -> ItemTime? {
    position(at: host) ?? (timing.status == .none ? nil : timing.line.at)
  }
}
