import UnisonoBase
import UnisonoReplica

/// The border between the group's item time and that of the own copy, which may be another cut (coordination 2.18), and may have ranges of
/// its own (2.21).
///
/// Behind it everything is the group's item time; before it, to and from the own host, everything is the own copy's. They differ by the
/// offset that this participant has stated for the entry that the group is at, while its own item is that entry's, and by the lengths of
/// the ranges that lie before.
struct CutBorder: Sendable {
  /// What the host was told by last.
  private var offset: Nanoseconds = 0
  private var item: ItemID?
  private var interstitials = Interstitials()
  /// What the host said last that its player can reach, in the own copy; nil: nothing of this item.
  private var reported: ClosedRange<ItemTime>?
  /// Its own player was within a range when it came to the item, or when its ranges changed, and was told nothing since.
  private(set) var isProposedWithin = false

  /// The beginning of the own copy is not that of the group's item.
  var isAnotherCut: Bool { offset != 0 }
  /// Both times are the same.
  var isNone: Bool { offset == 0 && interstitials.isEmpty }

  /// What the host says, in the group's item time. Its next item has another offset from the moment on that it goes there.
  mutating func inward(_ event: CoordinationEvent, _ facts: borrowing Facts) -> CoordinationEvent {
    if case .transition(let next, let proposal) = event {
      item = next
      offset = facts.cutOffset(of: next)
      interstitials.enter(next)
      reported = nil
      if let proposal { _ = interstitials.aim(at: proposal.itemTime) }
      isProposedWithin = proposal.map { outward(inward($0.itemTime)) != $0.itemTime } ?? false
    }
    if case .report(let report) = event, let range = report.range { reported = range }
    guard !isNone else { return event }
    switch event {
    case .transition(let item, let proposal):
      guard var proposal else { return event }
      proposal.itemTime = inward(proposal.itemTime)
      return .transition(to: item, proposal: proposal)
    case .rateChange(let rate, let immediately, let from):
      return .rateChange(rate: rate, immediately: immediately, from: from.map { inward($0) })
    case .seek(let target, let immediately): return .seek(to: inward(target), resumeImmediately: immediately)
    case .endSuspension(let id, let proposing): return .endSuspension(id: id, proposing: proposing.map { inward($0) })
    case .report(var report):
      if interstitials.running != nil {
        interstitials.report(report, now: facts.now)
        // For the group it stands where it came into the range.
        report.rate = 0
        report.stalled = false
      }
      if let position = report.position {
        report.position = PlaybackReport.Position(itemTime: inward(position.itemTime), hostTime: position.hostTime)
      }
      if report.range != nil { report.range = reach }
      return .report(report)
    default: return event
    }
  }

  /// Takes up what was stated meanwhile. By how much later in the group's item time everything in the own copy is from now on, ns; 0: it
  /// is the same cut. Else the host is to stand elsewhere in its copy, and is told anew.
  mutating func follow(_ facts: borrowing Facts) -> Nanoseconds {
    let present = facts.cutOffset(of: facts.own.item)
    defer { (item, offset) = (facts.own.item, present) }
    return item == facts.own.item ? offset.subtracting(present) : 0
  }

  /// What the host is told, in the item time of its own copy.
  func outward(_ effects: [CoordinationEffect], _ facts: borrowing Facts) -> [CoordinationEffect] {
    guard !isNone else { return effects }
    let (outputOffset, now) = (facts.settings.outputOffset, facts.now)
    return effects.map { effect in
      switch effect {
      case .playback(.command(var command)):
        command.itemTime = outward(command, outputOffset: outputOffset, now: now).at
        return .playback(.command(command))
      case .playback(.timingChanged(var change)):
        if change.item == item {
          let line = Line(at: change.itemTime, rate: change.hostTime == nil ? 0 : change.rate, since: change.hostTime ?? now)
          change.itemTime = outward(line, now: now).at
        }
        return .playback(.timingChanged(change))
      case .session(.participantsChanged(var change)):
        change.joined = outward(change.joined)
        change.updated = outward(change.updated)
        return .session(.participantsChanged(change))
      case .session(.notice(var notice, let originator)):
        notice.itemTime = notice.itemTime.map { outward($0) }
        return .session(.notice(notice, originator: originator))
      default: return effect
      }
    }
  }

