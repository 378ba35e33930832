import CUnisono
import UnisonoBase
import UnisonoCoordination
import UnisonoPlayer
import UnisonoReplica
import UnisonoRuntime
import UnisonoWire

/// Argument checks and queueing behind `unisono_coordinator_*`.
extension CoordinatorObject {
  static func create(
    in context: ContextObject, _ pointer: UnsafePointer<unisono_playback_delegate>?, user: UnsafeMutableRawPointer?
  ) throws(Failure) -> CoordinatorObject {
    var delegate: unisono_playback_delegate?
    if let pointer {
      let given = try copied(pointer, into: unisono_playback_delegate(), atLeast: 80, "delegate")
      guard given.play != nil, given.pause != nil, given.seek != nil, given.buffer != nil else {
        throw Failure(.UNISONO_EINVAL, "the delegate must have play, pause, seek and buffer")
      }
      delegate = given
    } else if context.queue == nil {
      throw Failure(.UNISONO_EINVAL, "delegate is NULL, and the context has no event queue for the commands")
    }
    let coordinator = try context.publish(.coordinator) {
      CoordinatorObject(token: $0, context: context, delegate: delegate, user: user)
    }
    try context.submit { coordinator.begin() }
    return coordinator
  }

  func submit(_ event: CoordinationEvent) throws(Failure) {
    try context.submit { [self] in handle(event) }
  }

  private func requireItem() throws(Failure) {
    guard calls.withLock({ $0.hasItem }) else {
      throw Failure(.UNISONO_ESTATE, "there is no current item; call unisono_coordinator_transition_to_item first")
    }
  }

  /// A player's coordinator has the player's item.
  private func requireItemOfHostOrPlayer() throws(Failure) {
    guard isPlayers else { return try requireItem() }
    try player?.requireItem()
  }

  func transition(
    _ identifier: UnsafePointer<CChar>?, _ pointer: UnsafePointer<unisono_timing>?
  ) throws(Failure) {
    let text = try InputText.optional(identifier, atMost: ItemID.maximumLength, "identifier")
    if let text, text.isEmpty { throw Failure(.UNISONO_EINVAL, "identifier is empty; give NULL for no item") }
    var proposal: Proposal?
    if let pointer {
      let given = try copied(pointer, into: unisono_timing(), atLeast: 48, "proposal")
      try Self.check(rate: given.rate)
      try Self.check(itemTime: given.item_time)
      let times = try GivenTimes(given.flags, known: .hostTime, "proposal")
      proposal = Proposal(
        rate: given.rate, itemTime: given.item_time, hostTime: try times.hostTime(given.host_time))
    }
    let item = text.map { ItemID($0) }
    calls.withLock { $0.hasItem = item != nil }
    try submit(.transition(to: item, proposal: proposal))
  }

  func changeRate(_ rate: Double, options: UInt32) throws(Failure) {
    try Self.check(rate: rate)
    guard options & ~UInt32(UNISONO_RATE_PLAY_IMMEDIATELY) == 0 else {
      throw Failure(.UNISONO_EINVAL, "options has bits that are none; give 0 or UNISONO_RATE_PLAY_IMMEDIATELY")
    }
    try requireItem()
    try submit(.rateChange(rate: rate, immediately: options != 0))
  }

  func seek(_ itemTime: ItemTime, options: UInt32) throws(Failure) {
    try Self.check(itemTime: itemTime)
    guard options & ~UInt32(UNISONO_SEEK_RESUME_IMMEDIATELY) == 0 else {
      throw Failure(.UNISONO_EINVAL, "options has bits that are none; give 0 or UNISONO_SEEK_RESUME_IMMEDIATELY")
    }
    try requireItem()
    try submit(.seek(to: itemTime, resumeImmediately: options != 0))
  }

  func undoJump() throws(Failure) {
    try requireItemOfHostOrPlayer()
    try submit(.undoJump)
  }

  private static func check(rate: Double) throws(Failure) {
    guard rate.isFinite, (-16...16).contains(rate) else {
      throw Failure(.UNISONO_EINVAL, "rate is \(rate); give 0 or -16...16")
    }
  }

  private static func check(itemTime: ItemTime) throws(Failure) {
    guard itemTime != .min, itemTime != .max else {
      throw Failure(.UNISONO_EINVAL, "item_time is INVALID or INDEFINITE; give a position in ns")
    }
  }

  private func requireIssued(_ id: UInt64) throws(Failure) {
    let last = calls.withLock { $0.issued[id >> 32] }
    guard let last, id != 0, id & 0xFFFF_FFFF != 0, id <= last else {
      throw Failure(.UNISONO_ENOTFOUND, "this coordinator never issued a command \(id)")
    }
  }

  func complete(_ id: UInt64) throws(Failure) {
    try requireIssued(id)
    try context.submit { [self] in finish(command: id, with: .completed(command: id)) }
  }

