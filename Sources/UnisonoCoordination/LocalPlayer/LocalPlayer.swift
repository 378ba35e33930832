import UnisonoBase
import UnisonoReplica

/// The own host's player: what it was last commanded, where it is believed to be, and the next command (coordination 2.8).
///
/// At most one command a turn, after everything was merged (H25). Nobody is sent past what its player can reach: the end of its
/// cut, or the edge of a live item (F13, 2.5). Where its copy has not begun yet it stands at its beginning until the group is there
/// (2.18). The group's own positions stay as they are: for live items they are dates of the content, the same for everybody.
struct LocalPlayer: Sendable {
  enum LastCommand: Equatable, Sendable {
    case nothing
    case paused(at: ItemTime)
    case preparing(Preparing)
    case waiting(Waiting)
    /// In group time.
    case playing(Line)
  }

  /// The group plays where the own copy has not begun yet: ready to play at this rate from its beginning on.
  struct Waiting: Equatable, Sendable {
    var at: ItemTime
    var rate: Double
  }

  /// A start to get ready for, and where: a hold may move while everybody prepares.
  struct Preparing: Equatable, Sendable {
    var readiness: ParticipantValue.Readiness
    var at: ItemTime
  }

  /// A command that was not completed yet; only the newest can be.
  struct Outstanding: Sendable {
    var id: UInt64
    var kind: PlaybackCommand.Kind
    var item: ItemID
    /// It sends the player to another position, or it was on its way to one.
    var moves: Bool
    /// What its completion makes us ready for.
    var preparing: Preparing?
    /// Host time by which it must be completed; nil: it is `due`, the host was seen to do it, or it is suspended.
    var answerBy: HostTime?
    /// Group time by which the host must be prepared.
    var due: GroupTime?
    var overdue = false
  }

  /// What a completion brings about.
  enum Completion {
    case nothing
    /// It was given up as overdue, and is back.
    case recovered
    /// Ready for this start, if it takes part.
    case ready(ParticipantValue.Readiness)
  }

  private(set) var lastCommand = LastCommand.nothing
  /// Where a host that does not move stands; nil: unknown or moving.
  private(set) var restingPosition: ItemTime?
  private(set) var outstanding: Outstanding?
  /// The jump, or other command of a position, by which it was looked at last where it is to be; nil: not on this item.
  private var jump: CellKey?
  /// Host time since which the host has answered nothing that it was told, neither by completing it nor by doing it; nil: it
  /// has. A newer command does not excuse it.
  private var unanswered: HostTime?
  /// Where its player says to stall since when, however short; the own register has it once it lasts.
  private(set) var stall: ParticipantValue.Moment?
  private var reach = OwnReach()
  /// Group time from which on it is on the line that it was told last, as its copy begins there; nil: from the line's beginning.
  private var enters: GroupTime?
  /// Whether it goes on doing what it was told.
  private var motion = BypassWatch()
  /// How far ahead of what was to be asked the newest command leads, as that was out of reach; 0: it was not.
  private var shift: Nanoseconds = 0
  /// Host time of the newest command.
  private(set) var commanded: HostTime = .min
  /// Ids from `firstCommand` up to here, without this one, were issued.
  private(set) var nextCommand: UInt64
  let firstCommand: UInt64
  /// It got ready where the group pauses, and was told nothing since.
  private var isReadyAhead = false
  /// Why it is commanded next, where that is not a new cell: it returns, or asked to be told again.
  private var nextCause: Cause?
  private(set) var statistics = CoordinationStatistics()

  init(firstCommand: UInt64) {
    self.firstCommand = firstCommand
    nextCommand = firstCommand
  }

  // MARK: What it was commanded counts no more

  private mutating func forgetLastCommand() {
    lastCommand = .nothing
    isReadyAhead = false
    outstanding = nil
    unanswered = nil
    enters = nil
    shift = 0
    motion.begin()
  }

  /// The host changes its item, and says what it does there; nil: it stands at the beginning of its copy.
  mutating func beginItem(_ proposal: Proposal?, beginning: ItemTime) {
    forgetLastCommand()
    restingPosition = proposal.map { $0.rate == 0 ? $0.itemTime : nil } ?? beginning
    jump = nil
    nextCause = .item
    stall = nil
    reach = OwnReach(beginning: beginning)
  }

