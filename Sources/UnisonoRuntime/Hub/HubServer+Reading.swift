import UnisonoCore

/// What comes in, as fast as the limits allow.
extension HubServer {
  func received(_ bytes: [UInt8], on connection: HubConnection) {
    if connection.isClosed { return }
    let now = now
    statistics.bytesIn += UInt64(bytes.count)
    connection.lastHeard = now
    connection.asked = nil
    connection.receivedBytes += bytes.count
    if connection.seat == nil, connection.receivedBytes > HubLimits.unenteredBytes {
      refuseSilently(connection)
    } else {
      connection.bytes.charge(Double(bytes.count), now: now)
      connection.assembler.append(bytes)
      work(connection)
    }
    settle()
  }

  /// Handles the frames that wait, as far as the limits allow now.
  func work(_ connection: HubConnection) {
    let now = now
    var rest: HostTime?
    var handled = false
    do throws(WireError) {
      while !connection.isClosed {
        rest = self.rest(of: connection, now: now)
        guard rest == nil, let frame = try connection.assembler.next() else { break }
        handled = true
        connection.frames.charge(1, now: now)
        statistics.framesIn += 1
        try handle(frame, on: connection)
      }
    } catch {
      broke(connection)
    }
    if connection.isClosed { return }
    if rest != nil {
      // While it rests, time for a begun frame does not run: the rest has its own bound.
      connection.frameBegun = nil
    } else if connection.assembler.pending == 0 {
      connection.frameBegun = nil
    } else if handled || connection.frameBegun == nil {
      connection.frameBegun = now
    }
    setRest(connection, until: rest, now: now)
    inbound.change(&connection.notedInbound, to: connection.assembler.held)
    while inbound.isOver, let largest = connections.values.max(by: { $0.notedInbound < $1.notedInbound }) {
      log(HubLog(.warning, "memory for received bytes is used up: \(largest.name) closed"))
      refuse(largest, .full)
    }
  }

  /// Until when `connection` may not be read; nil: it may.
  func rest(of connection: HubConnection, now: HostTime) -> HostTime? {
    guard let seat = connection.seat else { return nil }
    if connection.bytes.isEmpty(now: now) { return connection.bytes.time(now: now) }
    if connection.frames.isEmpty(now: now) { return connection.frames.time(now: now) }
    return rooms.mustRest(seat.id, in: seat.room, now: now)
  }

  func setRest(_ connection: HubConnection, until time: HostTime?, now: HostTime) {
    if let time {
      connection.restingUntil = time
      if connection.restingSince == nil {
        connection.restingSince = now
        connection.stream.setReading(false)
      }
      resting.insert(connection.number)
      armRest(for: time, now: now)
    } else if connection.restingSince != nil {
      connection.restingSince = nil
      connection.lastHeard = now
      resting.remove(connection.number)
      connection.stream.setReading(true)
    }
  }

  /// In steps of 10 ms, so that many who rest cost few wake-ups.
  private func armRest(for time: HostTime, now: HostTime) {
    let wanted = max(time, now.adding(.milliseconds(10)))
    guard wanted < nextWake ?? .max else { return }
    nextWake = wanted
    restTimer?.arm(at: wanted)
  }

  func wake() {
    let now = now
    nextWake = nil
    for number in resting.sorted() {
      guard let connection = connections[number], connection.restingUntil <= now else { continue }
      work(connection)
    }
    if let next = resting.compactMap({ connections[$0]?.restingUntil }).min() { armRest(for: next, now: now) }
    settle()
  }

  func handle(_ frame: RawFrame, on connection: HubConnection) throws(WireError) {
    switch connection.stage {
    case .silent: open(frame, on: connection)
    case .challenged(let handshake): enter(frame, handshake, on: connection)
    case .entered(let seat):
      switch try HubFrame.decode(frame) {
      case .send(let to, let envelope): try forward(envelope, to: to, from: seat, connection)
      case .probe(let packet): probe(packet, from: seat, connection)
      case .ping(let number): write(HubFrame.pong(number).encoded, to: connection, mayDrop: true)
      case .pong: break
      case .keep(let envelope):
        guard try EnvelopeHeader(envelope: envelope).sender == seat.id else { throw .range }
        if let topic = rooms.topic(of: seat.room) { notices.keep(envelope, for: topic, now: now) }
      case .leave:
        drop(connection, left: true)
        connection.stream.close()
      case .open, .challenge, .enter, .entered, .refused, .presence, .deliver: throw .range
      case nil: break
      }
    }
  }
}