  func fail(_ id: UInt64, status: Int32) throws(Failure) {
    guard status < 0 else { throw Failure(.UNISONO_EINVAL, "status is \(status); an error is negative") }
    try requireIssued(id)
    try context.submit { [self] in finish(command: id, with: .failed(command: id, status: status)) }
  }

  func reapply() throws(Failure) {
    try requireItemOfHostOrPlayer()
    try submit(.reapply)
  }

  func setWaitingReasons(
    _ reasons: UnsafePointer<UnsafePointer<CChar>?>?, count: Int
  ) throws(Failure) {
    try submit(.setWaitingReasons(try InputText.list(reasons, count: count, atMostCount: 64, atMost: 127, "reasons")))
  }

  func setParticipantLimit(_ reason: UnsafePointer<CChar>?, _ limit: UInt32) throws(Failure) {
    try submit(.setParticipantLimit(reason: try InputText.required(reason, atMost: 127, "reason"), limit: limit))
  }

  func setWaitLimit(_ limit: Nanoseconds) throws(Failure) {
    guard (0...Nanoseconds.seconds(600)).contains(limit) else {
      throw Failure(.UNISONO_EINVAL, "limit is \(limit) ns; give 0...600 s")
    }
    try submit(.setWaitLimit(limit))
  }

  func setStallPolicy(_ pointer: UnsafePointer<unisono_stall_policy>?) throws(Failure) {
    guard let pointer else { return try submit(.setStallPolicy(.off, asProposal: false)) }
    let given = try copied(pointer, into: unisono_stall_policy(), atLeast: 24, "policy")
    guard StallPolicy.debounces.contains(given.debounce) else {
      throw Failure(.UNISONO_EINVAL, "policy.debounce is \(given.debounce) ns; give 0...60 s, 0 for 300 ms")
    }
    guard StallPolicy.limits.contains(given.limit) else {
      throw Failure(.UNISONO_EINVAL, "policy.limit is \(given.limit) ns; give 0...600 s, 0 for 10 s")
    }
    try submit(
      .setStallPolicy(
        StallPolicy(
          waits: given.wait != 0, debounce: given.debounce == 0 ? StallPolicy.usualDebounce : given.debounce,
          limit: given.limit == 0 ? StallPolicy.usualLimit : given.limit), asProposal: false))
  }

  func setActionAtEnd(_ action: unisono_action_at_end) throws(Failure) {
    guard let number = UInt8(exactly: action.rawValue), let known = ActionAtEnd(rawValue: number) else {
      throw Failure(.UNISONO_EINVAL, "action is \(action.rawValue); give a unisono_action_at_end")
    }
    try submit(.setActionAtEnd(known, asProposal: false))
  }

  func setSkippedRanges(_ kinds: UInt32) throws(Failure) {
    guard let bits = UInt8(exactly: kinds), let policy = SkipPolicy(bits: bits) else {
      throw Failure(.UNISONO_EINVAL, "kinds is \(kinds); give bits of unisono_range_kind")
    }
    try submit(.setSkipPolicy(policy, asProposal: false))
  }

  func setInterstitials(
    of identifier: UnsafePointer<CChar>?, _ ranges: UnsafePointer<unisono_interstitial>?, count: Int
  ) throws(Failure) {
    let text = try InputText.required(identifier, atMost: ItemID.maximumLength, "identifier")
    guard !text.isEmpty else { throw Failure(.UNISONO_EINVAL, "identifier is empty") }
    guard (0...InterstitialRange.most).contains(count) else {
      throw Failure(.UNISONO_EINVAL, "count is \(count); give 0...\(InterstitialRange.most)")
    }
    var given: [InterstitialRange] = []
    if count > 0 {
      guard let ranges else { throw Failure(.UNISONO_EINVAL, "ranges is NULL") }
      for index in 0..<count {
        let range = InterstitialRange(start: ranges[index].begin, end: ranges[index].end)
        guard range.isOne else { throw Failure(.UNISONO_EINVAL, "ranges[\(index)] ends where it begins, or before") }
        given.append(range)
      }
    }
    guard let ordered = InterstitialRange.ordered(given) else { throw Failure(.UNISONO_EINVAL, "two of the ranges overlap") }
    try submit(.setInterstitials(ItemID(text), ordered))
  }