  /// It is commanded anew, for this reason, whatever it was commanded before. One that is on its way somewhere stands nowhere.
  mutating func commandAnew(_ cause: Cause) {
    if isOnItsWay { restingPosition = nil }
    forgetLastCommand()
    expectCommand(cause)
  }

  /// Who asked to be told again is told for that reason, whatever else comes before it can be done.
  private mutating func expectCommand(_ cause: Cause) { if nextCause != .reapply { nextCause = cause } }

  /// It takes part again, and is commanded anew. One that was overdue has little time to answer: it is commanded as often as
  /// others do something, and would be shown as taking part all the while.
  mutating func rejoin(now: HostTime) {
    let wasOverdue = outstanding?.overdue ?? false
    commandAnew(.rejoin)
    nextCause = .rejoin
    if wasOverdue { unanswered = now.subtracting(Law.waitLimit) }
  }

  /// It is commanded once more, for this reason; what it owes an answer for it still owes.
  mutating func repeatCommand(_ cause: Cause) {
    lastCommand = .nothing
    expectCommand(cause)
  }

  /// Its copy is another cut from now on: what it can reach is that much later in the group's item time.
  mutating func shiftReach(by shift: Nanoseconds) { if shift != 0 { reach.shift(by: shift) } }

  /// Where it stands and stalls is that much later in the group's item time from now on, whatever it can reach.
  mutating func move(by shift: Nanoseconds) {
    restingPosition = restingPosition.map { $0.adding(shift) }
    if let stall { self.stall?.at = stall.at.adding(shift) }
  }

  /// It is not about to be moved: it stands here, or moves (nil).
  mutating func rest(at position: ItemTime?) { restingPosition = position }

  /// It keeps doing what it brought to the item, which became the group's state; one that asked to be told again still is.
  mutating func settle(on state: EffectiveState) {
    guard nextCause != .reapply else { return keepUncommanded(for: .reapply) }
    switch state {
    case .playing(let playing):
      lastCommand = .playing(playing.line)
      restingPosition = nil
      enters = nil
    case .paused(let at):
      lastCommand = .paused(at: at)
      restingPosition = at
    default:
      break
    }
    nextCause = nil
  }

  /// As `settle(on:)`, but it was about to be commanded, and is not there yet: it is commanded as before.
  mutating func keepUncommanded(for cause: Cause?) {
    forgetLastCommand()
    nextCause = cause
  }

  /// Why it is commanded next.
  var pendingCause: Cause? { nextCause }

  /// It begins later than it was commanded, and the line was moved to that.
  mutating func follow(_ line: Line) {
    if case .playing(let last) = lastCommand { enters = enters?.adding(line.since.subtracting(last.since)) }
    lastCommand = .playing(line)
  }

  /// The person suspended it: the newest command need not be completed.
  mutating func excuse() {
    outstanding?.due = nil
    outstanding?.answerBy = nil
  }

  /// What was overdue begins now.
  mutating func recover() {
    outstanding?.overdue = false
    outstanding?.answerBy = nil
    unanswered = nil
  }

  /// Host time by which a command that is issued now has to be completed: later than the one before where it can only be
  /// done later, or comes when time is nearly up.
  private mutating func answerBy(instant: HostTime?, now: HostTime) -> HostTime {
    // What was to be prepared may have had longer than that.
    let least = now.subtracting(Law.waitLimit)
    var since = unanswered ?? now
    if since < least.subtracting(Parameters.leastDue) { since = least }
    unanswered = since
    let limit = since.adding(Law.waitLimit)
    let begins = max(instant ?? now, now)
    return max(limit, begins, min(begins, limit).adding(Parameters.leastDue))
  }

  // MARK: Commands

  /// What the host of one who takes part is commanded, if that is not what it was commanded last.
  mutating func command(_ facts: borrowing Facts, cause: StateCause) -> [Intent] {
    guard let item = facts.own.item, facts.session.phase != .joining, let cells = facts.registers.cells(of: item) else {
      return []
    }
    defer { jump = cells.pair.position.command }
    switch EffectiveState(cells) {
    case .none: return []
    case .paused(let at): return commandPaused(at: at, cells, on: item, facts, cause)
    case .preparing(let preparation): return commandPreparing(preparation, on: item, facts, cause)
    case .playing(let playing): return commandPlaying(playing, cells, on: item, facts, cause)
    }
  }

