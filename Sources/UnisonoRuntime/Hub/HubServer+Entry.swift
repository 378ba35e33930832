import UnisonoCore
import UnisonoCrypto

/// The way from the first byte to a seat (docs/hub.md, Entry).
extension HubServer {
  func open(_ frame: RawFrame, on connection: HubConnection) {
    connection.receivedFrames += 1
    guard frame.type == HubFrame.FrameType.open.rawValue, let open = try? OpenFrame(body: frame.body) else {
      return refuseSilently(connection)
    }
    guard (open.lowestVersion...open.highestVersion).contains(Self.version) else {
      return refuse(connection, .version)
    }
    switch gate.attempt(connection.address, now: now) {
    case .full: return refuse(connection, .full)
    case .tooOften(let retry): return refuse(connection, .full, retry: retry)
    case nil: break
    }
    guard
      let handshake = try? HubHandshake(
        answering: frame.body, hub: identity, clock: clockID, random: environment.randomBytes)
    else { return refuse(connection, .auth) }
    connection.stage = .challenged(handshake)
    write(HubFrame.challenge(handshake.challenge).encoded, to: connection)
  }

  func enter(_ frame: RawFrame, _ handshake: HubHandshake, on connection: HubConnection) {
    connection.receivedFrames += 1
    if frame.type < 128, HubFrame.FrameType(rawValue: frame.type) == nil,
      connection.receivedFrames < HubLimits.unenteredFrames
    {
      return
    }
    guard frame.type == HubFrame.FrameType.enter.rawValue,
      let admitted = try? handshake.admit(handshake.read(enter: frame.body)),
      mayEnter(admitted)
    else {
      return refuse(connection, .auth)
    }
    if admitted.looksOnly {
      show(admitted.topic, to: connection)
      return looked(admitted.participant)
    }
    guard gate.enter(connection.address, now: now) else { return refuse(connection, .full) }
    connection.isCountedAsEntered = true
    // Who left through one connection and comes back through another is told in this order.
    if let known = rooms.number(of: admitted.topic), let gone = departures.take(of: known) { tell(known, gone: gone) }
    let entry = rooms.enter(
      topic: admitted.topic, id: admitted.participant, connection: connection.number, from: connection.address, now: now
    )
    guard case .entered(let room, let replaced) = entry else { return refuse(connection, .full) }
    let token = makeToken(admitted.probes)
    connection.stage = .entered(HubConnection.Seat(room: room, id: admitted.participant, token: token))
    connection.assembler.limit = HubLimits.frameLength
    statistics.rooms = UInt64(rooms.count)
    if let replaced, let older = connections[replaced] {
      log(HubLog(.debug, "participant \(admitted.participant) came back; its older connection ends"))
      refuse(older, .replaced)
    }
    announce(connection, in: room, id: admitted.participant, token: token)
    if let notice = notices.notice(for: admitted.topic, now: now) {
      write(HubFrame.deliver(envelope: notice).encoded, to: connection)
    }
    entered()
    log(HubLog(.debug, "participant \(admitted.participant) entered a room of \(rooms[room]?.members.count ?? 0)"))
  }

  private func mayEnter(_ entry: HubEntry) -> Bool {
    guard onlyTopics?.contains(entry.topic) ?? true else { return false }
    if rooms[topic: entry.topic] != nil { return true }
    return rearDoors[entry.topic]?.contains(entry.participant) ?? true
  }

  /// Who is in a room.
  public func participants(of topic: [UInt8]) -> [ParticipantID] { rooms[topic: topic]?.members.map(\.id) ?? [] }

  /// Who looks for the rest of its group sees who is in the room, and is gone again before anybody notices.
  private func show(_ topic: [UInt8], to connection: HubConnection) {
    let members = members(of: rooms[topic: topic])
    let entered = EnteredFrame(
      connection: connection.number, members: Array(members.prefix(HubLimits.membersPerFrame)), token: 0, udpPort: 0,
      frameLimit: UInt32(HubLimits.frameLength), bytesPerSecond: UInt32(clamping: limits.bytesPerSecond))
    write(HubFrame.entered(entered).encoded, to: connection)
    drop(connection)
    connection.stream.close()
  }

  private func members(of room: HubRoom?) -> [Member] {
    let now = now
    return (room?.members ?? []).map { member in
      let age = now.subtracting(member.entered) / .seconds(1)
      return Member(id: member.id, connection: member.connection, age: UInt32(clamping: age))
    }
  }

  /// Tells the newcomer who is there, and the others that it came.
  func announce(_ connection: HubConnection, in room: UInt64, id: ParticipantID, token: UInt64) {
    let members = members(of: rooms[room])
    let slice = HubLimits.membersPerFrame
    let entered = EnteredFrame(
      connection: connection.number, members: Array(members.prefix(slice)), token: token,
      udpPort: connection.socket.udpPort, frameLimit: UInt32(HubLimits.frameLength),
      bytesPerSecond: UInt32(clamping: limits.bytesPerSecond), advertised: options.advertise)
    write(HubFrame.entered(entered).encoded, to: connection)
    for start in stride(from: slice, to: members.count, by: slice) {
      let some = Array(members[start..<min(start + slice, members.count)])
      write(HubFrame.presence(joined: some, gone: []).encoded, to: connection)
    }
    let news = HubFrame.presence(joined: [Member(id: id, connection: connection.number, age: 0)], gone: []).encoded
    tell(room, news, except: connection.number)
  }

  func makeToken(_ code: ProbeMAC) -> UInt64 {
    while true {
      let token = environment.randomBytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      if probes.add(token: token, code: code, now: now) { return token }
    }
  }
}