  func setStartPolicy(_ pointer: UnsafePointer<unisono_start_policy>?) throws(Failure) {
    guard let pointer else { return try submit(.setStartPolicy(.none, asProposal: false)) }
    let given = try copied(pointer, into: unisono_start_policy(), atLeast: 24, "policy")
    guard let start = UInt8(exactly: given.start.rawValue), let waiting = StartPolicy.Waiting(rawValue: start) else {
      throw Failure(.UNISONO_EINVAL, "policy.start is \(given.start.rawValue); give a unisono_start_rule")
    }
    guard StartPolicy.limits.contains(given.limit) else {
      throw Failure(.UNISONO_EINVAL, "policy.limit is \(given.limit) ns; give 0...600 s, 0 for 60 s")
    }
    guard let rule = UInt8(exactly: given.leaving.rawValue), let leaving = StartPolicy.Leaving(rawValue: rule) else {
      throw Failure(.UNISONO_EINVAL, "policy.leaving is \(given.leaving.rawValue); give a unisono_leaving_rule")
    }
    try submit(
      .setStartPolicy(
        StartPolicy(
          waiting: waiting, limit: given.limit == 0 ? StartPolicy.usualLimit : given.limit, leaving: leaving),
        asProposal: false))
  }

  func setReady(_ readiness: unisono_readiness) throws(Failure) {
    guard let number = UInt8(exactly: readiness.rawValue), let word = ReadyWord(rawValue: number) else {
      throw Failure(.UNISONO_EINVAL, "readiness is \(readiness.rawValue); give a unisono_readiness")
    }
    try submit(.setReady(word))
  }

  func startWithout(_ participants: UnsafePointer<unisono_participant_id>?, count: Int) throws(Failure) {
    guard (0...WireLimits.namedPersons).contains(count) else {
      throw Failure(.UNISONO_EINVAL, "count is \(count); give 0...\(WireLimits.namedPersons)")
    }
    var ids: [ParticipantID] = []
    if count > 0 {
      guard let participants else { throw Failure(.UNISONO_EINVAL, "participants is NULL") }
      ids = (0..<count).map { ParticipantID(participants[$0]) }
    }
    try requireItemOfHostOrPlayer()
    try submit(.startWithout(ids))
  }

  func setOutputOffset(_ offset: Nanoseconds) throws(Failure) {
    guard (Nanoseconds.seconds(-5)...Nanoseconds.seconds(5)).contains(offset) else {
      throw Failure(.UNISONO_EINVAL, "offset is \(offset) ns; give -5...5 s")
    }
    try submit(.setOutputOffset(offset))
  }

  func report(_ pointer: UnsafePointer<unisono_playback_report>?) throws(Failure) {
    guard let pointer else { throw Failure(.UNISONO_EINVAL, "report is NULL") }
    let given = try copied(pointer, into: unisono_playback_report(), atLeast: 56, "report")
    guard given.rate.isFinite else { throw Failure(.UNISONO_EINVAL, "report.rate is no number") }
    let times = try GivenTimes(given.flags, known: [.position, .range], "report")
    let position = try times.position(given.item_time, given.host_time)
    let range = try times.range(given.earliest, given.latest)
    try submit(
      .report(PlaybackReport(stalled: given.stalled != 0, rate: given.rate, position: position, range: range)))
  }

  /// `name`: of a coordinator beside the session's first one; NULL: it is the first one.
  func coordinate(with session: SessionObject?, as name: UnsafePointer<CChar>?) throws(Failure) {
    var wanted: CoordinatorName?
    if let text = try InputText.optional(name, atMost: CoordinatorName.maximumLength, "name") {
      wanted = CoordinatorName(text)
      guard wanted != nil else { throw Failure(.UNISONO_EINVAL, "name is empty or has control characters; give NULL for none") }
      guard session != nil else { throw Failure(.UNISONO_EINVAL, "session is NULL; a coordinator that is in none has no name") }
    }
    try coordinate(with: session, as: wanted)
  }

  private func coordinate(with session: SessionObject?, as name: CoordinatorName?) throws(Failure) {
    if let session {
      guard session.context === context else {
        throw Failure(.UNISONO_EINVAL, "the session belongs to another context")
      }
      try session.adopt(self, as: name)
    }
    let found = calls.withLock { calls -> (session: SessionObject?, name: CoordinatorName?)? in
      guard session == nil || calls.listening == nil else { return nil }
      defer { (calls.session, calls.name) = (session, name) }
      return (calls.session, calls.name)
    }
    guard let before = found else {
      session?.letGo(of: self, as: name)
      throw Failure(.UNISONO_ESTATE, "the coordinator listens to an audience; call unisono_coordinator_stop_listening first")
    }
    guard before.session !== session || before.name != name else { return }
    before.session?.letGo(of: self, as: before.name)
    try context.submit { [self] in
      if let session, session.isOver { return sessionEnded(session) }
      guard let session, let name else { return move(to: session) }
      move(to: NamedCoordination(name, of: self, in: session))
    }
  }