  private mutating func commandPaused(
    at: ItemTime, _ cells: Cells, on item: ItemID, _ facts: borrowing Facts, _ cause: StateCause
  ) -> [Intent] {
    if case .paused(let last) = lastCommand {
      guard last.subtracting(at).absolute > Parameters.sameLine || isBeside(at, cells, facts) else { return [] }
      // One that may have missed the pause would run on from there.
      let kind: PlaybackCommand.Kind = mayHaveMissedPause ? .pause : .seek
      let intents = issue(
        PlaybackCommand(kind: kind, id: 0, originator: .none, item: item, itemTime: at, snap: kind == .pause, cause: .unknown), facts, cause)
      restingPosition = reach.nearest(to: at)
      lastCommand = .paused(at: at)
      return intents
    }
    let stop = ownStop(whenCommanded: cells.pair.rate.stamp.time)
    let here = ownStop(whenCommanded: facts.groupNow)
    let place = reach.nearest(to: at)
    // One that is still on its way to where it was last sent would stop somewhere; who hears of it late is as far away as it played on.
    let isElsewhere =
      isOnItsWay || (stop.map { $0.subtracting(place).absolute > Parameters.sameFrame } ?? true)
      || (here.map { $0.subtracting(place).absolute > Parameters.farthestStop } ?? false)
    // Each ends by itself, wherever its end is.
    let hasEnded = cells.hasEnded && facts.own.ended != nil
    let snap = !hasEnded && (cells.rate.snap || !cells.rateKnowsPosition || isElsewhere)
    let intents = issue(
      PlaybackCommand(kind: .pause, id: 0, originator: .none, item: item, itemTime: at, snap: snap, cause: .unknown),
      facts, cause)
    restingPosition = snap ? place : hasEnded ? facts.own.ended?.at : here
    lastCommand = .paused(at: at)
    return intents
  }

  /// It stands where the group pauses, to a frame, has done all that it was told, and does not stall.
  func rests(at: ItemTime) -> Bool {
    guard lastCommand == .paused(at: at), outstanding == nil, stall == nil, let restingPosition else { return false }
    return restingPosition.subtracting(reach.nearest(to: at)).absolute <= Parameters.sameFrame
  }

  /// It is ready to start where the group pauses.
  func standsReady(at: ItemTime) -> Bool { isReadyAhead && rests(at: at) }

  /// It gets ready where the group pauses, for a start that nobody has asked for yet. It may take its time: nobody waits.
  mutating func prepareAhead(_ preparing: Preparing, on item: ItemID, _ facts: borrowing Facts) -> [Intent] {
    let answersSince = unanswered
    let intents = issue(
      PlaybackCommand(
        kind: .buffer, id: 0, originator: .none, item: item, itemTime: preparing.at, anticipatedRate: 1, cause: .unknown),
      facts, nil)
    outstanding?.preparing = preparing
    unanswered = answersSince
    return intents
  }

  /// Whether it stands, as after a pause that let it stop where it was, beside a place that somebody has jumped to since.
  private func isBeside(_ at: ItemTime, _ cells: Cells, _ facts: borrowing Facts) -> Bool {
    guard let jump, jump != cells.pair.position.command, !cells.rateKnowsPosition, !(cells.hasEnded && facts.own.ended != nil) else {
      return false
    }
    return restingPosition.map { $0 != reach.nearest(to: at) } ?? false
  }

  /// Where the host stands if it stops at a group time; nil: unknown.
  private func ownStop(whenCommanded time: GroupTime) -> ItemTime? {
    switch lastCommand {
    case .nothing: nil
    case .paused, .preparing, .waiting: restingPosition
    case .playing(let line): reached(line).position(at: max(time, begin(of: line)))
    }
  }

  /// Where it is on a line that it was told last, which may have been out of reach.
  func reached(_ line: Line) -> Line { Line(at: line.at.adding(shift), rate: line.rate, since: line.since) }

  /// Group time at which it is to begin on a line that it was told.
  private func begin(of line: Line) -> GroupTime { max(line.since, enters ?? line.since) }

