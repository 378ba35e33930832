import UnisonoBase
import UnisonoWire

/// A hub's end of one WebSocket, from the handshake on: what comes in becomes records, what goes out becomes messages.
///
/// `receive` until its outcome has an end; then nothing any more.
struct WebSocketConnection: Sendable {
  /// What should happen, in this order.
  struct Outcome: Equatable, Sendable {
    /// Bytes of records, or of frames in clear, as they would be over TCP.
    var records: [UInt8] = []
    /// To be sent.
    var replies: [UInt8] = []
    /// It is over; `replies` has the Close frame.
    var end: End?
  }

  enum End: Equatable, Sendable {
    /// The client closed it in order.
    case closed
    case violation(WebSocketViolation)
  }

  private var reader = WebSocketReader(limit: RecordText.greatestRecord + 4)
  private var boundary = RecordBoundary()
  /// Frames that complete no message cost the hub work and count in none of its limits, so they have one here.
  private var extraFrames: TokenBucket

  init(limits: HubLimits, now: HostTime) {
    extraFrames = TokenBucket(rate: limits.framesPerSecond, burst: limits.framesBurst, now: now)
  }

  /// Takes bytes of the stream. `queued`: bytes that wait to be sent, beyond some of which a Ping has no answer.
  mutating func receive(_ bytes: [UInt8], queued: Int, now: HostTime) -> Outcome {
    var outcome = Outcome()
    reader.append(bytes)
    do throws(WebSocketViolation) {
      while outcome.end == nil {
        let before = reader.extraFrames
        let part = try reader.next()
        if reader.extraFrames > before, !extraFrames.spend(now: now) {
          throw WebSocketViolation(code: .policy, text: "far more frames than messages")
        }
        guard let part else { break }
        try take(part, queued: queued, &outcome)
      }
    } catch {
      outcome.replies += WebSocketWriter.close(error.code)
      outcome.end = .violation(error)
    }
    return outcome
  }

  private mutating func take(
    _ part: WebSocketReader.Part, queued: Int, _ outcome: inout Outcome
  ) throws(WebSocketViolation) {
    switch part {
    case .data(let payload, let ends):
      try boundary.take(payload, ends: ends)
      outcome.records += payload
    case .ping(let payload):
      if queued + outcome.replies.count <= HubLimits.unorderedBytes { outcome.replies += WebSocketWriter.pong(payload) }
    case .pong: break
    case .close(let code):
      outcome.replies += WebSocketWriter.close(code ?? .normal)
      outcome.end = .closed
    }
  }
}
