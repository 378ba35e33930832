import UnisonoBase
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

/// One case of a vector file: fields in, what was made of them out (`Found`), and "ok" or the error's name before it.
@_expose(wasm, "vector_case")
@_cdecl("vector_case")
public func vectorCase(group: Int32, pointer: UnsafeRawPointer, count: Int32) -> UnsafeMutableRawPointer {
  let fields = Fields(bytes(at: pointer, count))
  var found = Found()
  let result: String
  switch group {
  case 0: result = schedule(fields, &found)
  case 1: result = envelope(fields, &found)
  case 2: result = hybrid(fields, &found)
  case 3: result = introduction(fields, &found)
  case 4: result = invite(fields, &found)
  case 5: result = session(fields, &found)
  case 6: result = welcome(fields, &found)
  case 7: result = probe(fields, &found)
  default: preconditionFailure("there are eight groups")
  }
  return answer(result, Array(found.text.utf8))
}

extension Fields {
  func secret(_ name: String) -> Secret {
    guard let secret = Secret(bytes(name)) else { preconditionFailure("a secret has 32 bytes") }
    return secret
  }
}

private func schedule(_ given: Fields, _ found: inout Found) -> String {
  let bytes = given.bytes("origin")
  guard let root = ParticipantID(bytes: bytes[1..<17]) else { return "origin" }
  let session = Origin(root: root, controlPolicy: bytes[17], joinerRole: bytes[18]).session
  let door = Door(session: session, secret: given.secret("door"))
  found.add("session", session)
  found.add("topic", door.topic)
  found.add("door_chain", door.chain.bytes)
  let seed = given.secret("seed_sign")
  found.add("id", Identity(signingSeed: seed, agreementSeed: seed, hybridSeed: seed).id.bytes)
  return "ok"
}

private func envelope(_ given: Fields, _ found: inout Found) -> String {
  let (session, topic) = (given.bytes("session"), given.bytes("topic"))
  do throws(EnvelopeError) {
    var reader = ByteReader(given.bytes("header"))
    guard let header = try? EnvelopeHeader(reading: &reader) else { return "header" }
    let scope = Scope(session: session, topic: topic)
    let key = SendKey(chain: given.secret("chain"), scope: scope, header: header)
    let author = SigningKey(seed: given.secret("seed_sign"))
    let sealed = try Envelope.seal(given.bytes("content"), header: header, scope: scope, key: key, author: author)
    found.add("envelope", sealed)
    let opened = try Envelope.open(sealed, key: key)
    try opened.verify(author: author.publicKey, scope: scope)
    found.add("content", opened.content)
    // Each byte of it counts.
    for index in EnvelopeHeader.length..<sealed.count {
      var bent = sealed
      bent[index] ^= 1
      if (try? Envelope.open(bent, key: key)) != nil { return "open" }
    }
    return "ok"
  } catch {
    switch error {
    case .malformed(let error), .padding(let error): return error.name
    case .seal: return "seal"
    case .signature: return "signature"
    }
  }
}

private func hybrid(_ given: Fields, _ found: inout Found) -> String {
  do throws(KeyError) {
    if given.has("public") { _ = try HybridPublicKey(given.bytes("public")).encapsulate() }
    guard given.has("seed") else { return "ok" }
    let key = HybridKey(seed: given.secret("seed"))
    found.add("public", key.publicKey.bytes)
    found.add("secret", try key.secret(in: given.bytes("encapsulated")).bytes)
    let (secret, encapsulated) = try key.publicKey.encapsulate()
    return try key.secret(in: encapsulated) == secret ? "ok" : "another secret"
  } catch {
    return error.name
  }
}

private func introduction(_ given: Fields, _ found: inout Found) -> String {
  let session = given.bytes("session")
  do throws(IntroductionError) {
    if given.has("seed_sign") {
      let identity = Identity(
        signingSeed: given.secret("seed_sign"), agreementSeed: given.secret("seed_kex"),
        hybridSeed: given.secret("seed_xwing"))
      let person = given.has("person") ? PersonKey(person: given.bytes("person"), session: session) : nil
      let minor = given.has("minor") ? UInt16(given.number("minor")) : 0
      found.add("made", Introduction(identity, session: session, person: person, minor: minor).bytes)
    }
    let read = try Introduction(verifying: given.bytes("intro"), session: session)
    found.add("intro", read.bytes)
    found.add("id", read.id.bytes)
    found.add("person_id", read.personID)
    return "ok"
  } catch {
    switch error {
    case .malformed(let error): return error.name
    case .key(let error): return error.name
    case .signature: return "signature"
    case .vouch: return "vouch"
    }
  }
}

private func invite(_ given: Fields, _ found: inout Found) -> String {
  guard let invite = try? Invite(parsing: given.text("text")) else { return "refused" }
  found.add("origin", invite.origin.bytes)
  found.add("session", invite.origin.session)
  found.add("door", invite.door.bytes)
  guard let made = try? Invite(origin: invite.origin, door: invite.door, hubs: invite.hubs, passes: invite.passes)
  else {
    return "unwritable"
  }
  found.add("written", text: made.text)
  return "ok"
}

/// What a member sealed for a newcomer, and the introductions that came with it. Whether the chain of records proves anything is asked
/// natively: here a welcome that opens is "open".
private func welcome(_ given: Fields, _ found: inout Found) -> String {
  guard let welcomer = ParticipantID(bytes: given.bytes("welcomer")),
    let newcomer = ParticipantID(bytes: given.bytes("newcomer"))
  else { return "ids" }
  let door = Door(session: given.bytes("session"), secret: given.secret("door"))
  let seal = WelcomeSeal(scope: door.scope, welcomer: welcomer, newcomer: newcomer, hello: given.bytes("hello"))
  let key = HybridKey(seed: given.secret("seed_xwing"))
  let sealed = given.bytes("sealed")
  do throws(WelcomeError) {
    let (text, chain) = try seal.open(sealed, with: key)
    found.add("chain", chain.bytes)
    for intro in text.intros + [given.bytes("intro")]
    where (try? Introduction(verifying: intro, session: door.scope.session)) == nil { return "introduction" }
    // What is sealed here again opens for the newcomer alone.
    let again = try seal.seal(text, chain: chain, to: key.publicKey)
    guard try seal.open(again, with: key).chain == chain else { return "another key" }
    guard (try? seal.open(again, with: HybridKey(seed: given.secret("door")))) == nil else { return "for anybody" }
    return "open"
  } catch {
    return error == .seal ? "seal" : "length"
  }
}

private func probe(_ given: Fields, _ found: inout Found) -> String {
  let mac = ProbeMAC(key: given.secret("key"))
  do throws(WireError) {
    if given.has("packet") { return mac.verifies(try ProbePacket(bytes: given.bytes("packet"))) ? "ok" : "mac" }
  } catch {
    return error.name
  }
  guard let kind = ProbePacket.Kind(rawValue: UInt8(given.number("kind"))) else { return "kind" }
  func word(_ name: String) -> UInt64 { given.bytes(name).reduce(0) { $0 << 8 | UInt64($1) } }
  let signed = mac.signed(
    ProbePacket(
      kind: kind, token: word("token"), number: given.number("number"), opaque: word("opaque"),
      received: given.time("t2"), sent: given.time("t3")))
  found.add("packet", signed.bytes)
  return "ok"
}

extension KeyError {
  /// As the vectors write it.
  var name: String {
    switch self {
    case .length: "length"
    case .nonCanonical: "nonCanonical"
    case .smallOrder: "smallOrder"
    case .lowOrder: "lowOrder"
    }
  }
}
