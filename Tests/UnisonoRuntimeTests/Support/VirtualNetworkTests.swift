import Testing
import UnisonoBase

@testable import UnisonoRuntime

@Suite("The virtual network")
struct VirtualNetworkTests {
  @Test("bytes cross in order and after the path's delay, and closing arrives behind them")
  func stream() throws {
    let network = VirtualNetwork(seed: 3)
    let (hub, guest) = (network.machine(), network.machine())
    network.setPath(hub, guest, VirtualPath(delay: .milliseconds(50), jitter: .milliseconds(20)))
    var got: [UInt8] = []
    var ended = 0
    let listener = try hub.listen(on: "0.0.0.0:4747") { _ in
      StreamEvents(received: { got += $0 }, closed: { if $0 == nil { ended += 1 } })
    }
    var openedAt: Int64?
    let stream = guest.connect(
      to: "\(hub.host):\(listener.port)",
      StreamEvents(opened: { openedAt = network.trueTime }, received: { _ in }, closed: { _ in }))
    for byte in 0..<100 { stream.write([UInt8(byte)]) }
    #expect(network.run(atMost: .seconds(1)) { got.count == 100 })
    #expect(got == Array(0..<100))
    #expect((openedAt ?? 0) >= .milliseconds(60) && (openedAt ?? 0) <= .milliseconds(140))
    stream.close()
    network.run(for: .seconds(1))
    #expect(ended == 1)
  }

  @Test("a reader that stops fills the window and then the writer's queue")
  func window() throws {
    let network = VirtualNetwork()
    let machine = network.machine()
    var inner: (any ByteStream)?
    var got = 0
    let listener = try machine.listen(on: "127.0.0.1:0") { stream in
      inner = stream
      stream.setReading(false)
      return StreamEvents(received: { got += $0.count }, closed: { _ in })
    }
    var drains = 0
    let stream = machine.connect(
      to: "127.0.0.1:\(listener.port)",
      StreamEvents(received: { _ in }, drained: { drains += 1 }, closed: { _ in }))
    stream.write([UInt8](repeating: 7, count: VirtualStream.window + 1_000))
    network.run(for: .seconds(1))
    #expect((got, stream.queuedBytes, drains) == (0, 1_000, 0))
    inner?.setReading(true)
    network.run(for: .seconds(1))
    #expect((got, stream.queuedBytes, drains) == (VirtualStream.window + 1_000, 0, 1))
  }

  @Test("nobody listening is an error after a round trip; a cut holds streams and loses datagrams until it heals")
  func faults() throws {
    let network = VirtualNetwork()
    let (a, b) = (network.machine(), network.machine())
    var refusal: NetworkError?
    _ = a.connect(to: "\(b.host):9", StreamEvents(received: { _ in }, closed: { refusal = $0 }))
    #expect(refusal == nil)
    network.run(for: .seconds(1))
    #expect(refusal != nil)

    var stream: [UInt8] = []
    var datagrams: [[UInt8]] = []
    let listener = try b.listen(on: "0.0.0.0:0") { _ in StreamEvents(received: { stream += $0 }, closed: { _ in }) }
    let receiver = try b.openDatagrams(on: "0.0.0.0:0") { bytes, _, _ in datagrams.append(bytes) }
    let sender = try a.openDatagrams(on: "0.0.0.0:0") { _, _, _ in }
    let outgoing = a.connect(to: "\(b.host):\(listener.port)", StreamEvents(received: { _ in }, closed: { _ in }))
    network.run(for: .seconds(1))
    network.cut(a, b)
    outgoing.write([1])
    sender.send([1], to: PeerAddress(host: b.host, port: receiver.port))
    network.run(for: .seconds(5))
    #expect(stream.isEmpty && datagrams.isEmpty)
    network.heal(a, b)
    outgoing.write([2])
    sender.send([2], to: PeerAddress(host: b.host, port: receiver.port))
    network.run(for: .seconds(1))
    #expect(stream == [1, 2])
    #expect(datagrams == [[2]])
  }

  @Test("timers follow the machine's own clock, never early, once an arming")
  func timers() {
    let network = VirtualNetwork()
    let machine = network.machine(clockOffset: .seconds(77), clockDrift: 100e-6)
    var fired: [HostTime] = []
    let timer = machine.makeTimer { fired.append(machine.now) }
    let due = machine.now + .seconds(10)
    timer.arm(at: due - .seconds(5))
    timer.arm(at: due)
    network.run(for: .seconds(60))
    #expect(fired.count == 1)
    #expect(fired.allSatisfy { $0 >= due && $0 < due + 10 })
    timer.arm(at: machine.now + .seconds(1))
    timer.close()
    network.run(for: .seconds(60))
    #expect(fired.count == 1)
  }
}
