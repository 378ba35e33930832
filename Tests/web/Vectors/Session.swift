import UnisonoBase
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

/// A participant of Tests/vectors/session.json, with the room that the library makes of its keys.
private struct Person {
  let id: ParticipantID
  var room: SecureChannel
  var sent: [[UInt8]] = []
  /// Type of each message that it took from others, in order; a dash: refused.
  var heard: [String] = []
  /// What was said to it, as text.
  var texts: [String] = []

  init(_ given: Fields, _ person: String, _ invite: Invite) {
    let identity = Identity(
      signingSeed: given.secret("\(person).seed_sign"), agreementSeed: given.secret("\(person).seed_kex"),
      hybridSeed: given.secret("\(person).seed_xwing"))
    id = identity.id
    let lane = Array(given.bytes("\(person).lane").suffix(8))
    // The creator draws the first content key, the other one a key for its hello.
    let drawn = given.has("\(person).seed_hello") ? given.bytes("\(person).seed_hello") : given.bytes("chain")
    room = SecureChannel(
      door: Door(session: invite.origin.session, secret: invite.door), identity: identity, root: invite.origin.root,
      isCreator: given.text("\(person).name") == "A", random: { $0 == 8 ? lane : drawn })
  }

  mutating func take(_ effects: [ChannelEffect]) {
    for effect in effects {
      switch effect {
      case .transmit(let envelope, _): sent.append(envelope)
      case .deliver(let message, _):
        switch message {
        case .update, .snapshot(_?): heard.append("update")
        case .beat: heard.append("beat")
        case .want: heard.append("want")
        default: break
        }
      case .other(let message, _):
        heard.append("\(message.type.rawValue)")
        if case .data(_, let bytes, _, _, _) = message { texts.append(String(decoding: bytes, as: UTF8.self)) }
      case .refused: heard.append("-")
      default: break
      }
    }
  }
}

/// The frames of a whole session as its two participants take them.
func session(_ given: Fields, _ found: inout Found) -> String {
  guard let invite = try? Invite(parsing: given.text("invite")) else { return "invite" }
  var people: [String: Person] = [:]
  for place in 0..<given.count("people", "name") {
    people[given.text("people.\(place).name")] = Person(given, "people.\(place)", invite)
  }
  let now: HostTime = .seconds(1_000)
  for place in 0..<given.count("frames", "to") {
    let to = given.text("frames.\(place).to")
    var assembler = FrameAssembler(limit: WireLimits.frame)
    assembler.append(given.bytes("frames.\(place).frame"))
    guard let raw = (try? assembler.next()).flatMap({ $0 }), let frame = (try? HubFrame.decode(raw)).flatMap({ $0 })
    else {
      return "frame"
    }
    guard var person = people[to] else { continue }
    switch frame {
    case .entered(let seat):
      person.take(person.room.entered(members: seat.members.filter { $0.id != person.id }, now: now))
    case .presence(let joined, let gone): person.take(person.room.presence(joined: joined, gone: gone, now: now))
    case .deliver(let envelope): person.take(person.room.received(envelope, now: now))
    default: break
    }
    people[to] = person
  }
  for name in ["A", "B"] {
    guard let person = people[name] else { return "people" }
    found.add("\(name)_heard", text: person.heard.joined(separator: ","))
    found.add("\(name)_texts", text: person.texts.joined(separator: ","))
    found.add("\(name)_hello", person.sent.first ?? [])
  }
  return "ok"
}