  private mutating func commandPreparing(
    _ preparation: EffectiveState.Preparation, on item: ItemID, _ facts: borrowing Facts, _ cause: StateCause
  ) -> [Intent] {
    let preparing = Preparing(readiness: preparation.readiness, at: preparation.at)
    guard lastCommand != .preparing(preparing) else { return [] }
    var isMoving = false
    if case .playing = lastCommand { isMoving = true }
    // A player that is still on its way to where it was last sent would stop somewhere.
    if isOnItsWay { isMoving = true }
    let isThere =
      !isMoving
      && (restingPosition.map { $0.subtracting(reach.nearest(to: preparation.at)).absolute <= Parameters.sameFrame } ?? false)
    let intents = issue(
      PlaybackCommand(
        kind: isThere ? .buffer : .seek, id: 0, originator: .none, item: item, itemTime: preparation.at,
        dueHostTime: facts.clock.host(at: preparation.deadline), anticipatedRate: preparation.rate,
        buffersInAnticipation: !isThere, cause: .unknown),
      facts, cause)
    // Who comes when waiting is over still gets a moment.
    let due = max(preparation.deadline, facts.groupNow.adding(Parameters.leastDue))
    outstanding?.preparing = preparing
    outstanding?.due = due
    outstanding?.answerBy = nil
    lastCommand = .preparing(preparing)
    restingPosition = reach.nearest(to: preparation.at)
    // Readiness for another position does not count.
    return intents + [.voidReadiness]
  }

  private mutating func commandPlaying(
    _ playing: EffectiveState.Playing, _ cells: Cells, on item: ItemID, _ facts: borrowing Facts, _ cause: StateCause
  ) -> [Intent] {
    let line = playing.line
    let entrance = reach.entrance(to: line, facts)
    if let entrance, !mayEnter(line, at: entrance, facts) {
      return commandWaiting(for: playing, at: entrance, on: item, facts, cause)
    }
    guard !isOn(line, facts) else { return [] }
    if isPrepared {
      statistics.starts &+= 1
      // The own start of this moment was written a little before it is commanded.
      if line.since < facts.groupNow.subtracting(Parameters.sameLine) { statistics.startsLate &+= 1 }
      statistics.lastStartWait = line.since.subtracting(cells.commanded)
    }
    let anchor = facts.currentAnchor(of: entrance.map { Line(at: $0.at, rate: line.rate, since: $0.since) } ?? line)
    var command = PlaybackCommand(
      kind: .play, id: 0, originator: .none, item: item, rate: line.rate, itemTime: anchor.at,
      hostTime: facts.anchorTime(of: anchor), cause: .unknown)
    // Alone nothing waits, and nothing is missed: the line of one alone begins when its host does.
    command.mayBeginLater =
      facts.ownStart(cells, on: item).map { facts.groupNow.subtracting($0.since) <= Law.greatestLead } ?? false
    let jumps = isAway(from: line, at: facts.groupNow)
    let intents = issue(command, facts, cause)
    if jumps { outstanding?.moves = true }
    lastCommand = .playing(line)
    restingPosition = nil
    enters = entrance?.since
    return intents
  }

  /// What it is told next begins a start that it was told to get ready for.
  private var isPrepared: Bool { if case .preparing = lastCommand { true } else { isReadyAhead } }

  /// Whether it was told this line.
  private func isOn(_ line: Line, _ facts: borrowing Facts) -> Bool {
    guard case .playing(let last) = lastCommand, last.rate == line.rate else { return false }
    let instant = max(facts.groupNow, line.since)
    return last.position(at: instant).subtracting(line.position(at: instant)).absolute <= Parameters.sameLine
  }

  // MARK: Where its copy has not begun yet (coordination 2.18)

  /// Whether it is told the line by now: it stands, is ready if it was told to be, and the line comes by soon; or it was told before.
  private func mayEnter(_ line: Line, at entrance: OwnReach.Entrance, _ facts: borrowing Facts) -> Bool {
    let isSoon = facts.groupNow >= entrance.since.subtracting(Law.greatestLead)
    switch lastCommand {
    case .playing: return enters != nil && isOn(line, facts)
    case .waiting(let waiting): return isSoon && outstanding == nil && waiting == Waiting(at: entrance.at, rate: line.rate)
    case .nothing, .paused, .preparing: return isSoon && restingPosition != nil
    }
  }

