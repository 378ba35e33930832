import UnisonoBase
import UnisonoCoordination
import UnisonoCrypto
import UnisonoReplica
import UnisonoRuntime
import UnisonoWire

// Calls of a session.

@_expose(wasm, "session_join")
@_cdecl("session_join")
public func join(now: Int64) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    try session.place.requireLife()
    session.engine.join()
  }
}

@_expose(wasm, "session_leave")
@_cdecl("session_leave")
public func leave(now: Int64) -> UnsafeMutableRawPointer {
  performTogether(now) { (participation) throws(Failure) in try participation.leave() }
}

@_expose(wasm, "session_end")
@_cdecl("session_end")
public func end(now: Int64) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    try session.requireCommand()
    session.engine.end()
  }
}

@_expose(wasm, "session_activate")
@_cdecl("session_activate")
public func activate(now: Int64, activity: UnsafeRawPointer, activityLength: Int32) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    guard let shown = try Given(activity, activityLength).activity() else { throw Failure(.invalid, "activity is missing") }
    try session.requireCommand()
    session.handle(.setActivity(shown))
  }
}

/// `isReliable` 0: fast, may be lost. `to`: identifiers of those whom it is for; none: all others. `type`: what the bytes are; none: not
/// said; `version`: of the type, the bits of a UInt32.
@_expose(wasm, "session_send")
@_cdecl("session_send")
public func send(
  now: Int64, isReliable: Int32, version: Int32, data: UnsafeRawPointer, length: Int32, to: UnsafeRawPointer, toLength: Int32,
  type: UnsafeRawPointer, typeLength: Int32
) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    let bytes = try Given(data, length).bytes(atMost: WireLimits.applicationMessage, "data")
    let named = try Given(to, toLength).identifiers(atMost: WireLimits.participants, "to", ParticipantKind.self)
    let type = try Given(type, typeLength).text(atMost: WireLimits.messageType, "type")
    try session.requireJoined()
    let local = session.engine.identity.id
    var receivers: Set<ParticipantID> = []
    for id in named where try session.known(id) != local { receivers.insert(id) }
    guard session.engine.outgoing.reserve(bytes.count) else {
      throw Failure(.busy, "\(OutgoingBudget.limit) bytes wait to be sent; wait for \"writable\" and send again")
    }
    let label = type.map { MessageLabel(type: $0, version: UInt32(bitPattern: version)) }
    session.engine.send(bytes, label: label, isReliable: isReliable != 0, to: named.isEmpty ? nil : receivers.sorted())
  }
}

@_expose(wasm, "session_chat")
@_cdecl("session_chat")
public func say(now: Int64, text: UnsafeRawPointer, length: Int32) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in try session.say(try Given(text, length).lines(atMost: WireLimits.chatText, "text")) }
}

@_expose(wasm, "session_react")
@_cdecl("session_react")
public func react(now: Int64, text: UnsafeRawPointer, length: Int32) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    guard let text = try Given(text, length).visible(atMost: WireLimits.reaction, "text") else {
      throw Failure(.invalid, "text is missing; give 1...\(WireLimits.reaction) bytes of UTF-8")
    }
    try session.react(text)
  }
}

@_expose(wasm, "session_set_speaking")
@_cdecl("session_set_speaking")
public func setSpeaking(now: Int64, speaking: Int32) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    try session.requireJoined()
    session.engine.setSpeaking(speaking != 0)
  }
}

/// `word`: a `unisono_ready`: 0 not said, 1 ready, 2 not ready.
@_expose(wasm, "coordinator_set_ready")
@_cdecl("coordinator_set_ready")
public func setReady(now: Int64, word: Int32) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    guard let word = UInt8(exactly: word).flatMap({ ReadyWord(rawValue: $0) }) else { throw Failure(.invalid, "there is no such word") }
    try session.place.requireLife()
    session.handle(.setReady(word))
  }
}

@_expose(wasm, "session_set_role")
@_cdecl("session_set_role")
public func setRole(now: Int64, role: Int32, id: UnsafeRawPointer, idLength: Int32) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    guard let role = UInt8(exactly: role).flatMap({ Role(rawValue: $0) }) else { throw Failure(.invalid, "there is no such role") }
    try session.requireOwnership()
    let participant = try session.known(try Given(id, idLength).identifier("participant", ParticipantKind.self))
    session.engine.setRole(of: participant, to: role)
  }
}

@_expose(wasm, "session_set_control_policy")
@_cdecl("session_set_control_policy")
public func setControl(now: Int64, control: Int32) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    guard let control = UInt8(exactly: control).flatMap({ ControlPolicy(rawValue: $0) }) else {
      throw Failure(.invalid, "there is no such control policy")
    }
    try session.requireOwnership()
    session.engine.setControl(control)
  }
}

