import UnisonoBase
import UnisonoCrypto
import UnisonoWire

/// A client's open clock probes: which were asked when and on which way, and what an answer is worth.
struct ProbeLedger {
  private struct Ask {
    var t1: HostTime
    let opaque: UInt64
    let isDatagram: Bool
  }

  private static let most = 64

  private let token: UInt64
  private let code: ProbeMAC
  private var open: [UInt64: Ask] = [:]
  private var number: UInt64 = 0

  init(token: UInt64, code: ProbeMAC) {
    self.token = token
    self.code = code
  }

  /// The next ask, to be sent at once; `left` says when that was, as computing the code takes its time.
  mutating func ask(isDatagram: Bool, opaque: UInt64, now: HostTime) -> ProbePacket {
    number += 1
    open[number] = Ask(t1: now, opaque: opaque, isDatagram: isDatagram)
    if number > UInt64(Self.most) { open[number - UInt64(Self.most)] = nil }
    return code.signed(ProbePacket(kind: .ask, token: token, number: number, opaque: opaque))
  }

  /// The ask of this number leaves now.
  mutating func left(_ number: UInt64, at time: HostTime) { open[number]?.t1 = time }

  /// Forgets all open asks, which are not answered any more: this machine slept, and its clock stood meanwhile.
  mutating func forget() { open = [:] }

  /// The sample in an answer; nil: not an answer to an open ask, or not by the hub.
  mutating func answer(_ packet: ProbePacket, isDatagram: Bool, at: HostTime) -> ProbeSample? {
    guard packet.kind == .answer, packet.token == token,
      let ask = open[packet.number], ask.opaque == packet.opaque, ask.isDatagram == isDatagram, code.verifies(packet)
    else { return nil }
    open[packet.number] = nil
    return ProbeSample(t1: ask.t1, t4: at, t2: packet.received, t3: packet.sent, isDatagram: isDatagram)
  }
}
