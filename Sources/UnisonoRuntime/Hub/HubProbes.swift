import UnisonoBase
import UnisonoCrypto
import UnisonoWire

/// The clock probes of a hub: who may ask, and what was asked already. Knows nothing of sockets.
struct HubProbes {
  private struct Asker {
    let code: ProbeMAC
    var window = ProbeWindow()
    var bucket: TokenBucket
    /// Destination of answers by UDP.
    var address: PeerAddress?
  }

  /// An ask that is answered.
  struct Verdict: Equatable {
    /// Destination by UDP; nil: it came in the stream.
    var to: PeerAddress?
  }

  private let perSecond: Double
  private var askers: [UInt64: Asker] = [:]

  init(perSecond: Double) { self.perSecond = perSecond }

  var count: Int { askers.count }

  /// Names a connection for probes; false: the token is taken.
  mutating func add(token: UInt64, code: ProbeMAC, now: HostTime) -> Bool {
    guard token != 0, askers[token] == nil else { return false }
    askers[token] = Asker(code: code, bucket: TokenBucket(rate: perSecond, burst: perSecond, now: now))
    return true
  }

  mutating func remove(token: UInt64) { askers[token] = nil }

  /// Judges an ask; nil: no answer.
  ///
  /// Nothing changes before the code is verified, so whoever cannot compute it can neither use up the asker's numbers
  /// and rate nor draw its answers elsewhere. Only the newest number moves the address: a captured ask that arrives late
  /// from somewhere else is answered to where the asker is known to be.
  mutating func judge(
    _ ask: ProbePacket, from address: PeerAddress?, now: HostTime
  ) -> Verdict? {
    guard ask.kind == .ask, var asker = askers[ask.token], asker.code.verifies(ask) else { return nil }
    let verdict = asker.window.record(ask.number)
    guard verdict != .replay, asker.bucket.spend(now: now) else {
      askers[ask.token] = asker
      return nil
    }
    if verdict == .newest, let address { asker.address = address }
    askers[ask.token] = asker
    return Verdict(to: address == nil ? nil : asker.address ?? address)
  }

  /// The answer to `ask`, with its code; times of the hub's clock.
  func answer(to ask: ProbePacket, received: HubTime, sent: HubTime) -> ProbePacket? {
    guard let asker = askers[ask.token] else { return nil }
    return asker.code.signed(
      ProbePacket(
        kind: .answer, token: ask.token, number: ask.number, opaque: ask.opaque, received: received, sent: sent))
  }
}
