import UnisonoBase
import UnisonoCrypto
import UnisonoReplica
import UnisonoRuntime

// A participant's place at a hub, as the runtime keeps it, with JavaScript for its environment. One for each instance of the module.
// Each call says the time, ns, and answers what came of it: lines of "name value", and orders for the streams.

/// What happened since it was answered last.
private final class Report {
  var found = Found()
}

private final class Participant {
  let environment = DrivenEnvironment()
  let client: HubClient
  let report = Report()

  init(line: HubLine, door: Secret, now: HostTime) {
    environment.now = now
    let identity = Identity(random: environment.randomBytes)
    report.found.add("participant", identity.id.bytes)
    client = HubClient(
      environment: environment, addresses: [line.address],
      door: Door(session: [UInt8](repeating: 7, count: 32), secret: door), identity: identity,
      events: HubClientEvents(
        entered: { [report] entry in
          report.found.add("entered", text: "\(entry.members.count)")
          for member in entry.members { report.found.add("member", member.id.bytes) }
        },
        presence: { [report] joined, gone in
          for member in joined { report.found.add("came", member.id.bytes) }
          for departure in gone { report.found.add(departure.left ? "left" : "lost-touch", departure.id.bytes) }
        },
        delivered: { [report] envelope in report.found.add("delivered", envelope) },
        probed: { [report] sample in report.found.add("probed", text: "\(sample.roundTrip)") },
        lost: { [report] end, retry in
          report.found.add("lost", text: "\(retry.map { "until \($0)" } ?? "for good"): \(end.reason)")
        }))
  }

  func answered() -> UnsafeMutableRawPointer {
    defer { report.found = Found() }
    if let wake = environment.nextWake { report.found.add("wake", text: "\(wake)") }
    return answer(report.found.text, environment.takeOrders())
  }
}

/// Set by `client_begin`, which comes before all other calls.
nonisolated(unsafe) private var begun: Participant?

private func participant(at now: Int64) -> Participant {
  guard let begun else { preconditionFailure("client_begin comes first") }
  begun.environment.now = now
  return begun
}

/// - Parameters:
///   - line: a hub's, UTF-8.
///   - secret: 32 bytes, which name and open the room.
@_expose(wasm, "client_begin")
@_cdecl("client_begin")
public func begin(
  now: Int64, line: UnsafeRawPointer, lineLength: Int32, secret: UnsafeRawPointer, secretLength: Int32
) -> UnsafeMutableRawPointer {
  guard let line = try? HubLine(parsing: String(decoding: bytes(at: line, lineLength), as: UTF8.self)),
    let door = Secret(bytes(at: secret, secretLength))
  else { preconditionFailure("there is a hub's line, and a secret of 32 bytes") }
  let new = Participant(line: line, door: door, now: now)
  begun = new
  return new.answered()
}

/// A timer may be due.
@_expose(wasm, "client_wake")
@_cdecl("client_wake")
public func wake(now: Int64) -> UnsafeMutableRawPointer {
  let one = participant(at: now)
  one.environment.fireTimers()
  return one.answered()
}

@_expose(wasm, "client_opened")
@_cdecl("client_opened")
public func opened(now: Int64, stream: Int32) -> UnsafeMutableRawPointer {
  let one = participant(at: now)
  one.environment.opened(UInt32(bitPattern: stream))
  return one.answered()
}

@_expose(wasm, "client_received")
@_cdecl("client_received")
public func received(now: Int64, stream: Int32, pointer: UnsafeRawPointer, length: Int32) -> UnsafeMutableRawPointer {
  let one = participant(at: now)
  one.environment.received(bytes(at: pointer, length), UInt32(bitPattern: stream))
  return one.answered()
}

@_expose(wasm, "client_closed")
@_cdecl("client_closed")
public func closed(now: Int64, stream: Int32) -> UnsafeMutableRawPointer {
  let one = participant(at: now)
  one.environment.closed(UInt32(bitPattern: stream))
  return one.answered()
}

/// Sends to everybody else in the room; "sent no" where this participant is not in it.
@_expose(wasm, "client_send")
@_cdecl("client_send")
public func send(now: Int64, pointer: UnsafeRawPointer, length: Int32) -> UnsafeMutableRawPointer {
  let one = participant(at: now)
  if !one.client.send(bytes(at: pointer, length)) { one.report.found.add("sent", text: "no") }
  return one.answered()
}

@_expose(wasm, "client_probe")
@_cdecl("client_probe")
public func probe(now: Int64) -> UnsafeMutableRawPointer {
  let one = participant(at: now)
  one.client.probe(.stream)
  return one.answered()
}

@_expose(wasm, "client_leave")
@_cdecl("client_leave")
public func leave(now: Int64) -> UnsafeMutableRawPointer {
  let one = participant(at: now)
  one.client.leave()
  return one.answered()
}
