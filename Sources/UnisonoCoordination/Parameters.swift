import UnisonoBase

/// What one participant chooses for itself, within the law (`Law`): docs/spec/coordination.md, section 3.
package enum Parameters {
  /// A host command is due after this at the earliest.
  static let leastDue: Nanoseconds = .seconds(2)
  /// Who comes to the item within this of a command is waited for.
  static let gather: Nanoseconds = .milliseconds(1_500)
  /// Of who has ended within this of the own end it may not be known yet.
  static let endGather: Nanoseconds = .seconds(2)
  /// A start this soon after the own transition waits for others to arrive.
  static let settle: Nanoseconds = .seconds(1)
  /// Each next keeper waits this much longer, at most five times.
  static let takeover: Nanoseconds = .seconds(1)
  static let takeoverSteps = 5
  /// Who sent nothing for this long is not waited for.
  static let silent: Nanoseconds = .seconds(5)
  /// After the own link broke those present before still count for this long.
  static let ownLinkGrace: Nanoseconds = .seconds(3)
  /// A command given alone counts on return if it is younger than this.
  static let keptSoloCommand: Nanoseconds = .seconds(5)
  static let leadMargin: Nanoseconds = .milliseconds(20)
  /// Where a session has an audience: what the hub hands on to thousands has come, and is done, by then.
  static let audienceLead: Nanoseconds = .milliseconds(1_500)
  /// An audience is waited for until so long before a start's deadline.
  static let audienceMargin: Nanoseconds = .seconds(1)
  /// From one exchange to the next for what the hub says was lost.
  static let betweenMissed: Nanoseconds = .seconds(5)
  /// Players get ready ahead once a pause has lasted for this, where no more than so many are on the item.
  static let standBy: Nanoseconds = .milliseconds(500)
  static let mostStandingBy = 16
  /// Assumed of a participant that has not told its own.
  static let unknownHubDelay: Nanoseconds = .milliseconds(50)
  /// A host that still reports motion this long after a pause has missed it.
  static let missedPause: Nanoseconds = .milliseconds(500)
  /// Players prepare for a scheduled start that much before; it is written that much before, or a lead if that is longer; and so long
  /// after it a start is still made.
  static let scheduleOpening: Nanoseconds = .seconds(3)
  static let scheduleDecision: Nanoseconds = .seconds(1)
  static let schedulePatience: Nanoseconds = .seconds(10)
  /// A host that was told to run, does, and then says for this long that it does something else is told again; so often within
  /// this time, then it is apart, for this long at least.
  static let bypass: Nanoseconds = .milliseconds(500)
  static let repetitions = 3
  static let repetitionMemory: Nanoseconds = .seconds(30)
  static let defiance: Nanoseconds = .seconds(5)
  /// A host that says it runs at a rate within this share of what it was told does what it was told: it may be nudged.
  static let sameRate = 0.1
  /// Lines closer than this are the same.
  static let sameLine: Nanoseconds = .milliseconds(2)
  /// Anchors older than this are told anew.
  static let oldAnchor: Nanoseconds = .seconds(2)
  /// A host this close need not seek; a clock that moved farther is worth a new command.
  static let sameFrame: Nanoseconds = .milliseconds(40)
  /// Who stops where it is, as after a pause without snap, stands this far from where the others do at most.
  static let farthestStop: Nanoseconds = .seconds(1)
  /// Who lost the link stays on the list this long.
  static let reconnecting: Nanoseconds = .seconds(30)
  /// Who was apart for longer than this, while others were not, keeps no item's state.
  static let longApart: Nanoseconds = .seconds(300)
  /// Seeks and rate changes of one host go at most this often.
  static let coalescing: Nanoseconds = .milliseconds(100)
  /// Two newer copies of the own register within this mean that two processes share the key.
  static let sharedKey: Nanoseconds = .seconds(10)
  /// Registers of others are exchanged for at most this long before cells are.
  static let meeting: Nanoseconds = .seconds(1)
  /// Whom a session was apart from has said by then which named coordinators it has.
  static let naming: Nanoseconds = .seconds(10)
  /// A joiner is in after this long, whoever answered.
  static let joining: Nanoseconds = .seconds(3)
  static let snapshotAnswer: Nanoseconds = .milliseconds(500)
  /// Each next participant waits this much longer before it maps an unknown hub clock.
  static let clockStep: Nanoseconds = .milliseconds(500)
  /// A statement about a hub's clock that is off by more than this and both bounds is refused by who knows group time; of the bound
  /// that it gives itself no more than `clockDoubt` counts where the own is less.
  static let clockTolerance: Nanoseconds = .milliseconds(1)
  static let clockDoubt: Nanoseconds = .milliseconds(50)
  /// Of hubs that make one service: a clock whose hub was found gone so long ago is followed by another. What is shorter is a cut between
  /// hubs, and the clock is known by memory.
  static let hubGone: Nanoseconds = .seconds(20)
  /// How far two hubs' clocks may drift apart: 100 ppm of each, ns.
  static func hubDrift(over time: Nanoseconds) -> Nanoseconds { max(0, time) / 5_000 }
  /// Another's clock agrees with the own if it is no farther from it than the path may hide, both errors and this.
  static let clockAgreement: Nanoseconds = .milliseconds(2)
  /// How long own heartbeats are remembered, others' are answered, and comparisons of clocks count.
  static let echoMemory: Nanoseconds = .seconds(60)
  /// What a clock that is not set, but drifts, may be wrong by of the time that goes by.
  static let comparableRate = 0.05
  /// As far as such a clock may be carried off from one heartbeat to the next: that much of two seconds.
  static let comparableDrift: Nanoseconds = .milliseconds(100)
  /// Whom a participant read within this it hears, and so says its heartbeat; as long what others' heartbeats say of that counts.
  static let heardLately: Nanoseconds = .seconds(15)
  /// A heartbeat that seems to have been on its way for longer was sent by another clock.
  static let longestWay: Nanoseconds = .seconds(60)
  /// Who is heard by others and not here, or the other way round, for this long, and the longest that a heartbeat takes to come, is told.
  static let unheard: Nanoseconds = .seconds(15)
  /// Of so many of each kind at once the host is told by name.
  static let splitsTold = 32
  /// The own clock is not in doubt any more once it was contradicted by nobody for this long.
  static let clockCalm: Nanoseconds = .seconds(30)
  /// Who states a greater error of its clock is not compared with.
  static let comparableError: Nanoseconds = .seconds(1)
  /// Without anybody who knows group time it continues from the largest stamp after this long.
  static let clockLost: Nanoseconds = .seconds(5)
  /// Where nobody mapped the hub's clock for this long, who does not know group time takes what heartbeats say.
  static let clockUnmapped: Nanoseconds = .seconds(10)
  /// A running group is not held for a stall in a line younger than this, or for one farther from it than the second.
  static let youngLine: Nanoseconds = .milliseconds(300)
  static let stallReach: Nanoseconds = .seconds(10)
  /// So many holds for one participant within this time; after that the group goes on without it.
  static let holds = 2
  static let holdMemory: Nanoseconds = .seconds(60)
  static let leastHeartbeat: Nanoseconds = .seconds(2)
  static let greatestHeartbeat: Nanoseconds = .seconds(10)
  /// Interval between two heartbeats in a session of `count`, without its jitter.
  package static func heartbeat(of count: Int) -> Nanoseconds {
    min(max(leastHeartbeat, leastHeartbeat.scaled(by: Double(count) / 8)), greatestHeartbeat)
  }
  /// Skips of one person within this are one to the others.
  static let oneSkip: Nanoseconds = .milliseconds(500)
  /// What was done longer ago is no news.
  static let staleNews: Nanoseconds = .seconds(5)
  /// Positions of reports are published at most this often.
  static let reportInterval: Nanoseconds = .seconds(1)
}
