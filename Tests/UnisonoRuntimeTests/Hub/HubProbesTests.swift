import Testing
import UnisonoCrypto
import UnisonoWire

@testable import UnisonoRuntime

@Suite("Clock probes at the hub")
struct HubProbesTests {
  private let code = ProbeMAC(key: Secret { [UInt8](repeating: 7, count: $0) })
  private let here = PeerAddress(host: "10.0.0.7", port: 5_000)
  private let elsewhere = PeerAddress(host: "10.9.9.9", port: 6_000)

  private func ask(_ number: UInt64, token: UInt64 = 77, code: ProbeMAC? = nil) -> ProbePacket {
    (code ?? self.code).signed(ProbePacket(kind: .ask, token: token, number: number, opaque: 99))
  }

  private func made() -> Box<HubProbes> {
    let probes = Box(HubProbes(perSecond: 20))
    #expect(probes { $0.add(token: 77, code: code, now: 0) })
    return probes
  }

  @Test("Z33: unknown token, wrong code, replay and an answer instead of an ask get no answer")
  func silent() {
    let probes = made()
    #expect(probes.value.judge(ask(1, token: 78), from: here, now: 0) == nil)
    let other = ProbeMAC(key: Secret { [UInt8](repeating: 8, count: $0) })
    #expect(probes.value.judge(ask(1, code: other), from: here, now: 0) == nil)
    for byte in 0..<64 {
      var changed = ask(1).bytes
      changed[byte] ^= 1
      guard let packet = try? ProbePacket(bytes: changed) else { continue }
      #expect(probes.value.judge(packet, from: here, now: 0) == nil)
    }
    #expect(probes.value.judge(ask(1), from: here, now: 0) != nil)
    #expect(probes.value.judge(ask(1), from: here, now: 0) == nil)
    let answer = code.signed(ProbePacket(kind: .answer, token: 77, number: 2, opaque: 99))
    #expect(probes.value.judge(answer, from: here, now: 0) == nil)
  }

  @Test("Z33: only the newest number with a valid code moves the address that answers go to")
  func address() {
    let probes = made()
    #expect(probes.value.judge(ask(5), from: here, now: 0)?.to == here)
    #expect(probes.value.judge(ask(4), from: elsewhere, now: 0)?.to == here)
    #expect(probes.value.judge(ask(5), from: elsewhere, now: 0) == nil)
    #expect(probes.value.judge(ask(6), from: here, now: 0)?.to == here)
    #expect(probes.value.judge(ask(7), from: elsewhere, now: 0)?.to == elsewhere)
  }

  @Test("a token is answered 20 times a second, and forgeries do not use that up")
  func rate() {
    let probes = made()
    for number in 1...1_000 { _ = probes.value.judge(ask(UInt64(number), token: 1), from: here, now: 0) }
    #expect((1...100).filter { probes.value.judge(ask(UInt64($0)), from: here, now: 0) != nil }.count == 20)
    #expect(probes.value.judge(ask(200), from: here, now: .milliseconds(50)) != nil)
    #expect(probes.value.judge(ask(201), from: here, now: .milliseconds(50)) == nil)
  }

  @Test("an answer carries number and opaque bytes back, the two times, and a valid code")
  func answer() throws {
    let probes = made()
    let judged = try #require(probes { $0.judge(ask(5), from: nil, now: 0) })
    #expect(judged.to == nil)
    let answer = try #require(probes { $0.answer(to: ask(5), received: 1_000, sent: 2_000) })
    #expect((answer.kind, answer.token, answer.number, answer.opaque) == (.answer, 77, 5, 99))
    #expect((answer.received, answer.sent) == (1_000, 2_000))
    #expect(code.verifies(answer))
  }

  @Test("a token is given once, and is nothing after its connection ended")
  func tokens() {
    let probes = made()
    #expect(!probes { $0.add(token: 77, code: code, now: 0) })
    #expect(!probes { $0.add(token: 0, code: code, now: 0) })
    probes.value.remove(token: 77)
    #expect(probes.value.judge(ask(1), from: here, now: 0) == nil)
    #expect(probes.value.count == 0)
  }
}
