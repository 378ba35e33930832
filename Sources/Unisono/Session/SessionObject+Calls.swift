import CUnisono
import UnisonoCrypto
import UnisonoReplica
import UnisonoRuntime

/// Argument checks and queueing behind `unisono_session_*`.
extension SessionObject {
  static func host(
    in context: ContextObject, _ pointer: UnsafePointer<unisono_session_options>?,
    _ callbacks: UnsafePointer<unisono_session_callbacks>?, user: UnsafeMutableRawPointer?
  ) throws(Failure) -> SessionObject {
    let options = try SessionOptions(pointer, callbacks, user: user, in: context, forHosting: true)
    if let past = options.continuation {
      return try make(
        in: context, options, .continued(past, invite: nil, hub: options.hub, hubOptions: options.hubOptions))
    }
    return try make(
      in: context, options,
      .host(
        hub: options.hub, hubOptions: options.hubOptions,
        controlPolicy: options.controlPolicy, activity: options.activity))
  }

  static func open(
    in context: ContextObject, _ invite: UnsafePointer<CChar>?, _ pointer: UnsafePointer<unisono_session_options>?,
    _ callbacks: UnsafePointer<unisono_session_callbacks>?, user: UnsafeMutableRawPointer?
  ) throws(Failure) -> SessionObject {
    let invite = try givenInvite(invite)
    let options = try SessionOptions(pointer, callbacks, user: user, in: context, forHosting: false)
    guard let past = options.continuation else { return try make(in: context, options, .invited(invite)) }
    guard past.origin == invite.origin else {
      throw Failure(.UNISONO_EINVAL, "options.continuation is of another session than the invite")
    }
    return try make(in: context, options, .continued(past, invite: invite, hub: nil, hubOptions: options.hubOptions))
  }

  private static func make(
    in context: ContextObject, _ options: SessionOptions, _ origin: SessionSetup.Origin
  ) throws(Failure) -> SessionObject {
    let made = LoopCall { () throws(Failure) -> SessionObject in
      let session = try context.publish(.session) { token throws(Failure) -> SessionObject in
        do throws(NetworkError) {
          return try SessionObject(token: token, context: context, options: options, origin: origin)
        } catch {
          throw Failure(.UNISONO_ENETWORK, error.message)
        }
      }
      session.begin()
      return session
    }
    return try made.run(in: context)
  }

  func invite() throws(Failure) -> [UInt8] {
    try requireLife()
    return Array(try snapshot.invite.get().utf8)
  }

  func continuation(_ key: UnsafeRawPointer?, _ length: Int) throws(Failure) -> UnsafePointer<unisono_continuation> {
    let seal = try continuationSeal(key, length, "key", in: context)
    try requireJoined()
    let call = LoopCall { [self] () throws(Failure) -> [UInt8] in
      guard !isDead else { throw ContextObject.closed }
      guard let continuation = continuation(calendarTime: context.calendarTime) else {
        throw Failure(.UNISONO_ESTATE, "group time is not known yet, or the group is on its way to another room; try again in a moment")
      }
      do throws(ContinuationError) {
        return try seal.seal(continuation, random: { context.loop.randomBytes($0) })
      } catch {
        throw Failure(.UNISONO_ETOOBIG, "what the group does takes more than \(ContinuationSeal.maximumLength) bytes")
      }
    }
    return ownedContinuation(try call.run(in: context))
  }

  func join() throws(Failure) {
    try requireLife()
    try submit { $0.join() }
  }

  func leave() throws(Failure) {
    try requireLife()
    try submit { $0.leave() }
  }

  func end() throws(Failure) {
    try requireJoined()
    try requireCommand()
    try submit { $0.end() }
  }

  func activate(_ pointer: UnsafePointer<unisono_activity>?) throws(Failure) {
    guard let pointer else { throw Failure(.UNISONO_EINVAL, "activity is NULL") }
    let activity = try copiedActivity(pointer)
    try requireJoined()
    try requireCommand()
    try submit(cost: CallCost(activity)) { $0.handle(.setActivity(activity)) }
  }
}
