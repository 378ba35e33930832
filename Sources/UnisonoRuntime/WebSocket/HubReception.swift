import UnisonoBase

/// Which of its two protocols a connection to a hub's port speaks, told by its first bytes, and what of the second comes down to the first.
///
/// Phases: undecided, until a byte differs from "GET " or all four came; then raw, where bytes go through as they are; or an HTTP
/// request, and after it a WebSocket; over, for good. No frame of the hub's own protocol begins like that: it would be 1.2 GB long.
struct HubReception: Sendable {
  /// Within this a request that began is complete.
  static let requestTime = Nanoseconds.seconds(5)
  private static let method = Array("GET ".utf8)

  private enum Stage {
    case undecided([UInt8])
    case raw
    case request(HTTPHeadReader)
    case webSocket(WebSocketConnection)
    case over
  }

  /// What should happen, in this order.
  struct Outcome: Equatable, Sendable {
    /// A request began: it is to be complete within `requestTime`.
    var beginsRequest = false
    /// The handshake is through, and the client is here: `HTTPAnswer.full` where it has no place, and no more of this.
    var client: PeerAddress?
    /// To be sent as it is.
    var answer: [UInt8] = []
    /// For the hub's connection.
    var received: [UInt8] = []
    var end: End?
  }

  enum End: Equatable, Sendable {
    /// By the client, in order.
    case closed
    /// Because of a rule that it broke.
    case refused(String)
  }

  private let upgrade: WebSocketUpgrade
  private let limits: HubLimits
  private let peer: PeerAddress
  private var stage = Stage.undecided([])

  init(_ upgrade: WebSocketUpgrade, limits: HubLimits, peer: PeerAddress) {
    self.upgrade = upgrade
    self.limits = limits
    self.peer = peer
  }

  /// What comes and goes is the hub's own protocol as it is.
  var isRaw: Bool { if case .raw = stage { true } else { false } }

  /// The handshake is through, and was when it is over.
  private(set) var isWebSocket = false

  /// Takes bytes of the stream. `queued`: bytes that wait to be sent.
  mutating func receive(_ bytes: [UInt8], queued: Int, now: HostTime) -> Outcome {
    var outcome = Outcome()
    switch stage {
    case .over: break
    case .raw: outcome.received = bytes
    case .undecided(let first):
      let all = first + bytes
      if !all.prefix(Self.method.count).elementsEqual(Self.method.prefix(all.count)) {
        stage = .raw
        outcome.received = all
      } else if all.count < Self.method.count {
        stage = .undecided(all)
      } else {
        outcome.beginsRequest = true
        read(all, HTTPHeadReader(), queued: queued, now: now, &outcome)
      }
    case .request(let reader): read(bytes, reader, queued: queued, now: now, &outcome)
    case .webSocket(var connection):
      // Its buffers are to have one owner while it is changed.
      stage = .over
      let part = connection.receive(bytes, queued: queued, now: now)
      if part.end == nil { stage = .webSocket(connection) }
      outcome.received = part.records
      outcome.answer = part.replies
      switch part.end {
      case nil: break
      case .closed: outcome.end = .closed
      case .violation(let violation): outcome.end = .refused(violation.text)
      }
    }
    return outcome
  }

  private mutating func read(
    _ bytes: [UInt8], _ reader: HTTPHeadReader, queued: Int, now: HostTime, _ outcome: inout Outcome
  ) {
    var reader = reader
    do throws(HTTPAnswer) {
      guard let (request, rest) = try reader.read(bytes) else {
        stage = .request(reader)
        return
      }
      let grant = try upgrade.grant(request, from: peer)
      stage = .webSocket(WebSocketConnection(limits: limits, now: now))
      isWebSocket = true
      let begins = outcome.beginsRequest
      outcome = rest.isEmpty ? Outcome() : receive(rest, queued: queued, now: now)
      outcome.beginsRequest = begins
      outcome.client = grant.client
      outcome.answer = grant.answer + outcome.answer
    } catch {
      refuse(error, &outcome)
    }
  }

  private mutating func refuse(_ answer: HTTPAnswer, _ outcome: inout Outcome) {
    stage = .over
    outcome.answer = answer.bytes
    outcome.end = .refused(answer.sentence)
  }

  /// `requestTime` is over; what follows if the request is still not complete.
  mutating func requestIsLate() -> Outcome {
    var outcome = Outcome()
    if case .request = stage { refuse(.tooLate, &outcome) }
    return outcome
  }

  /// What goes before a frame or record of `count` bytes; nil: there is nobody who would understand it, and nothing is sent.
  func head(of count: Int) -> [UInt8]? {
    switch stage {
    case .undecided, .raw: []
    case .webSocket: WebSocketWriter.binaryHead(count)
    case .request, .over: nil
    }
  }

  /// A frame or record as it is sent.
  func framed(_ record: [UInt8]) -> [UInt8] { head(of: record.count).map { $0 + record } ?? [] }

  /// Ends it; returns what is to be sent before.
  mutating func close(_ code: WebSocketCloseCode) -> [UInt8] {
    defer { stage = .over }
    if case .webSocket = stage { return WebSocketWriter.close(code) }
    return []
  }
}