  func listen(to pointer: UnsafePointer<CChar>?) throws(Failure) {
    let link = try givenAudienceLink(pointer)
    let number = try calls.withLock { (calls) throws(Failure) -> UInt64 in
      guard calls.session == nil else {
        throw Failure(
          .UNISONO_ESTATE,
          "the coordinator is in a session; call unisono_coordinator_coordinate_with_session with NULL first, or make another one")
      }
      guard calls.listening == nil else {
        throw Failure(.UNISONO_ESTATE, "the coordinator listens already; call unisono_coordinator_stop_listening first")
      }
      calls.listenings += 1
      calls.listening = calls.listenings
      calls.reactions = []
      return calls.listenings
    }
    do throws(Failure) {
      try context.submit { [self] in
        // Stopped before it began: there is nothing to hear of it.
        guard !isDead, calls.withLock({ $0.listening == number }) else { return }
        move(to: ListeningCoordination(to: link, number: number, coordinator: self))
      }
    } catch {
      calls.withLock { if $0.listening == number { $0.listening = nil } }
      throw error
    }
  }

  func stopListening() throws(Failure) {
    let was = calls.withLock { calls in
      defer { calls.listening = nil }
      return calls.listening
    }
    guard was != nil else { return }
    // Once for each that was begun: what ends it is not refused.
    try context.submit(isBounded: false) { [self] in
      // The next one may have begun meanwhile, or a session.
      guard calls.withLock({ $0.listening == nil && $0.session == nil }) else { return }
      move(to: nil)
    }
  }

  /// To the hosts of the audience that it listens to; `pointer` may be NULL where it asks.
  func say(_ word: HandMessage.Word, _ pointer: UnsafePointer<CChar>?) throws(Failure) {
    let text = word == .asks && pointer == nil ? "" : try InputText.lines(pointer, atMost: HandMessage.longestText, "text")
    let now = context.now
    let number = try calls.withLock { (calls) throws(Failure) -> UInt64 in
      guard let listening = calls.listening else {
        throw Failure(.UNISONO_ESTATE, "the coordinator listens to no audience; call unisono_coordinator_listen first")
      }
      let next = (word == .asks ? calls.asked : calls.said).adding(HandMessage.pause)
      guard next <= now else {
        throw Failure(.UNISONO_EBUSY, PaceRefusal(onceIn: HandMessage.pause, until: next, now: now).sentence)
      }
      if word == .asks { calls.asked = now } else { calls.said = now }
      return listening
    }
    try context.submit { [self] in say(word, text, inListening: number) }
  }

  func react(_ pointer: UnsafePointer<CChar>?) throws(Failure) {
    let text = try InputText.required(pointer, atMost: WireLimits.reaction, "reaction", tooLong: .UNISONO_ETOOBIG)
    let now = context.now
    let number = try calls.withLock { (calls) throws(Failure) -> UInt64 in
      guard let listening = calls.listening else {
        throw Failure(.UNISONO_ESTATE, "the coordinator listens to no audience; call unisono_coordinator_listen first")
      }
      guard calls.reactions.contains(text) else {
        throw Failure(.UNISONO_EINVAL, "the audience has no such reaction; COORDINATOR_LISTENING lists those that it has")
      }
      let next = calls.reacted.adding(TallyKind.pause)
      guard next <= now else {
        throw Failure(.UNISONO_EBUSY, PaceRefusal(onceIn: TallyKind.pause, until: next, now: now).sentence)
      }
      calls.reacted = now
      return listening
    }
    try context.submit { [self] in react(text, inListening: number) }
  }

  /// The audience is over: on from here alone. On the loop.
  func listeningEnded(_ ended: ListeningCoordination) {
    let isOurs = calls.withLock { calls in
      guard calls.listening == ended.number else { return false }
      calls.listening = nil
      return true
    }
    if isOurs { move(to: nil) }
  }

  private static func motion(
    _ motion: unisono_motion, _ value: Double
  ) throws(Failure) -> MotionEcho.Motion {
    guard let known = MotionEcho.Motion(rawValue: motion.rawValue) else {
      throw Failure(.UNISONO_EINVAL, "motion is \(motion.rawValue); give a unisono_motion")
    }
    guard value.isFinite else { throw Failure(.UNISONO_EINVAL, "value is no number") }
    return known
  }

  func expect(_ motion: unisono_motion, _ value: Double) throws(Failure) {
    let known = try Self.motion(motion, value)
    self.motion.withLock { $0.expect(known, value, now: context.now) }
  }

  func isWish(_ motion: unisono_motion, _ value: Double) throws(Failure) -> Bool {
    let known = try Self.motion(motion, value)
    return self.motion.withLock { $0.isWish(known, value, now: context.now) }
  }

  /// The session is over: on from here alone. On the loop.
  func sessionEnded(_ session: SessionObject) {
    let isOurs = calls.withLock { calls in
      guard calls.session === session else { return false }
      calls.session = nil
      return true
    }
    if isOurs { move(to: nil) }
  }
}