@_expose(wasm, "session_set_closed")
@_cdecl("session_set_closed")
public func setClosed(now: Int64, closed: Int32) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    try session.requireOwnership()
    session.engine.setClosed(closed != 0)
  }
}

@_expose(wasm, "session_remove_participant")
@_cdecl("session_remove_participant")
public func remove(now: Int64, id: UnsafeRawPointer, idLength: Int32) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    try session.requireOwnership()
    let participant = try session.known(try Given(id, idLength).identifier("participant", ParticipantKind.self))
    guard participant != session.engine.identity.id else { throw Failure(.invalid, "participant is this one itself; leave instead") }
    session.engine.remove(participant)
  }
}

/// `duration`, `size`, `hash`: how to recognise a copy of it, as of `session_set_copy`; `addresses`: where it can be had, each behind its
/// length; `before`: an entry; none: at the end; `ranges`: what the group may leave out of it.
@_expose(wasm, "session_add_entry")
@_cdecl("session_add_entry")
public func addEntry(
  now: Int64, duration: Int64, size: Int64, item: UnsafeRawPointer, itemLength: Int32, title: UnsafeRawPointer, titleLength: Int32,
  addresses: UnsafeRawPointer, addressesLength: Int32, before: UnsafeRawPointer, beforeLength: Int32, ranges given: UnsafeRawPointer,
  rangesLength: Int32, hash: UnsafeRawPointer, hashLength: Int32
) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    let item = try Given(item, itemLength).item("item")
    let title = try Given(title, titleLength).visible(atMost: WireLimits.title, "title")
    let copy = try copy(duration: duration, size: size, hash: Given(hash, hashLength))
    var places: [String] = []
    for part in try Given(addresses, addressesLength).parts(atMost: WireLimits.entryAddresses, "addresses") {
      guard let place = try part.visible(atMost: WireLimits.url, "an address") else { throw Failure(.invalid, "an address is empty") }
      places.append(place)
    }
    let before = try Given(before, beforeLength).identifier("before", EntryKind.self)
    let ranges = try ranges(Given(given, rangesLength))
    try session.requireCommand()
    let entry = PlaylistEntry(
      place: .spread(0), item: item, added: 0, title: title ?? "", copy: copy, addresses: places, ranges: ranges)
    guard session.engine.playlist.hasRoom(for: entry) else {
      throw Failure(.full, "the playlist has no room for another entry; remove some first")
    }
    let random = session.environment
    let id = EntryID(high: random.randomNumber() | 1, low: random.randomNumber())
    session.handle(.editPlaylist(.add(id, entry: entry, before: before)))
  }
}

@_expose(wasm, "session_move_entry")
@_cdecl("session_move_entry")
public func moveEntry(
  now: Int64, entry: UnsafeRawPointer, entryLength: Int32, before: UnsafeRawPointer, beforeLength: Int32
) -> UnsafeMutableRawPointer {
  edit(now, entry, entryLength) { (entry) throws(Failure) in
    .move(entry, before: try Given(before, beforeLength).identifier("before", EntryKind.self))
  }
}

@_expose(wasm, "session_remove_entry")
@_cdecl("session_remove_entry")
public func removeEntry(now: Int64, entry: UnsafeRawPointer, entryLength: Int32) -> UnsafeMutableRawPointer {
  edit(now, entry, entryLength) { .remove($0) }
}

@_expose(wasm, "session_select_entry")
@_cdecl("session_select_entry")
public func selectEntry(now: Int64, entry: UnsafeRawPointer, entryLength: Int32) -> UnsafeMutableRawPointer {
  edit(now, entry, entryLength) { .select($0) }
}

private func edit(
  _ now: Int64, _ entry: UnsafeRawPointer, _ length: Int32, _ make: (EntryID) throws(Failure) -> PlaylistEdit
) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    guard let entry = try Given(entry, length).identifier("entry", EntryKind.self) else {
      throw Failure(.invalid, "entry is missing; give the id of one")
    }
    let edit = try make(entry)
    try session.requireCommand()
    session.handle(.editPlaylist(edit))
  }
}

/// `follows`: the entry that the group is at, by what the caller knows; none: wherever it is.
@_expose(wasm, "session_next_entry")
@_cdecl("session_next_entry")
public func nextEntry(now: Int64, follows: UnsafeRawPointer, followsLength: Int32) -> UnsafeMutableRawPointer {
  perform(now) { (session) throws(Failure) in
    let follows = try Given(follows, followsLength).identifier("follows", EntryKind.self)
    try session.requireCommand()
    session.handle(.editPlaylist(.next(follows: follows)))
  }
}