  /// It is to stand where its copy begins, ready to play from there on.
  private mutating func commandWaiting(
    for playing: EffectiveState.Playing, at entrance: OwnReach.Entrance, on item: ItemID, _ facts: borrowing Facts, _ cause: StateCause
  ) -> [Intent] {
    let waiting = Waiting(at: entrance.at, rate: playing.line.rate)
    guard lastCommand != .waiting(waiting) else { return [] }
    let isThere =
      !isOnItsWay
      && (restingPosition.map { $0.subtracting(entrance.edge).absolute <= Parameters.sameFrame } ?? false)
    defer {
      lastCommand = .waiting(waiting)
      restingPosition = entrance.edge
    }
    // Who is ready there for this very start is told nothing new.
    if isThere, outstanding == nil, case .preparing(let preparing) = lastCommand,
      preparing.readiness.base == playing.pair.commands
    {
      return []
    }
    let intents = issue(
      PlaybackCommand(
        kind: isThere ? .buffer : .seek, id: 0, originator: .none, item: item, itemTime: entrance.at,
        dueHostTime: facts.clock.host(at: entrance.since), anticipatedRate: playing.line.rate,
        buffersInAnticipation: !isThere, cause: .unknown),
      facts, cause)
    outstanding?.moves = !isThere
    return intents
  }

  /// Host time at which it may be told the line that it waits for, or the line is there whether it is ready or not.
  func entranceWake(_ facts: borrowing Facts) -> HostTime? {
    guard case .waiting = lastCommand, let item = facts.own.item, let cells = facts.registers.cells(of: item),
      case .playing(let playing) = EffectiveState(cells), let entrance = reach.entrance(to: playing.line, facts)
    else { return nil }
    let soon = entrance.since.subtracting(Law.greatestLead)
    // A little later, as positions round.
    return facts.clock.wake(at: facts.groupNow < soon ? soon : entrance.since.adding(.microseconds(1)))
  }

  /// Whether the player neither runs on a line nor stands where it begins: it has to go there first.
  private func isAway(from line: Line, at now: GroupTime) -> Bool {
    if isOnItsWay { return true }
    let away =
      switch lastCommand {
      case .nothing: nil as Nanoseconds?
      case .paused, .preparing, .waiting: restingPosition?.subtracting(reach.nearest(to: line.at))
      case .playing(let last): last.position(at: max(now, line.since)).subtracting(line.position(at: max(now, line.since)))
      }
    return away.map { $0.absolute > Parameters.sameFrame } ?? true
  }

  /// What a suspended host asked of itself; the group has no part in it.
  mutating func commandOwn(_ command: PlaybackCommand, _ facts: borrowing Facts) -> [Intent] {
    defer { lastCommand = .nothing }
    var command = command
    // As with the group's pauses: it would stop somewhere.
    if command.kind == .pause, isOnItsWay { command.snap = true }
    return issue(command, facts, nil)
  }

  /// Gives a command its id, its cause and its originator, and the own output offset. `cause` nil: it is the own host's.
  private mutating func issue(_ command: PlaybackCommand, _ facts: borrowing Facts, _ cause: StateCause?) -> [Intent] {
    var command = command
    command.id = nextCommand
    nextCommand &+= 1
    let rate = command.rate != 0 ? command.rate : command.anticipatedRate
    // A paused host shows the group's picture; one that moves is ahead by what its output is late.
    if rate != 0 {
      command.itemTime = command.itemTime.adding(facts.settings.outputOffset.scaled(by: rate))
    }
    shift = reach.limit(&command, now: facts.now)
    if let cause {
      command.cause = nextCause ?? cause.cause
      command.isLocal = cause.author == facts.local
      // It is not moved because somebody commanded just now.
      let isCatchingUp = nextCause == .reapply || nextCause == .rejoin
      command.originator = command.isLocal || isCatchingUp ? .none : cause.author
      nextCause = nil
    }
    isReadyAhead = false
    let restartsEnd = isBeforeEnd(command, facts)
    if outstanding != nil { statistics.commandsSuperseded &+= 1 }
    let answerBy = answerBy(instant: command.hostTime, now: facts.now)
    // Who is told to play by its own host may still have been on its way somewhere else.
    let moves = command.kind == .seek || command.kind == .pause && command.snap || command.kind == .play && cause == nil
    outstanding = Outstanding(
      id: command.id, kind: command.kind, item: command.item, moves: moves, answerBy: cause == nil ? nil : answerBy)
    commanded = facts.now
    motion.begin()
    statistics.commandsIssued &+= 1
    return restartsEnd ? [.setEnded(nil), .command(command)] : [.command(command)]
  }

