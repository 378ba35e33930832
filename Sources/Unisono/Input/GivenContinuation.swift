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
  guard options.continuation_length <= ContinuationSeal.maximumLength else {
    throw Failure(.UNISONO_ETOOBIG, "options.continuation has more than \(ContinuationSeal.maximumLength) bytes")
  }
  let seal = try continuationSeal(options.continuation_key, options.continuation_key_length, "options.continuation_key", in: context)
  let continuation: Continuation
  do throws(ContinuationError) {
    continuation = try seal.open(Array(UnsafeRawBufferPointer(start: bytes, count: options.continuation_length)))
  } catch {
    switch error {
    case .format: throw Failure(.UNISONO_EINVAL, "options.continuation is no continuation, or a part of one")
    case .version: throw Failure(.UNISONO_EVERSION, "options.continuation was made by a newer library")
    case .length: throw Failure(.UNISONO_ETOOBIG, "options.continuation has more than \(ContinuationSeal.maximumLength) bytes")
    case .seal: throw Failure(.UNISONO_EAUTH, "options.continuation was sealed with another key, or changed")
    case .malformed: throw Failure(.UNISONO_EPROTOCOL, "options.continuation opens, and does not say what it has to")
    }
  }
  let limit = options.continuation_age == 0 ? Nanoseconds.seconds(90 * 86_400) : options.continuation_age
  guard context.calendarTime.subtracting(continuation.text.made) <= limit else {
    throw Failure(.UNISONO_ETIMEDOUT, "options.continuation is older than \(limit / .seconds(86_400)) days; ask for a new invite")
  }
  let random = context.loop.randomBytes
  guard continuation.channel(now: context.now, random: { random($0) }) != nil else {
    throw Failure(.UNISONO_EPROTOCOL, "options.continuation does not prove that its key is the group's")
  }
  return continuation
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