  func outward(_ view: CoordinationView, now: HostTime) -> CoordinationView {
    guard !isNone else { return view }
    var view = view
    view.timing.interstitials = interstitials.ranges
    view.timing.line = outward(view.timing.line, now: now)
    view.timing.prior = view.timing.prior.map { outward($0, now: now) }
    view.timing.reach = view.timing.reach.map { outward($0.lowerBound)...outward($0.upperBound) }
    return view
  }

  /// In the own copy; ends of the range stay what they are, as they say that there is no end, or no time.
  func outward(_ time: ItemTime) -> ItemTime { time == .min || time == .max ? time : interstitials.own(of: time.adding(offset)) }

  /// In the group's item time.
  func inward(_ time: ItemTime) -> ItemTime {
    time == .min || time == .max ? time : interstitials.content(of: time).subtracting(offset)
  }

  /// A line as it is in the own copy now, or where it begins: behind a range it has another beginning than before it.
  private func outward(_ line: Line, now: HostTime) -> Line {
    let here = line.rate == 0 ? line.at : line.position(at: max(now, line.since))
    return Line(at: line.at.adding(outward(here).subtracting(here)), rate: line.rate, since: line.since)
  }

  /// Where a command leads, in the own copy: what the own output is late is late there. In a range only the own host commands.
  private func outward(_ command: PlaybackCommand, outputOffset: Nanoseconds, now: HostTime) -> Line {
    if let running { return Line(at: running.line.at, rate: command.rate, since: command.hostTime ?? now) }
    let (line, lead) = way(of: command, outputOffset: outputOffset, now: now)
    var own = outward(line, now: now)
    own.at = own.at.adding(lead)
    return own
  }

  /// The line of a command without what the own output is late, and that.
  private func way(of command: PlaybackCommand, outputOffset: Nanoseconds, now: HostTime) -> (line: Line, lead: Nanoseconds) {
    let lead = outputOffset.scaled(by: command.rate != 0 ? command.rate : command.anticipatedRate)
    return (Line(at: command.itemTime.subtracting(lead), rate: command.rate, since: command.hostTime ?? now), lead)
  }

  /// What the own player can reach, as its host said last, in the group's item time; nil: it said nothing.
  var reach: ClosedRange<ItemTime>? { reported.map { inward($0.lowerBound)...inward($0.upperBound) } }

  // MARK: Ranges of the own copy (coordination 2.21)

  /// The range that the own player is in; nil: none.
  var running: Interstitials.Running? { interstitials.running }

  /// Where in the group's item time it was cut in.
  func place(of running: Interstitials.Running) -> ItemTime { running.place.subtracting(offset) }

  /// There are none in the own copy of the present item.
  var hasNoRanges: Bool { interstitials.isEmpty }

  /// Takes up the ranges of an item that is not the present one.
  mutating func give(_ ranges: [InterstitialRange], of item: ItemID) { interstitials.give(ranges, of: item) }

  /// Takes up those of the present item. By how much later in the group's item time the own player is from now on, ns, which is on `line`.
  mutating func change(to ranges: [InterstitialRange], of item: ItemID, line: Line, now: HostTime) -> Nanoseconds {
    let here = line.position(at: max(now, line.since))
    let own = outward(here)
    interstitials.give(ranges, of: item)
    let there = inward(own)
    interstitials.follow(from: there.adding(offset), rate: line.rate)
    isProposedWithin = outward(there) != own
    return there.subtracting(here)
  }

  /// The person wants to be at this place of the own copy; true: what the group calls the same is another one from now on.
  mutating func aim(at own: ItemTime) -> Bool { interstitials.aim(at: own) }