  // MARK: Answers

  func wasIssued(_ id: UInt64) -> Bool { (firstCommand..<nextCommand).contains(id) }

  /// A completion; of anything but the newest command it is only counted. `recovers`: only the library suspends it.
  mutating func complete(_ id: UInt64, recovers: Bool) -> Completion {
    guard let outstanding, outstanding.id == id else { return .nothing }
    self.outstanding = nil
    unanswered = nil
    statistics.commandsCompleted &+= 1
    // Whoever is ready to start does not stall any more.
    if outstanding.preparing != nil || isWaiting { stall = nil }
    if outstanding.overdue, recovers { return .recovered }
    guard let preparing = outstanding.preparing else { return .nothing }
    if lastCommand == .paused(at: preparing.at) { isReadyAhead = true }
    return isReadyAhead || lastCommand == .preparing(preparing) ? .ready(preparing.readiness) : .nothing
  }

  /// The host could not carry it out; false: it is not the newest.
  mutating func fail(_ id: UInt64) -> Bool {
    guard outstanding?.id == id else { return false }
    outstanding = nil
    unanswered = nil
    statistics.commandsFailed &+= 1
    return true
  }

  /// Host time at which the newest command has to be completed.
  func overdueWake(_ facts: borrowing Facts) -> HostTime? {
    guard let outstanding, !outstanding.overdue else { return nil }
    return outstanding.due.map(facts.clock.wake(at:)) ?? outstanding.answerBy
  }

  /// A command that was not completed in time: the library suspends the host, so that it is commanded again by the next one.
  mutating func checkOverdue(_ facts: borrowing Facts) -> [Intent] {
    // What is about to be commanded anew is not overdue.
    guard let outstanding, !outstanding.overdue, lastCommand != .nothing else { return [] }
    let isLate = outstanding.answerBy.map { facts.now >= $0 } ?? false
    guard isLate || isUnprepared(outstanding, facts) else { return [] }
    self.outstanding?.overdue = true
    statistics.commandsOverdue &+= 1
    let command = OverdueCommand(id: outstanding.id, kind: outstanding.kind, item: outstanding.item)
    return [.notify(.playback(.commandOverdue(command))), .suspend(Suspensions.stallRecovery)]
  }

  /// It was not ready for a start when that was due, by the own clock, or as the start has been written without it: by a clock
  /// that is a little ahead, or before the own timer fired.
  private func isUnprepared(_ outstanding: Outstanding, _ facts: borrowing Facts) -> Bool {
    guard let due = outstanding.due, let preparing = outstanding.preparing, lastCommand == .preparing(preparing) else {
      return false
    }
    if facts.groupNow >= due { return true }
    guard let item = facts.own.item, let cells = facts.registers.cells(of: item), let written = cells.continued,
      case .playing(let playing) = EffectiveState(cells), playing.pair.commands == preparing.readiness.base,
      playing.sequence > preparing.readiness.sequence
    else { return false }
    return written >= due
  }

  // MARK: Reports

  /// A stall begins where the player says it stands, or else where it should be.
  mutating func reportStall(_ report: PlaybackReport, _ facts: borrowing Facts) {
    guard report.stalled else {
      stall = nil
      return
    }
    guard stall == nil, let item = facts.own.item else { return }
    let expected = EffectiveState(facts.registers.cells(of: item)).position(at: facts.groupNow)
    guard let at = report.position?.itemTime ?? expected else { return }
    stall = ParticipantValue.Moment(at: at, since: facts.groupNow)
  }

  /// Another time begins: a stall that goes on is as old as that.
  mutating func dateStall(_ time: GroupTime) { stall?.since = time }

  /// The stall as the own register has it: once it has lasted, when no news of its end can come too late.
  func shownStall(_ facts: borrowing Facts) -> ParticipantValue.Moment? {
    // Who has not begun yet misses nothing, and holds nobody up.
    let isShown = stall.map { facts.groupNow >= $0.since.adding(facts.stallPolicy.debounce) } ?? false
    return isShown && !isWaiting ? stall : nil
  }

