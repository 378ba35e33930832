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

  /// Takes `connection` out of everything. The room hears of it at the end of the turn: telling it here could close the
  /// next slow reader while the caller still walks through the room.
  func drop(_ connection: HubConnection, left: Bool = false) {
    if connection.isClosed { return }
    connection.isClosed = true
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
        let departure = Departure(id: seat.id, connection: connection.number, left: left)
        departed.append((seat.room, departure))
      }
    }
    statistics.connections = UInt64(connections.count)
    statistics.rooms = UInt64(rooms.count)
  }

  func settle() {
    while let (room, departure) = departed.popLast() {
      tell(room, HubFrame.presence(joined: [], gone: [departure]).encoded)
    }
  }

  /// So many connections are looked at in one turn: 4,096 that all have to be asked, or closed, would hold up for tenths of
  /// a second what members say.
  private static let slice = 128
  private static let pause = Nanoseconds.milliseconds(1)

  /// Once a second, while anybody is connected: what is late, silent or forgotten.
  func tick() {
    noticeSleep()
    let now = now
    if unlooked.isEmpty { unlooked = connections.keys.sorted()[...] }
    for number in unlooked.prefix(Self.slice) {
      if let connection = connections[number] { check(connection, now: now) }
    }
    unlooked = unlooked.dropFirst(Self.slice)
    settle()
    guard unlooked.isEmpty else {
      tickTimer?.arm(at: now.adding(Self.pause))
      return
    }
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
