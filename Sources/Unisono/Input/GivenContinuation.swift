import CUnisono
import UnisonoBase
import UnisonoCrypto

/// Another day to go on from, opened and judged; nil: none is given.
func givenContinuation(_ options: unisono_session_options, in context: ContextObject) throws(Failure) -> Continuation? {
  guard let bytes = options.continuation else {
    guard options.continuation_length == 0, options.continuation_key == nil, options.continuation_key_length == 0,
      options.continuation_age == 0
    else { throw Failure(.UNISONO_EINVAL, "options.continuation is NULL, and its length, key or age is given") }
    return nil
  }
  guard options.continuation_age >= 0 else {
    throw Failure(.UNISONO_EINVAL, "options.continuation_age is \(options.continuation_age); give nanoseconds, or 0 for 90 days")
  }
  // Before it is copied.
  guard options.continuation_length <= ContinuationSeal.maximumLength else { throw refusal(.length) }
  let seal = try continuationSeal(options.continuation_key, options.continuation_key_length, "options.continuation_key", in: context)
  let random = context.loop.randomBytes
  do throws(ContinuationError) {
    return try seal.open(
      Array(UnsafeRawBufferPointer(start: bytes, count: options.continuation_length)), at: context.calendarTime,
      notOlderThan: options.continuation_age == 0 ? ContinuationSeal.usualAge : options.continuation_age, now: context.now,
      random: { random($0) })
  } catch {
    throw refusal(error)
  }
}

private func refusal(_ error: ContinuationError) -> Failure {
  let status: unisono_status =
    switch error {
    case .format: .UNISONO_EINVAL
    case .version: .UNISONO_EVERSION
    case .length: .UNISONO_ETOOBIG
    case .seal: .UNISONO_EAUTH
    case .malformed, .unproven: .UNISONO_EPROTOCOL
    case .old: .UNISONO_ETIMEDOUT
    }
  return Failure(status, "options.continuation \(error.sentence)")
}

/// The key that a host gives, or the person's.
func continuationSeal(
  _ key: UnsafeRawPointer?, _ length: Int, _ name: String, in context: ContextObject
) throws(Failure) -> ContinuationSeal {
  guard let key else {
    guard length == 0 else { throw Failure(.UNISONO_EINVAL, "\(name) is NULL with a length") }
    guard let person = context.options.person else {
      throw Failure(.UNISONO_EINVAL, "\(name) is NULL, and the context has no `person`; give one of them")
    }
    return ContinuationSeal(key: person)
  }
  guard ContinuationSeal.keyLengths.contains(length) else {
    throw Failure(
      .UNISONO_EINVAL,
      "\(name) has to have \(ContinuationSeal.keyLengths.lowerBound)...\(ContinuationSeal.keyLengths.upperBound) bytes")
  }
  return ContinuationSeal(key: Array(UnsafeRawBufferPointer(start: key, count: length)))
}
