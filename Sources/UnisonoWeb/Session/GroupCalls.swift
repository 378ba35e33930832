import UnisonoBase
import UnisonoCoordination
import UnisonoCrypto
import UnisonoReplica
import UnisonoRuntime
import UnisonoWire

// Calls about what the group shares beside the playlist: copies, requests, scheduled starts, another day.

/// Answers which parts of a file of `size` bytes say which copy it is: start and number of bytes of each, 8 bytes a number.
@_expose(wasm, "copy_ranges")
@_cdecl("copy_ranges")
public func copyRanges(now: Int64, size: Int64) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    var answer: [UInt8] = []
    for range in try samples(size).ranges {
      for number in [range.lowerBound, UInt64(range.count)] {
        answer += DrivenEnvironment.number(number)
      }
    }
    session.environment.answer(answer)
  }
}

/// Answers the hash of these parts, one behind the other, 32 bytes.
@_expose(wasm, "copy_hash")
@_cdecl("copy_hash")
public func copyHash(now: Int64, size: Int64, parts: UnsafeRawPointer, length: Int32) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    let samples = try samples(size)
    let expected = samples.ranges.reduce(0) { $0 + $1.count }
    let bytes = try Given(parts, length).bytes(atMost: expected, "parts")
    guard bytes.count == expected else { throw Failure(.invalid, "parts has \(bytes.count) bytes instead of \(expected)") }
    session.environment.answer(samples.hash(bytes))
  }
}

private func samples(_ size: Int64) throws(Failure) -> CopySamples {
  guard size > 0 else { throw Failure(.invalid, "the file is empty") }
  return CopySamples(ofFile: UInt64(size))
}

/// `duration`, `size`: 0: not known; `hash`: 32 bytes; none: not known. No entry: none any more.
@_expose(wasm, "session_set_copy")
@_cdecl("session_set_copy")
public func setCopy(
  now: Int64, duration: Int64, size: Int64, entry: UnsafeRawPointer, entryLength: Int32, hash: UnsafeRawPointer, hashLength: Int32
) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    let copy = try copy(duration: duration, size: size, hash: Given(hash, hashLength))
    let entry = try Given(entry, entryLength).identifier("entry", EntryKind.self)
    try session.requireJoined()
    session.handle(.stateCopy(entry.map { StatedCopy(entry: $0, copy: copy) }))
  }
}

/// `duration`: ns, `size`: bytes; 0: not known. `hash`: 32 bytes; none: not known.
func copy(duration: Int64, size: Int64, hash: Given) throws(Failure) -> Copy {
  guard duration >= 0, size >= 0 else { throw Failure(.invalid, "duration or size is negative") }
  let hash = try hash.bytes(atMost: Copy.hashLength, "hash")
  guard hash.isEmpty || hash.count == Copy.hashLength else { throw Failure(.invalid, "hash is not \(Copy.hashLength) bytes") }
  return Copy(duration: duration, size: UInt64(size), hash: hash)
}

/// `offset`: ns; no entry: the one that the group is at.
@_expose(wasm, "session_set_cut_offset")
@_cdecl("session_set_cut_offset")
public func setCutOffset(now: Int64, offset: Int64, entry: UnsafeRawPointer, entryLength: Int32) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    guard CutOffset.isAllowed(offset) else { throw Failure(.invalid, "offset is more than six hours either way") }
    let entry = try Given(entry, entryLength).identifier("entry", EntryKind.self)
    try session.requireJoined()
    session.handle(.setCutOffset(entry, offset))
  }
}

/// `kind`: a `unisono_request_kind`; `number`: the caller's own, ascending from 1; "request" events have it.
@_expose(wasm, "session_request_command")
@_cdecl("session_request_command")
public func requestCommand(
  now: Int64, kind: Int32, number: Int64, itemTime: Int64, text: UnsafeRawPointer, length: Int32
) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    guard let kind = UInt8(exactly: kind).flatMap({ CommandRequest.Kind(rawValue: $0) }) else {
      throw Failure(.invalid, "there is no such request")
    }
    guard kind != .seek || itemTime != .min else { throw Failure(.invalid, "itemTime is missing") }
    guard number > 0 else { throw Failure(.invalid, "number is not above 0") }
    let text = try Given(text, length).visible(atMost: 255, "text")
    try session.request(kind, itemTime: kind == .seek ? itemTime : 0, text: text, number: UInt64(number))
  }
}

