import Testing
import UnisonoBase

@testable import UnisonoRuntime

@Suite("Two protocols at one port")
struct HubReceptionTests {
  private func reception() -> HubReception {
    HubReception(
      WebSocketUpgrade(HubOptions()), limits: HubLimits(), peer: PeerAddress(host: "203.0.113.9", port: 5_000))
  }

  /// All that `pieces` lead to, put together.
  private func outcome(of pieces: [[UInt8]]) -> HubReception.Outcome {
    var reception = reception()
    var all = HubReception.Outcome()
    for piece in pieces {
      let next = reception.receive(piece, queued: 0, now: 0)
      all.beginsRequest = all.beginsRequest || next.beginsRequest
      all.answer += next.answer
      all.received += next.received
      all.end = all.end ?? next.end
    }
    return all
  }

  private static let record: [UInt8] = [0, 0, 0, 3, 1, 2, 3]

  @Test("F90: wherever a handshake and its frames are cut, the same comes of them")
  func splits() {
    let stream =
      ClientFrames.request() + ClientFrames.binary(Self.record) + ClientFrames.ping([9])
      + ClientFrames.frame(0x02, [0, 0, 0]) + ClientFrames.frame(0x80, [1, 77]) + ClientFrames.close(1_000)
    let whole = outcome(of: [stream])
    #expect(whole.received == Self.record + [0, 0, 0, 1, 77])
    #expect(whole.answer.suffix(7) == WebSocketWriter.pong([9])[...] + WebSocketWriter.close(.normal))
    #expect(whole.beginsRequest && whole.end == .closed)
    for cut in 0...stream.count { #expect(outcome(of: [Array(stream[..<cut]), Array(stream[cut...])]) == whole) }
    #expect(outcome(of: stream.map { [$0] }) == whole)
  }

  @Test("F90: what does not begin like a request passes as it is, however it is cut")
  func raw() {
    for stream in [[0, 0, 4, 0, 1], Array("GEN".utf8), Array("POST / HTTP/1.1".utf8), [0x16, 3, 1]] as [[UInt8]] {
      for pieces in [[stream], stream.map { [$0] }] {
        let all = outcome(of: pieces)
        #expect(all.received == stream && all.answer.isEmpty && !all.beginsRequest && all.end == nil)
      }
    }
    var undecided = reception()
    #expect(undecided.receive(Array("GET".utf8), queued: 0, now: 0) == HubReception.Outcome())
    #expect(!undecided.isRaw)
    #expect(undecided.framed([1]) == [1] && undecided.head(of: 1) == [])
  }

  @Test("F90: a request that is late is answered so, once; a WebSocket is never late")
  func late() {
    var slow = reception()
    #expect(slow.receive(Array("GET / HT".utf8), queued: 0, now: 0).beginsRequest)
    #expect(slow.framed([1]).isEmpty && slow.head(of: 1) == nil)
    #expect(slow.requestIsLate().answer == HTTPAnswer.tooLate.bytes())
    #expect(slow.requestIsLate() == HubReception.Outcome())
    #expect(slow.receive([1], queued: 0, now: 0) == HubReception.Outcome())
    var quick = reception()
    _ = quick.receive(ClientFrames.request(), queued: 0, now: 0)
    #expect(quick.requestIsLate() == HubReception.Outcome())
    #expect(quick.isWebSocket)
    #expect(quick.head(of: 700) == [0x82, 126, 2, 188] && quick.framed([7]) == [0x82, 1, 7])
    #expect(quick.close(.policy) == WebSocketWriter.close(.policy))
    #expect(quick.close(.policy).isEmpty)
  }

  @Test("F90: a Ping has an answer, but for whoever does not read its answers")
  func pings() {
    for (queued, isAnswered) in [(0, true), (HubLimits.unorderedBytes + 1, false)] {
      var reception = reception()
      _ = reception.receive(ClientFrames.request(), queued: 0, now: 0)
      let outcome = reception.receive(ClientFrames.ping([5]), queued: queued, now: 0)
      #expect(outcome.answer == (isAnswered ? WebSocketWriter.pong([5]) : []))
      #expect(outcome.end == nil)
    }
  }

  @Test("F90: frames that complete no message are 200 a second and 400 at once, as those of the hub")
  func extraFrames() {
    for frame in [ClientFrames.ping(), ClientFrames.frame(0x00, [])] {
      var reception = reception()
      _ = reception.receive(ClientFrames.request() + ClientFrames.frame(0x02, [0]), queued: 0, now: 0)
      let some = Array(repeating: frame, count: 399).flatMap { $0 }
      #expect(reception.receive(some, queued: 0, now: 0).end == nil)
      // One second brings 200 more.
      let now = HostTime.seconds(1)
      #expect(reception.receive(Array(some.prefix(frame.count * 200)), queued: 0, now: now).end == nil)
      let last = reception.receive(frame, queued: 0, now: now)
      #expect(last.end == .refused("far more frames than messages"))
      #expect(last.answer == WebSocketWriter.close(.policy))
    }
  }
}