  /// Host time at which a stall has lasted long enough.
  func stallWake(_ facts: borrowing Facts) -> HostTime? {
    guard let stall, facts.own.stalled == nil, !isWaiting else { return nil }
    return max(facts.now, facts.clock.wake(at: stall.since.adding(facts.stallPolicy.debounce)))
  }

  /// It does what it was told, whether it says that that is done or not.
  mutating func reportObedience(_ report: PlaybackReport) {
    switch lastCommand {
    case .playing(let line) where BypassWatch.isSame(report.rate, line.rate): break
    case .paused where BypassWatch.isSame(report.rate, 0): break
    default: return
    }
    outstanding?.answerBy = nil
    unanswered = nil
  }

  /// Whether the player stands at the end of what it can reach, as it says; nil: as before.
  func reportedEnd(_ report: PlaybackReport, _ facts: borrowing Facts, isSuspended: Bool) -> Intent? {
    guard report.rate == 0, !report.stalled else { return .setEnded(nil) }
    guard let position = report.position, let range = report.range, let item = facts.own.item else { return nil }
    let isBackwards = facts.registers.cells(of: item).map { $0.rate.rate < 0 } ?? false
    guard isPast(position.itemTime, isBackwards ? range.lowerBound : range.upperBound, backwards: isBackwards) else {
      return .setEnded(nil)
    }
    // Whoever was not told to run has only been put there.
    guard facts.own.ended == nil, !isSuspended, case .playing = lastCommand else { return nil }
    return .setEnded(ParticipantValue.Moment(at: position.itemTime, since: facts.groupNow))
  }

  /// The host is sent somewhere: from before its end it ends again.
  private func isBeforeEnd(_ command: PlaybackCommand, _ facts: borrowing Facts) -> Bool {
    guard let ended = facts.own.ended, command.kind != .pause else { return false }
    let rate = command.kind == .play ? command.rate : command.anticipatedRate
    let run = command.hostTime.map { facts.now.subtracting($0).scaled(by: rate) } ?? 0
    return !isPast(command.itemTime.adding(max(run, 0)), ended.at, backwards: rate < 0)
  }

  /// At an end, to a frame, or beyond it.
  private func isPast(_ position: ItemTime, _ end: ItemTime, backwards: Bool) -> Bool {
    let beyond = backwards ? end.subtracting(position) : position.subtracting(end)
    return beyond >= -Parameters.sameFrame
  }

  /// What the player can reach by now; it is commanded again once the group's position has come within it.
  mutating func reportReach(_ range: ClosedRange<ItemTime>, _ facts: borrowing Facts, isSuspended: Bool) {
    reach.report(range)
    guard shift != 0, !isSuspended, let item = facts.own.item,
      let wanted = EffectiveState(facts.registers.cells(of: item)).position(at: facts.groupNow), range.contains(wanted)
    else { return }
    shift = 0
    lastCommand = .nothing
  }

  mutating func reportPosition(_ report: PlaybackReport, _ facts: borrowing Facts) {
    guard let position = report.position else { return }
    if report.rate == 0, !report.stalled, restingPosition != nil { restingPosition = position.itemTime }
    if let item = facts.own.item,
      let expected = EffectiveState(facts.registers.cells(of: item))
        .position(at: facts.clock.group(at: position.hostTime)),
      facts.session.phase != .joining
    {
      statistics.lastStartError = position.itemTime.subtracting(reach.nearest(to: expected))
    }
  }

  // MARK: What it does by itself

  /// What it was told, as far as it can be held to that; nil: it may do anything.
  private func told(_ facts: borrowing Facts) -> BypassWatch.Told? {
    switch lastCommand {
    case .nothing: return nil
    case .paused: return .init(rate: 0, begins: commanded, isCompleted: outstanding == nil)
    // Until it is prepared it may be moving.
    case .preparing, .waiting: return outstanding == nil ? .init(rate: 0, begins: commanded, isCompleted: true) : nil
    case .playing(let line):
      // Whether it does it at all is for `checkOverdue`.
      guard outstanding == nil || outstanding?.answerBy == nil else { return nil }
      let begins = max(commanded, facts.clock.host(at: begin(of: line)))
      return .init(rate: line.rate, begins: begins, isCompleted: outstanding == nil)
    }
  }