  /// The own host is told this.
  mutating func follow(_ command: PlaybackCommand, _ facts: borrowing Facts) {
    isProposedWithin = false
    guard interstitials.running == nil else { return }
    let (line, _) = way(of: command, outputOffset: facts.settings.outputOffset, now: facts.now)
    let here = line.rate == 0 ? line.at : line.position(at: max(facts.now, line.since))
    let isPlaced = command.kind != .pause || command.snap
    if isPlaced || command.rate != 0 { interstitials.follow(from: here.adding(offset), rate: line.rate) }
  }

  /// The own player runs on this line by itself.
  mutating func run(on line: Line, now: HostTime) {
    interstitials.follow(from: line.position(at: max(now, line.since)).adding(offset), rate: line.rate)
  }

  /// Whether the own player, which runs on this line, comes into a range or is through one.
  mutating func review(_ line: Line?, _ facts: borrowing Facts) -> Interstitials.Step {
    guard !interstitials.isEmpty else { return .nothing }
    let lead = facts.settings.outputOffset.scaled(by: line?.rate ?? 0)
    return interstitials.review(content(line), lead: lead, now: facts.now)
  }

  /// Host time at which there is something to review: the own player's line, and the group's, which is shown.
  func wake(_ line: Line?, group: Line, now: HostTime) -> HostTime? {
    let passage = content(group).flatMap { interstitials.passage(of: $0, now: max(now, $0.since)) }
    return [interstitials.wake(content(line)), passage].compactMap { $0 }.min()
  }

  /// Whether the own player has come into a range by now, if it went on as it was proposed.
  func hasComeIntoRange(_ proposal: Proposal, now: HostTime) -> Bool {
    interstitials.hasComeIntoRange(
      Line(at: proposal.itemTime.adding(offset), rate: proposal.rate, since: proposal.hostTime ?? now), now: now)
  }

  /// A line of the own player that has not come to the range ahead of it yet, whatever the time: it waits there.
  func hold(_ line: Line, now: HostTime) -> Line {
    guard let place = interstitials.placeAhead(of: line.rate)?.subtracting(offset), line.position(at: now) > place else { return line }
    return Line(at: place, rate: line.rate, since: now)
  }

  private func content(_ line: Line?) -> Line? { line.map { Line(at: $0.at.adding(offset), rate: $0.rate, since: $0.since) } }

  /// The range that the own player is in is over for it.
  mutating func endRange() { interstitials.end() }

  /// What the own host does while its player is in a range; false: it is not about that.
  mutating func keepInRange(_ event: CoordinationEvent, _ facts: borrowing Facts) -> Bool {
    switch event {
    case .rateChange(let rate, _, _): interstitials.setRate(rate, now: facts.now)
    case .seek(let target, _) where interstitials.isWithin(target): interstitials.restart(now: facts.now)
    default: return false
    }
    return true
  }

  /// What the own host asked of itself in a range; nil: nothing.
  mutating func ownCommand(on item: ItemID) -> PlaybackCommand? {
    running.flatMap { interstitials.command(on: item, at: place(of: $0)) }
  }

  private func outward(_ participants: [ParticipantView]) -> [ParticipantView] {
    participants.map { participant in
      guard let position = participant.position else { return participant }
      var participant = participant
      participant.position = PlaybackReport.Position(
        itemTime: outward(position.itemTime, in: participant.item), hostTime: position.hostTime)
      return participant
    }
  }

  /// Of an item that another one may be on, too.
  func outward(_ time: ItemTime, in item: ItemID?) -> ItemTime { item == self.item ? outward(time) : time }
}

extension Facts {
  /// What this participant has stated of the entry that the group is at, while that is of this item; 0: nothing.
  func cutOffset(of item: ItemID?) -> Nanoseconds { item == nil ? 0 : cutOffset(of: own, at: item) }

  /// The same of anybody.
  func cutOffset(of participant: ParticipantValue, at item: ItemID?) -> Nanoseconds {
    guard !participant.cuts.isEmpty, let entry = registers.playlistCurrent?.value.entry,
      let stated = participant.cuts.first(where: { $0.entry == entry }),
      case .playlistEntry(let value)? = registers[.playlistEntry(entry)]?.value, value.item == item
    else { return 0 }
    return stated.offset
  }
}
