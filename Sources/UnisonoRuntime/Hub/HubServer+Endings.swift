import UnisonoCore

/// How connections end, and what is looked after once a second.
extension HubServer {
  func broke(_ connection: HubConnection) {
    if connection.seat != nil {
      log(HubLog(.info, "\(connection.name) broke the protocol: closed"))
      refuse(connection, .protocolBroken)
    } else if case .silent = connection.stage {
      refuseSilently(connection)
    } else {
      refuse(connection, .auth)
    }
  }

  /// Not a byte: who did not speak the protocol learns nothing about what listens here.
  func refuseSilently(_ connection: HubConnection) {
    if connection.isClosed { return }
    statistics.refused += 1
    drop(connection)
    connection.stream.close()
  }

  func refuse(_ connection: HubConnection, _ refusal: HubRefusal, retry: Nanoseconds? = nil) {
    if connection.isClosed { return }
    let milliseconds = retry.map { UInt32(clamping: $0.adding(999_999) / .milliseconds(1)) }
    let frame = RefusedFrame(status: refusal.rawValue, text: refusal.text, retry: milliseconds)
    if refusal != .replaced { statistics.refused += 1 }
    write(HubFrame.refused(frame).encoded, to: connection)
    drop(connection)
    connection.stream.close()
  }

  func closeSlow(_ connection: HubConnection, _ text: String) {
    if connection.isClosed { return }
    log(HubLog(.info, text))
    statistics.closedSlow += 1
    drop(connection)
    connection.stream.close()
  }

  /// Takes `connection` out of everything. The room hears of it when this turn's work settles: telling it here could
  /// close the next slow reader while the caller still walks through the room.
  func drop(_ connection: HubConnection, left: Bool = false) {
    if connection.isClosed { return }
    connection.isClosed = true
    endings += 1
    let now = now
    inbound.change(&connection.notedInbound, to: 0)
    outbound.change(&connection.notedOutbound, to: 0)
    resting.remove(connection.number)
    connections[connection.number] = nil
    gate.leave(connection.address, entered: connection.isCountedAsEntered, now: now)
    if let seat = connection.seat {
      probes.remove(token: seat.token)
      let wasHere = rooms.leave(
        room: seat.room, id: seat.id, connection: connection.number, from: connection.address)
      if wasHere {
        departures.add(Departure(id: seat.id, connection: connection.number, left: left), to: seat.room)
      }
    }
    statistics.connections = UInt64(connections.count)
    statistics.rooms = UInt64(rooms.count)
  }

  /// Frames written and connections closed in one turn, beyond which the rest has to wait: each is a call of the system,
  /// and what a member says meanwhile waits for all of them. 4,096 connections that end at once hold nobody up so.
  static let effortPerTurn: UInt64 = 64
  /// Connections looked at in one turn; most need nothing.
  private static let looksPerTurn = 1_024
  /// Between two such turns, so that there is time for what members say.
  private static let pause = Nanoseconds.milliseconds(1)

  private var effort: UInt64 { statistics.framesOut + endings }

  /// Tells rooms who left them: at once, or after the pause where somebody was told just now, so that a room that many
  /// leave hears of them in one frame. Nothing is told before a look around is through, to people who are about to be
  /// closed in it.
  func settle() {
    guard !departures.isEmpty, !tellsLater, unlooked.isEmpty else { return }
    guard now >= mayTell else { return tellLater() }
    let before = effort
    while effort - before < Self.effortPerTurn, let (room, gone) = departures.next() { tell(room, gone: gone) }
    mayTell = now.adding(Self.pause)
    if !departures.isEmpty { tellLater() }
  }

  private func tellLater() {
    tellsLater = true
    departureTimer?.arm(at: mayTell)
  }

  func tell(_ room: UInt64, gone: [Departure]) {
    for start in stride(from: 0, to: gone.count, by: HubLimits.membersPerFrame) {
      let some = Array(gone[start..<min(start + HubLimits.membersPerFrame, gone.count)])
      tell(room, HubFrame.presence(joined: [], gone: some).encoded)
    }
  }

  /// Once a second, while anybody is connected: what is late, silent or forgotten.
  func tick() {
    noticeSleep()
    let now = now
    if unlooked.isEmpty { unlooked = connections.keys.sorted()[...] }
    let before = effort
    var looks = 0
    while looks < Self.looksPerTurn, effort - before < Self.effortPerTurn, let number = unlooked.popFirst() {
      looks += 1
      if let connection = connections[number] { check(connection, now: now) }
    }
    guard unlooked.isEmpty else {
      // From now on: this turn may have taken longer than the pause.
      tickTimer?.arm(at: self.now.adding(Self.pause))
      return
    }
    settle()
    logLeftOut()
    gate.sweep(now: now)
    if !connections.isEmpty || gate.count > 0 { tickTimer?.arm(at: now.adding(.seconds(1))) }
  }

  func check(_ connection: HubConnection, now: HostTime) {
    guard connection.seat != nil else {
      if now.subtracting(connection.accepted) >= HubLimits.unenteredTime { refuseSilently(connection) }
      return
    }
    if let since = connection.restingSince {
      if now.subtracting(since) > HubLimits.stoppedTime {
        log(HubLog(.info, "\(connection.name) sends far more than it may: closed"))
        refuse(connection, .full)
      }
      return
    }
    if let begun = connection.frameBegun, now.subtracting(begun) > HubLimits.frameTime {
      return broke(connection)
    }
    let silence = now.subtracting(connection.lastHeard)
    if silence >= HubLimits.deadAfter {
      log(HubLog(.debug, "\(connection.name) is silent: closed"))
      drop(connection)
      connection.stream.close()
    } else if silence >= HubLimits.pingAfter, now.subtracting(connection.asked ?? .min) >= HubLimits.pingAfter {
      connection.asked = now
      write(HubFrame.ping(0).encoded, to: connection)
    }
  }
}