  /// What it does, beside what it was told; true: it was apart for doing something else, and is back.
  mutating func reportMotion(_ report: PlaybackReport, _ facts: borrowing Facts, isSuspended: Bool) -> Bool {
    guard !isSuspended else {
      guard case .playing(let line) = lastCommand else { return motion.isBack(report.rate, told: 0, now: facts.now) }
      return motion.isBack(report.rate, told: line.rate, now: facts.now)
    }
    let isExcused = report.stalled || report.rate == 0 && facts.own.ended != nil
    guard !isExcused, let told = told(facts) else {
      motion.excuse()
      return false
    }
    motion.observe(report.rate, at: min(report.position?.hostTime ?? facts.now, facts.now), told: told)
    return false
  }

  /// Host time at which it has done something by itself for long enough.
  var motionWake: HostTime? { motion.wake }

  /// It does something else than it was told: it is told again, or apart.
  mutating func checkMotion(_ facts: borrowing Facts, isSuspended: Bool) -> [Intent] {
    guard !isSuspended, facts.own.item != nil else {
      motion.excuse()
      return []
    }
    switch motion.judge(now: facts.now) {
    case .obeys: return []
    case .bypasses:
      repeatCommand(.reapply)
      return []
    case .defies:
      return [
        .log(.warning, "the host's player does something else than it is told, again and again: it is apart"),
        .suspend(Suspensions.notPossible),
      ]
    }
  }

  // MARK: Where it is

  /// What its player can reach; nil: everything.
  var range: ClosedRange<ItemTime>? { reach.range }

  private var isWaiting: Bool { if case .waiting = lastCommand { true } else { false } }

  /// Where the own player stands, if that is the group's position to a frame.
  func ownFrame(near at: ItemTime, outputOffset: Nanoseconds) -> ItemTime {
    guard lastCommand == .paused(at: at), outstanding == nil, outputOffset == 0, let restingPosition,
      restingPosition.subtracting(at).absolute <= Parameters.sameFrame
    else { return at }
    return restingPosition
  }

  /// Where the host is and goes, as far as it was told, in host time: from a start that is still to come on, too.
  func line(_ facts: borrowing Facts) -> Line {
    guard case .playing(let told) = lastCommand else { return presentLine(facts) }
    let line = reached(told)
    if let enters, enters > facts.groupNow {
      return Line(at: line.position(at: enters), rate: line.rate, since: facts.clock.host(at: enters))
    }
    return Line(at: line.at, rate: line.rate, since: facts.clock.host(at: line.since))
  }

  /// It was told to pause, and has neither completed that nor been seen to stand.
  private var mayHaveMissedPause: Bool { outstanding.map { $0.kind == .pause && $0.answerBy != nil } ?? false }

  /// It is on its way to where it was sent last, and has not said that it is there.
  var isOnItsWay: Bool { outstanding?.moves == true }

  /// It may be elsewhere than it was told: it is on its way there, or was not seen to do it.
  var mayBeElsewhere: Bool { outstanding.map { $0.moves || $0.answerBy != nil || $0.overdue } ?? false }

  /// Where the host is and goes, or is being sent, in host time: what it says on its way is where it came from.
  func presentLine(_ facts: borrowing Facts) -> Line {
    if case .playing(let line) = lastCommand {
      return Line(at: reached(line).position(at: max(facts.groupNow, begin(of: line))), rate: line.rate, since: facts.now)
    }
    let group = facts.own.item.map { EffectiveState(facts.registers.cells(of: $0)) }?.position(at: facts.groupNow)
    return Line(at: destination ?? restingPosition ?? group ?? 0, rate: 0, since: facts.now)
  }

  /// Where it is on its way to, to stand there; nil: it is on its way nowhere, or to a line.
  private var destination: ItemTime? {
    guard isOnItsWay else { return nil }
    switch lastCommand {
    case .paused(let at): return reach.nearest(to: at)
    case .preparing(let preparing): return reach.nearest(to: preparing.at)
    case .waiting(let waiting): return reach.nearest(to: waiting.at)
    case .playing, .nothing: return nil
    }
  }
}
