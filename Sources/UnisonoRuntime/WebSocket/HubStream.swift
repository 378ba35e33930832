import UnisonoBase

/// A connection to a hub's port as the hub's own protocol: raw TCP, or a WebSocket whose messages are its frames.
///
/// Each `write` is one frame or record; `send` takes several. Phases: from `begin`, where its owner's events are known, to `close` or the
/// event `closed`. It belongs to its owner, and the stream below does not keep it.
final class HubStream: ByteStream {
  private let stream: any ByteStream
  private let environment: any Environment
  private var reception: HubReception
  private var events: StreamEvents?
  private var moved: (PeerAddress) -> Bool = { _ in true }
  private var refused: (String) -> Void = { _ in }
  private var asked: (SiteRequest) -> StreamEvents? = { _ in nil }
  private var requestTimer: (any LoopTimer)?
  private(set) var peer: PeerAddress

  init(_ stream: any ByteStream, environment: any Environment, upgrade: WebSocketUpgrade, site: SiteDoor?, limits: HubLimits) {
    self.stream = stream
    self.environment = environment
    peer = stream.peer
    reception = HubReception(upgrade, site: site, limits: limits, peer: stream.peer)
  }

  var isWebSocket: Bool { reception.isWebSocket }

  /// From where it may come, for what is given to neighbours alone. A WebSocket may come through a proxy on this machine, of which nothing
  /// can be seen here, and from any page, so it is nobody's neighbour.
  var reach: AddressReach { reception.isWebSocket ? .anywhere : AddressReach(of: peer.description) }

  /// Sets who is called when a proxy says where the client is (false: there is no place for that address) and when a client broke a rule
  /// of HTTP or of WebSockets, in words for the log; `closed` follows. `asked`: it turned out to be somebody who wants a file; returns whom
  /// its events are for from now on, nil: there is no place.
  func observe(
    moved: @escaping (PeerAddress) -> Bool, refused: @escaping (String) -> Void, asked: @escaping (SiteRequest) -> StreamEvents?
  ) {
    self.moved = moved
    self.refused = refused
    self.asked = asked
  }

  /// Begins to tell `events`; returns those for the stream below.
  func begin(_ events: StreamEvents) -> StreamEvents {
    self.events = events
    return StreamEvents(
      received: { [weak self] in self?.take($0) },
      drained: { [weak self] in self?.events?.drained() },
      closed: { [weak self] in self?.finish($0) })
  }

  // MARK: ByteStream

  var queuedBytes: Int { stream.queuedBytes }

  func write(_ bytes: [UInt8]) { stream.write(reception.isRaw ? bytes : reception.framed(bytes)) }

  /// What goes before a record of `count` bytes in what `send` is handed; nil: nothing is sent.
  func head(of count: Int) -> [UInt8]? { reception.head(of: count) }

  /// Sends records, each behind its `head`.
  func send(_ bytes: UnsafeRawBufferPointer) -> Int { stream.send(bytes) }

  func setReading(_ reading: Bool) { stream.setReading(reading) }

  func receiveNow() { stream.receiveNow() }

  func close() { close(.normal) }

  /// As `close`, with a reason for those who speak WebSocket.
  func close(_ code: WebSocketCloseCode) {
    events = nil
    requestTimer?.close()
    let last = reception.close(code)
    if !last.isEmpty { stream.write(last) }
    stream.close()
  }

  // MARK: What comes

  private func take(_ bytes: [UInt8]) {
    guard !reception.isRaw else {
      events?.received(bytes)
      return
    }
    follow(reception.receive(bytes, queued: stream.queuedBytes, now: environment.now))
  }

  private func follow(_ outcome: HubReception.Outcome) {
    guard events != nil else { return }
    if outcome.beginsRequest { awaitRequest() }
    if reception.isWebSocket || outcome.visit != nil { requestTimer?.close() }
    if let client = outcome.client {
      guard moved(client) else { return turnAway() }
      peer = client
    }
    if let visit = outcome.visit {
      guard let visitor = asked(visit) else { return turnAway() }
      events = visitor
      return
    }
    if !outcome.answer.isEmpty { stream.write(outcome.answer) }
    if !outcome.received.isEmpty { events?.received(outcome.received) }
    switch outcome.end {
    case nil: break
    case .closed: finish(nil)
    case .refused(let text): end(text)
    }
  }

  private func turnAway() {
    stream.write(HTTPAnswer.full.bytes())
    end("no place for \(peer.host)")
  }

  private func awaitRequest() {
    let timer = environment.makeTimer { [weak self] in
      guard let self else { return }
      self.follow(self.reception.requestIsLate())
    }
    timer.arm(at: environment.now.adding(HubReception.requestTime))
    requestTimer = timer
  }

  private func end(_ text: String) {
    guard events != nil else { return }
    refused(text)
    finish(NetworkError(text))
  }

  /// The one `closed`.
  private func finish(_ error: NetworkError?) {
    guard let events else { return }
    self.events = nil
    requestTimer?.close()
    stream.close()
    events.closed(error)
  }
}
