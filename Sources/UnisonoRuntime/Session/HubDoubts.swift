import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// A hub is in doubt or was set aside, or is not in doubt any more.
package struct HubDoubtNews: Equatable, Sendable {
  /// Numbers of `unisono_hub_doubt_reason`.
  package enum Reason: Int32, Sendable {
    /// It tells this participant, or two others, another time than the rest.
    case clock = 1
    /// It keeps participants from hearing each other.
    case split = 2
    /// Another one answers at its address, or it cannot prove that it is the one that was meant.
    case identity = 3
    /// It does not let in who was in the session already.
    case refusal = 4
    /// It said again and again that a newer connection took this one's place.
    case replacement = 5
  }

  /// "host:port".
  package var hub: String
  package var reason: Reason
  package var isOver: Bool
  /// Host time until which it is left alone; nil: it may be turned to, after all others.
  package var until: HostTime?

  package init(hub: String, reason: Reason, isOver: Bool, until: HostTime? = nil) {
    self.hub = hub
    self.reason = reason
    self.isOver = isOver
    self.until = until
  }

  /// A hub was set aside until then, host time, as a link to it ended like this; nil: that is no reason to doubt it.
  init?(_ hub: HubAddress, after end: HubLinkEnd, until: HostTime) {
    let reason: Reason
    switch end {
    case .wrongHub: reason = .identity
    case _ where end.isRefusalToAdmit: reason = .refusal
    case _ where end.isReplaced: reason = .replacement
    default: return nil
    }
    self.init(hub: hub.address, reason: reason, isOver: false, until: until)
  }

  /// One sentence for people.
  package var sentence: String {
    if isOver { return "the hub \(hub) is not in doubt any more" }
    return switch reason {
    case .clock: "the hub \(hub) does not tell everybody the same time: it is the last choice from now on"
    case .split: "the hub \(hub) keeps participants apart: it is the last choice from now on"
    case .identity: "what answers at \(hub) did not prove to be the hub that was meant: it is left alone for a while"
    case .refusal: "the hub \(hub) does not let this participant in again: it is left alone for a while"
    case .replacement: "the hub \(hub) ended the link several times for no reason: it is left alone for a while"
    }
  }
}

/// Which hubs do not do as they should, by what was found at them: they are the last choice at the next change of hubs (DS57).
///
/// What one other participant says is no evidence against a hub, as it may be the one that lies: what this one measures itself
/// is, and what two others show.
struct HubDoubts: Sendable {
  /// A hub stays in doubt for so long after nothing is found any more.
  static let memory = Nanoseconds.seconds(600)
  /// Hubs that are remembered; of more the first one is let go.
  static let most = 32

  private struct Doubt: Sendable {
    var address: String
    /// What it was told of for, first.
    var reason: HubDoubtNews.Reason
    /// nil: it is found so still.
    var until: HostTime?
    var order: UInt64
  }

  private let local: ParticipantID
  /// Hub in use, or the last one; nil: that of this process, which is beyond doubt, or none yet.
  private var hub: (id: [UInt8], address: String)?
  /// Whose clocks are in doubt, and who does not hear whom, since this hub was entered.
  private var clocks: Set<ParticipantID> = []
  private var unheard: Set<ParticipantID> = []
  private var deaf: Set<ParticipantID> = []
  private var doubts: [[UInt8]: Doubt] = [:]
  private var orders: UInt64 = 0

  init(local: ParticipantID) { self.local = local }

  /// The hubs in doubt: where each was reached, by its id.
  var doubted: [[UInt8]: String] { doubts.mapValues { $0.address } }

  /// Host time at which a doubt is over.
  var nextWake: HostTime? { doubts.values.lazy.compactMap { $0.until }.min() }

  /// In a room at this hub. What was found at another one says nothing of it.
  mutating func entered(_ id: [UInt8], address: String, isOwn: Bool, now: HostTime) {
    guard isOwn ? hub != nil : hub?.id != id else { return }
    (clocks, unheard, deaf) = ([], [], [])
    _ = review(now: now)
    hub = isOwn ? nil : (id, address)
  }

  mutating func record(_ change: ClockDoubtChange, now: HostTime) -> [HubDoubtNews] {
    if change.isOver { clocks.remove(change.participant) } else { clocks.insert(change.participant) }
    return review(now: now)
  }

  mutating func record(_ change: SplitChange, now: HostTime) -> [HubDoubtNews] {
    switch (change.kind, change.isOver) {
    case (.unheard, false): unheard.insert(change.participant)
    case (.unheard, true): unheard.remove(change.participant)
    case (.deaf, false): deaf.insert(change.participant)
    case (.deaf, true): deaf.remove(change.participant)
    // Keys are no hub's doing.
    case (.unreadable, _): break
    }
    return review(now: now)
  }

  /// What is over by now.
  mutating func tick(now: HostTime) -> [HubDoubtNews] {
    let over = doubts.filter { $0.value.until.map { $0 <= now } ?? false }.sorted { $0.value.order < $1.value.order }
    return over.map { id, doubt in
      doubts[id] = nil
      return HubDoubtNews(hub: doubt.address, reason: doubt.reason, isOver: true)
    }
  }

  /// What is found at the hub in use; nil: nothing.
  private var finding: HubDoubtNews.Reason? {
    // A clock that one other participant says may be its own lie, and so may whom it hears.
    if clocks.contains(local) || clocks.count > 1 { return .clock }
    return !unheard.isEmpty || deaf.count > 1 ? .split : nil
  }

  private mutating func review(now: HostTime) -> [HubDoubtNews] {
    guard let hub else { return [] }
    guard let finding else {
      if doubts[hub.id] != nil, doubts[hub.id]?.until == nil { doubts[hub.id]?.until = now.adding(Self.memory) }
      return []
    }
    if doubts[hub.id] != nil {
      doubts[hub.id]?.until = nil
      return []
    }
    var news: [HubDoubtNews] = []
    if doubts.count >= Self.most, let first = doubts.min(by: { $0.value.order < $1.value.order }) {
      doubts[first.key] = nil
      news.append(HubDoubtNews(hub: first.value.address, reason: first.value.reason, isOver: true))
    }
    orders += 1
    doubts[hub.id] = Doubt(address: hub.address, reason: finding, until: nil, order: orders)
    return news + [HubDoubtNews(hub: hub.address, reason: finding, isOver: false)]
  }
}
