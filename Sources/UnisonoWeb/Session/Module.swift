import UnisonoBase
import UnisonoCoordination
import UnisonoCrypto
import UnisonoReplica
import UnisonoRuntime

// The module's calls. Names are those of the C header without `unisono_`; what they mean, and what they check, is written there.
//
// Each says the time, ns of JavaScript's own monotonic clock, and answers what came of it: lines of JSON, the first of them
// {"event":"failure"} if it was refused; and orders for the streams (`DrivenEnvironment`). What is given is bytes at an address of the
// module's memory, behind it their number; texts are UTF-8, identifiers 16 bytes, what is optional has the length 0, and of several in
// one each has its length before it (`Given.parts`). No call comes while another is under way. `session_host`, `session_open` or
// `coordinator_listen` is the first, once.

nonisolated(unsafe) private let environment = DrivenEnvironment()
nonisolated(unsafe) private var begun: (any Participation)?
/// What `begun` is, if it is that.
nonisolated(unsafe) private var session: WebSession?
nonisolated(unsafe) private var listener: WebListener?

private func answered(_ failure: Failure?) -> UnsafeMutableRawPointer {
  let head = Report()
  if let failure {
    head.add("failure") { object in
      object.add("code", failure.code.name)
      object.add("message", failure.message)
    }
  }
  begun?.endTurn()
  let tail = Report()
  if let wake = begun?.nextWake { tail.add("wake") { $0.add("hostTime", time: wake) } }
  return answer(head.take() + (begun?.report.take() ?? "") + tail.take(), environment.takeOrders())
}

private func answered(_ now: Int64, _ call: () throws(Failure) -> Void) -> UnsafeMutableRawPointer {
  environment.now = now
  do throws(Failure) {
    try call()
    return answered(nil)
  } catch {
    return answered(error)
  }
}

/// Runs a call of the session at a time.
func perform(_ now: Int64, _ call: (WebSession) throws(Failure) -> Void) -> UnsafeMutableRawPointer {
  answered(now) { () throws(Failure) in
    guard let session else { throw Failure(.state, "there is no session here") }
    try call(session)
  }
}

/// Runs a call of the place in an audience at a time.
func performListening(_ now: Int64, _ call: (WebListener) throws(Failure) -> Void) -> UnsafeMutableRawPointer {
  answered(now) { () throws(Failure) in
    guard let listener else { throw Failure(.state, "there is no audience here") }
    try call(listener)
  }
}

/// Runs a call of either at a time.
func performTogether(_ now: Int64, _ call: (any Participation) throws(Failure) -> Void) -> UnsafeMutableRawPointer {
  answered(now) { () throws(Failure) in
    guard let begun else { throw Failure(.state, "there is no session yet") }
    try call(begun)
  }
}

/// Only once.
private func requireNothing() throws(Failure) {
  guard begun == nil else { throw Failure(.busy, "an instance of the module has one session") }
}

private func begin(_ now: Int64, calendarTime: Int64, _ setup: () throws(Failure) -> SessionSetup) -> UnsafeMutableRawPointer {
  answered(now) { () throws(Failure) in
    environment.setCalendar(calendarTime)
    try requireNothing()
    let made = try WebSession(try setup(), environment: environment)
    (begun, session) = (made, made)
  }
}

private func setup(
  _ origin: SessionSetup.Origin, _ name: Given, _ device: Given, calendarTime: Int64, wish: Role? = nil
) throws(Failure) -> SessionSetup {
  let deviceName = try device.visible(atMost: WireLimits.name, "deviceName") ?? "Browser"
  return SessionSetup(
    origin: origin, displayName: try name.visible(atMost: WireLimits.name, "name") ?? deviceName, deviceName: deviceName,
    firstCommand: 1 << 32 | 1, seed: environment.randomNumber(), keepsStandbyHub: false, roleWish: wish, calendarTime: calendarTime)
}

/// A new session at a hub, or that of another day. `calendarTime`: ns since 1970. `control`: a `unisono_control_policy`. `continuation`
/// and the `key` that it is sealed with: what is gone on from, at most `age` ns old (0: 90 days).
@_expose(wasm, "session_host")
@_cdecl("session_host")
public func host(
  now: Int64, calendarTime: Int64, control: Int32, age: Int64, hub: UnsafeRawPointer, hubLength: Int32, name: UnsafeRawPointer, nameLength: Int32,
  device: UnsafeRawPointer, deviceLength: Int32, activity: UnsafeRawPointer, activityLength: Int32, continuation: UnsafeRawPointer,
  continuationLength: Int32, key: UnsafeRawPointer, keyLength: Int32
) -> UnsafeMutableRawPointer {
  begin(now, calendarTime: calendarTime) { () throws(Failure) in
    guard let control = UInt8(exactly: control), ControlPolicy(rawValue: control) != nil else {
      throw Failure(.invalid, "control is none of a session")
    }
    let text = try Given(hub, hubLength).required(atMost: HubLine.maximumLength, "hub")
    let line: HubLine
    do throws(HubLineError) { line = try HubLine(parsing: text) } catch { throw Failure(.invalid, "hub: \(error.message)") }
    let shown = try Given(activity, activityLength).activity()
    let past = try past(
      Given(continuation, continuationLength), Given(key, keyLength), age: age, at: calendarTime, in: environment)
    let origin: SessionSetup.Origin =
      if let past {
        .continued(past, invite: nil, hub: line, hubOptions: HubOptions())
      } else {
        .host(hub: line, hubOptions: HubOptions(), controlPolicy: control, activity: shown)
      }
    return try setup(origin, Given(name, nameLength), Given(device, deviceLength), calendarTime: calendarTime)
  }
}

