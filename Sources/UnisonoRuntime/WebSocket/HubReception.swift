import UnisonoBase

/// Which of its two protocols a connection to a hub's port speaks, told by its first bytes, and what of the second comes down to the
/// first.
///
/// Phases: undecided, until a byte differs from "GET " or all four came; then raw, where bytes go through as they are; or an HTTP
/// request, and after it a WebSocket, or a visit of the hub's site; over, for good. No frame of the hub's own protocol begins like that: it would be 1.2 GB long.
struct HubReception: Sendable {
  /// Within this a request that began is complete.
  static let requestTime = Nanoseconds.seconds(5)
  private static let get = Array("GET ".utf8)
  /// Beginnings of other requests, which are answered where there are files to be had; no frame begins like that, either.
  private static let others = ["HEAD", "POST", "PUT ", "PATC", "DELE", "OPTI"].map { Array($0.utf8) }

  private enum Stage {
    case undecided([UInt8])
    case raw
    case request(HTTPHeadReader)
    case webSocket(WebSocketConnection)
    /// Somebody else answers its request.
    case visit
    case over
  }

  /// What should happen, in this order.
  struct Outcome: Equatable, Sendable {
    /// A request began: it is to be complete within `requestTime`.
    var beginsRequest = false
    /// The handshake is through, and the client is here: `HTTPAnswer.full` where it has no place, and no more of this.
    var client: PeerAddress?
    /// The request is for a file. Nothing more is read, and what is written goes out as it is.
    var visit: SiteRequest?
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
  private let site: SiteDoor?
  private let limits: HubLimits
  private let peer: PeerAddress
  private var stage = Stage.undecided([])

  /// `site`: nil: the hub has none.
  init(_ upgrade: WebSocketUpgrade, site: SiteDoor? = nil, limits: HubLimits, peer: PeerAddress) {
    self.upgrade = upgrade
    self.site = site
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
    case .over, .visit: break
    case .raw: outcome.received = bytes
    case .undecided(let first):
      let all = first + bytes
      let beginnings = [Self.get] + (site == nil ? [] : Self.others)
      if !beginnings.contains(where: { all.prefix($0.count).elementsEqual($0.prefix(all.count)) }) {
        stage = .raw
        outcome.received = all
      } else if all.count < Self.get.count {
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
    var withBody = true
    do throws(HTTPAnswer) {
      guard let (request, rest) = try reader.read(bytes) else {
        stage = .request(reader)
        return
      }
      withBody = request.method != "HEAD"
      if let site, !WebSocketUpgrade.isAsked(by: request) {
        let grant = try site.grant(request, from: peer)
        stage = .visit
        (outcome.visit, outcome.client) = (grant.request, grant.client)
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
      refuse(error, withBody: withBody, &outcome)
    }
  }

  private mutating func refuse(_ answer: HTTPAnswer, withBody: Bool = true, _ outcome: inout Outcome) {
    stage = .over
    outcome.answer = answer.bytes(withBody: withBody)
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
    case .undecided, .raw, .visit: []
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