@_expose(wasm, "session_answer_request")
@_cdecl("session_answer_request")
public func answerRequest(now: Int64, isGranted: Int32, number: Int64, asker: UnsafeRawPointer, length: Int32) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    guard let asker = try Given(asker, length).identifier("asker", ParticipantKind.self) else {
      throw Failure(.invalid, "asker is missing")
    }
    try session.requireJoined()
    if isGranted != 0 { try session.requireCommand() }
    try session.ask { $0.answerRequest(of: asker, UInt64(bitPattern: number), isGranted: isGranted != 0) }
  }
}

/// `hostTime`: when, of JavaScript's clock; `calendarTime`: what people are told, ns since 1970; INVALID: nothing.
@_expose(wasm, "session_schedule_start")
@_cdecl("session_schedule_start")
public func scheduleStart(
  now: Int64, hostTime: Int64, calendarTime: Int64, item: UnsafeRawPointer, length: Int32
) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    let item = try Given(item, length).item("item")
    guard hostTime >= now else { throw Failure(.invalid, "the time of the start is past, or none") }
    guard hostTime.subtracting(now) <= Law.scheduleLimit else { throw Failure(.invalid, "the start is more than 7 days ahead") }
    try session.requireJoined()
    session.handle(.scheduleStart(of: item, at: hostTime, calendarTime: calendarTime == .min ? nil : calendarTime))
  }
}

@_expose(wasm, "session_cancel_start")
@_cdecl("session_cancel_start")
public func cancelStart(now: Int64) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    try session.requireJoined()
    session.handle(.cancelStart)
  }
}

/// Answers how far away the scheduled start is by group time, ns, 8 bytes; nothing: none is to come, or group time is not known.
@_expose(wasm, "session_scheduled_start")
@_cdecl("session_scheduled_start")
public func scheduledStart(now: Int64) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    guard let start = session.engine.view.schedule else { return }
    session.environment.answer(DrivenEnvironment.number(UInt64(bitPattern: start.hostTime.subtracting(now))))
  }
}

/// Answers what `session_host` and `session_open` go on from on another day, sealed with `key`.
@_expose(wasm, "session_continuation")
@_cdecl("session_continuation")
public func continuation(now: Int64, calendarTime: Int64, key: UnsafeRawPointer, length: Int32) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    let seal = try continuationSeal(Given(key, length))
    try session.requireJoined()
    guard let continuation = session.engine.continuation(calendarTime: calendarTime) else {
      throw Failure(.state, "group time is not known yet, or the group is on its way to another room; try again in a moment")
    }
    do throws(ContinuationError) {
      session.environment.answer(try seal.seal(continuation) { session.environment.randomBytes($0) })
    } catch {
      throw Failure(.tooBig, "what the group does takes more than \(ContinuationSeal.maximumLength) bytes")
    }
  }
}

private func continuationSeal(_ key: Given) throws(Failure) -> ContinuationSeal {
  let lengths = ContinuationSeal.keyLengths
  let key = try key.bytes(atMost: lengths.upperBound, "key")
  guard lengths.contains(key.count) else {
    throw Failure(.invalid, "key has to have \(lengths.lowerBound)...\(lengths.upperBound) bytes")
  }
  return ContinuationSeal(key: key)
}

/// Another day to go on from, opened and judged; nil: none is given. `age`: ns that it may be old; 0: 90 days.
func past(
  _ sealed: Given, _ key: Given, age: Int64, at calendarTime: Int64, in environment: DrivenEnvironment
) throws(Failure) -> Continuation? {
  let sealed = try sealed.bytes(atMost: ContinuationSeal.maximumLength, "continuation")
  if sealed.isEmpty { return nil }
  guard age >= 0 else { throw Failure(.invalid, "the age of the continuation is negative") }
  let seal = try continuationSeal(key)
  do throws(ContinuationError) {
    return try seal.open(
      sealed, at: calendarTime, notOlderThan: age == 0 ? ContinuationSeal.usualAge : age, now: environment.now
    ) { environment.randomBytes($0) }
  } catch {
    let code: Failure.Code =
      switch error {
      case .format: .invalid
      case .version: .version
      case .length: .tooBig
      case .seal: .authentication
      case .malformed, .unproven: .protocolError
      case .old: .timedOut
      }
    throw Failure(code, "the continuation \(error.sentence)")
  }
}
