import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoRuntime

// Calls about starts and jumps of the group, and the settings of the whole session that belong to them. What the engine refuses at once
// is the answer of the call.

/// The last jump is taken back, whoever made it.
@_expose(wasm, "coordinator_undo_jump")
@_cdecl("coordinator_undo_jump")
public func undoJump(now: Int64) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    _ = try playerWithItem(session)
    try session.ask { $0.handle(.undoJump) }
  }
}

/// `start`: a `unisono_start_rule`; `limit`: ns, 0: 60 s; `leaving`: a `unisono_leaving_rule`.
@_expose(wasm, "coordinator_set_start_policy")
@_cdecl("coordinator_set_start_policy")
public func setStartPolicy(now: Int64, start: Int32, limit: Int64, leaving: Int32) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    guard let waiting = UInt8(exactly: start).flatMap({ StartPolicy.Waiting(rawValue: $0) }) else {
      throw Failure(.invalid, "there is no such rule for starts")
    }
    guard StartPolicy.limits.contains(limit) else { throw Failure(.invalid, "limit is not 0...600 s") }
    guard let leaving = UInt8(exactly: leaving).flatMap({ StartPolicy.Leaving(rawValue: $0) }) else {
      throw Failure(.invalid, "there is no such rule for leaving")
    }
    try session.requireCommand()
    let policy = StartPolicy(waiting: waiting, limit: limit == 0 ? StartPolicy.usualLimit : limit, leaving: leaving)
    try session.ask { $0.handle(.setStartPolicy(policy, asProposal: false)) }
  }
}

/// The start that waits for persons goes on without those of these participants; none: without waiting for any.
@_expose(wasm, "coordinator_start_without")
@_cdecl("coordinator_start_without")
public func startWithout(now: Int64, participants: UnsafeRawPointer, length: Int32) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    let named = try Given(participants, length)
      .identifiers(atMost: WireLimits.namedPersons, "participants", ParticipantKind.self)
    _ = try playerWithItem(session)
    try session.ask { $0.handle(.startWithout(named)) }
  }
}

/// `kinds`: bits of `unisono_range_kind`.
@_expose(wasm, "coordinator_set_skipped_ranges")
@_cdecl("coordinator_set_skipped_ranges")
public func setSkippedRanges(now: Int64, kinds: Int32) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    guard let policy = UInt8(exactly: kinds).flatMap({ SkipPolicy(bits: $0) }) else {
      throw Failure(.invalid, "there is no such kind of range")
    }
    try session.requireCommand()
    try session.ask { $0.handle(.setSkipPolicy(policy, asProposal: false)) }
  }
}

/// Ranges of an entry: begin, end and kind of each, 8 bytes a number.
func ranges(_ given: Given) throws(Failure) -> [SkipRange] {
  let bytes = try given.bytes(atMost: SkipRange.most * 24, "ranges")
  var ranges: [SkipRange] = []
  for start in stride(from: 0, to: bytes.count - bytes.count % 24, by: 24) {
    let numbers = [0, 8, 16].map { number in
      Int64(bitPattern: (0..<8).reduce(0) { $0 | UInt64(bytes[start + number + $1]) << UInt64(8 * $1) })
    }
    guard let kind = UInt8(exactly: numbers[2]).flatMap({ SkipRange.Kind(rawValue: $0) }) else {
      throw Failure(.invalid, "there is no such kind of range")
    }
    ranges.append(SkipRange(begin: numbers[0], end: numbers[1], kind: kind))
  }
  if let index = SkipRange.fault(in: ranges) {
    throw Failure(
      .invalid,
      "range \(index) begins before 0 or before the end of the one before, is shorter than 1 s, or ends after 7 days")
  }
  return ranges
}
