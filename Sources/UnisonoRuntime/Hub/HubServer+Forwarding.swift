import UnisonoCore

/// What goes out: envelopes to the others, times to who asks.
extension HubServer {
  func forward(
    _ envelope: [UInt8], to: [ParticipantID]?, from seat: HubConnection.Seat, _ connection: HubConnection
  ) throws(WireError) {
    let header = try EnvelopeHeader(envelope: envelope)
    guard header.sender == seat.id, let room = rooms[seat.room] else { throw .range }
    let frame = HubFrame.deliver(envelope: envelope).encoded
    var numbers: [UInt64]
    if let to {
      numbers = to.compactMap { room.connection(of: $0) }
    } else {
      numbers = room.members.map(\.connection)
    }
    numbers.removeAll { $0 == connection.number }
    var sent = 0
    for number in numbers {
      guard let receiver = connections[number], !receiver.isClosed else { continue }
      if write(frame, to: receiver, mayDrop: header.kind == .unordered) { sent += frame.count }
    }
    rooms.sent(sent, in: seat.room, for: seat.id, now: now)
  }

  func tell(_ room: UInt64, _ frame: [UInt8], except number: UInt64? = nil) {
    for member in rooms[room]?.members ?? [] where member.connection != number {
      if let connection = connections[member.connection] { write(frame, to: connection) }
    }
  }

  /// false: not sent. `mayDrop`: left out for a receiver that has much waiting already.
  @discardableResult
  func write(_ frame: [UInt8], to connection: HubConnection, mayDrop: Bool = false) -> Bool {
    if connection.isClosed || mayDrop && connection.stream.queuedBytes > HubLimits.unorderedBytes { return false }
    if connection.stream.queuedBytes + frame.count > HubLimits.outboundBytes {
      closeSlow(connection, "\(connection.name) does not read: closed")
      return false
    }
    connection.stream.write(frame)
    statistics.framesOut += 1
    statistics.bytesOut += UInt64(frame.count)
    connection.queue.wrote(frame.count)
    outbound.change(&connection.notedOutbound, to: connection.outboundCost)
    if outbound.isOver { relieve() }
    return !connection.isClosed
  }

  /// Brings what waits to be sent below the budget: the largest queues go.
  func relieve() {
    for connection in connections.values {
      outbound.change(&connection.notedOutbound, to: connection.outboundCost)
    }
    while outbound.isOver, let largest = connections.values.max(by: { $0.notedOutbound < $1.notedOutbound }) {
      closeSlow(largest, "memory for frames to send is used up: \(largest.name) closed")
    }
  }

  func hubTime(_ time: HostTime) -> HubTime { time.subtracting(clockZero) }

  func datagram(_ bytes: [UInt8], from: PeerAddress, at: HostTime, through socket: HubSocket) {
    noticeSleep()
    guard let ask = try? ProbePacket(bytes: bytes), let to = probes.judge(ask, from: from, now: now)?.to,
      let answer = probes.answer(to: ask, received: hubTime(at), sent: hubTime(now))
    else { return }
    socket.send(answer.bytes, to: to)
    statistics.probes += 1
  }

  func probe(_ ask: ProbePacket, from seat: HubConnection.Seat, _ connection: HubConnection) {
    noticeSleep()
    let now = now
    guard !connection.isClosed, ask.token == seat.token, probes.judge(ask, from: nil, now: now) != nil,
      let answer = probes.answer(to: ask, received: hubTime(now), sent: hubTime(self.now))
    else { return }
    guard write(HubFrame.probe(answer).encoded, to: connection, mayDrop: true) else { return }
    statistics.probes += 1
  }
}