/// The session of an invite. `role`: a `unisono_role` that this participant would like to have, 0: that of joiners. `continuation` and what
/// belongs to it as above: this participant comes to where the group is by now, as who it was.
@_expose(wasm, "session_open")
@_cdecl("session_open")
public func open(
  now: Int64, calendarTime: Int64, role: Int32, age: Int64, invite: UnsafeRawPointer, inviteLength: Int32, name: UnsafeRawPointer,
  nameLength: Int32, device: UnsafeRawPointer, deviceLength: Int32, continuation: UnsafeRawPointer, continuationLength: Int32,
  key: UnsafeRawPointer, keyLength: Int32
) -> UnsafeMutableRawPointer {
  begin(now, calendarTime: calendarTime) { () throws(Failure) in
    guard (0...4).contains(role) else { throw Failure(.invalid, "role is none of a session") }
    let text = try Given(invite, inviteLength).required(atMost: 4_095, "invite")
    let parsed: Invite
    do throws(InviteError) { parsed = try Invite(parsing: text) } catch { throw Failure(.invalid, "invite: \(error.message)") }
    let past = try past(
      Given(continuation, continuationLength), Given(key, keyLength), age: age, at: calendarTime, in: environment)
    guard past.map({ $0.origin == parsed.origin }) ?? true else {
      throw Failure(.invalid, "the continuation is of another session than the invite")
    }
    let origin: SessionSetup.Origin =
      if let past { .continued(past, invite: parsed, hub: nil, hubOptions: HubOptions()) } else { .invited(parsed) }
    return try setup(
      origin, Given(name, nameLength), Given(device, deviceLength), calendarTime: calendarTime,
      wish: Role(rawValue: UInt8(role)))
  }
}

/// A place in the audience of a link.
@_expose(wasm, "coordinator_listen")
@_cdecl("coordinator_listen")
public func listen(
  now: Int64, calendarTime: Int64, link: UnsafeRawPointer, linkLength: Int32, device: UnsafeRawPointer, deviceLength: Int32
) -> UnsafeMutableRawPointer {
  answered(now) { () throws(Failure) in
    environment.setCalendar(calendarTime)
    try requireNothing()
    let text = try Given(link, linkLength).required(atMost: 4_095, "link")
    let parsed: AudienceLink
    do throws(InviteError) { parsed = try AudienceLink(parsing: text) } catch { throw Failure(.invalid, "link: \(error.message)") }
    let name = try Given(device, deviceLength).visible(atMost: WireLimits.name, "deviceName") ?? "Browser"
    let made = WebListener(
      AudienceListener.Setup(
        link: parsed, displayName: name, deviceName: name, seed: environment.randomNumber(), firstCommand: 1 << 32 | 1),
      environment: environment)
    (begun, listener) = (made, made)
  }
}

/// A timer may be due.
@_expose(wasm, "wake")
@_cdecl("wake")
public func wake(now: Int64) -> UnsafeMutableRawPointer { performTogether(now) { _ in environment.fireTimers() } }

/// This machine slept, for `asleep` ns in all since the module began, while JavaScript's clock stood.
@_expose(wasm, "slept")
@_cdecl("slept")
public func slept(now: Int64, asleep: Int64) -> UnsafeMutableRawPointer { performTogether(now) { _ in environment.timeAsleep = asleep } }

@_expose(wasm, "stream_opened")
@_cdecl("stream_opened")
public func opened(now: Int64, stream: Int32) -> UnsafeMutableRawPointer {
  performTogether(now) { _ in environment.opened(UInt32(bitPattern: stream)) }
}

/// One message came.
@_expose(wasm, "stream_received")
@_cdecl("stream_received")
public func received(now: Int64, stream: Int32, pointer: UnsafeRawPointer, length: Int32) -> UnsafeMutableRawPointer {
  performTogether(now) { _ in environment.received(bytes(at: pointer, length), UInt32(bitPattern: stream)) }
}

@_expose(wasm, "stream_closed")
@_cdecl("stream_closed")
public func closed(now: Int64, stream: Int32) -> UnsafeMutableRawPointer {
  performTogether(now) { _ in environment.closed(UInt32(bitPattern: stream)) }
}
