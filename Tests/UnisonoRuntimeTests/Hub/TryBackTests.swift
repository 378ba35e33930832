import Testing
import UnisonoBase
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

@testable import UnisonoRuntime

@Suite("A hub tries whether it reaches who asks for that")
struct TryBackTests {
  /// Who is in a room, asks, and listens at a port or not.
  private final class Asker {
    let guest: Guest
    private(set) var connections = 0
    private(set) var datagrams: [[UInt8]] = []
    private var listener: (any StreamListener)?
    private var port: (any DatagramPort)?

    init(_ guest: Guest) { self.guest = guest }

    func listen(_ port: UInt16) throws {
      listener = try guest.machine.listen(on: "0.0.0.0:\(port)") { [unowned self] _ in
        connections += 1
        return StreamEvents(received: { _ in Issue.record("the hub said something") }, closed: { _ in })
      }
      self.port = try guest.machine.openDatagrams(on: "0.0.0.0:\(port)") { [unowned self] bytes, _, _ in datagrams.append(bytes) }
    }

    func ask(_ port: UInt16, _ number: UInt64 = 7) { guest.client.tryBack(TryBackFrame(number: number, port: port)) }

    var answers: [TriedBackFrame] { guest.triedBack }
  }

  private let hub: HubHarness

  init() throws { hub = try HubHarness(triesBack: true) }

  private func asker() throws -> Asker { Asker(try #require(hub.guests(1).first)) }

  private func tried(_ outcome: TriedBackFrame.Outcome, _ asker: Asker, _ number: UInt64 = 7) -> TriedBackFrame {
    TriedBackFrame(number: number, outcome: outcome, address: asker.guest.machine.host)
  }

  @Test("F128: who listens is reached, by TCP without a byte and by UDP with the number of its question")
  func reached() throws {
    let asker = try asker()
    try asker.listen(40_000)
    asker.ask(40_000, 0x0102_0304_0506_0708)
    hub.network.run(for: .seconds(1))
    #expect(asker.answers == [tried(.reached, asker, 0x0102_0304_0506_0708)])
    #expect(asker.connections == 1)
    #expect(asker.datagrams == Array(repeating: [0x55, 0x4E, 0x49, 2, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8], count: 2))
    #expect(asker.guest.isIn && asker.guest.losses.isEmpty)
  }

  @Test("F128: where nothing listens it is refused; where nothing comes through, that is said after 5 s")
  func unreached() throws {
    let asker = try asker()
    asker.ask(40_000)
    hub.network.run(for: .seconds(2))
    #expect(asker.answers == [tried(.refused, asker)])
    // Its question arrives, and what follows does not.
    hub.network.setPath(hub.machine, asker.guest.machine, VirtualPath(delay: .milliseconds(50)))
    try asker.listen(40_001)
    asker.ask(40_001, 8)
    hub.network.run(for: .milliseconds(75))
    hub.network.cut(hub.machine, asker.guest.machine)
    hub.network.run(for: .seconds(5))
    hub.network.heal(hub.machine, asker.guest.machine)
    hub.network.run(for: .milliseconds(200))
    #expect(asker.answers.dropFirst() == [tried(.silent, asker, 8)])
    #expect(asker.guest.losses.isEmpty)
  }

  @Test("F128: one address is tried once in 2 s, and who asks more often is told so")
  func pace() throws {
    let asker = try asker()
    try asker.listen(40_000)
    for number in 1...5 { asker.ask(40_000, UInt64(number)) }
    hub.network.run(for: .milliseconds(500))
    #expect(asker.connections == 1)
    #expect(asker.answers.filter { $0.outcome == .reached }.count == 1)
    #expect(asker.answers.filter { $0.outcome == .busy && $0.address.isEmpty }.count == 4)
    hub.network.run(for: .seconds(2))
    asker.ask(40_000, 9)
    hub.network.run(for: .milliseconds(500))
    #expect(asker.connections == 2 && asker.answers.last == tried(.reached, asker, 9))
  }

  @Test("F128: at most 16 are tried at once, however many ask; who is gone has its place no longer, and is not told")
  func crowd() {
    let asked = hub.network.machine()
    hub.network.cut(hub.machine, asked)
    let trials = TryBacks(environment: hub.machine)
    let ended = Box<[UInt64]>([])
    func begin(_ connection: UInt64, from address: UInt64) -> Bool {
      trials.begin(40_000, at: asked.host, of: AddressKey("198.51.100.\(address)"), for: connection) { outcome in
        if outcome == .silent { ended { $0.append(connection) } }
      }
    }
    for connection in 1...16 as ClosedRange<UInt64> { #expect(begin(connection, from: connection)) }
    #expect(!begin(17, from: 17))
    trials.forget(3)
    hub.network.run(for: .milliseconds(100))
    #expect(begin(17, from: 17))
    #expect(!begin(18, from: 18))
    hub.network.run(for: .seconds(6))
    #expect(Set(ended { $0 }) == Set(1...17).subtracting([3]))
    trials.close()
  }

  @Test("F128: a hub that tries nobody back says so, and one behind WebSocket, of which no address is known, as well")
  func declined() throws {
    let other = try HubHarness()
    let asker = Asker(try #require(other.guests(1).first))
    try asker.listen(40_000)
    asker.ask(40_000)
    other.network.run(for: .seconds(1))
    #expect(asker.answers == [TriedBackFrame(number: 7, outcome: .declined)] && asker.connections == 0)
    let browser = Asker(hub.webGuest())
    #expect(hub.network.run(atMost: .seconds(5)) { browser.guest.isIn })
    browser.ask(40_000)
    hub.network.run(for: .seconds(1))
    #expect(browser.answers == [TriedBackFrame(number: 7, outcome: .declined)])
  }

  @Test("F128: ports below 1024, and an answer from a participant, break the protocol")
  func malformed() throws {
    for frame in [HubFrame.tryBack(TryBackFrame(number: 1, port: 443)), .triedBack(TriedBackFrame(number: 1, outcome: .reached))] {
      let peer = try hub.rawMember()
      peer.write(frame)
      hub.network.run(for: .milliseconds(100))
      #expect(peer.refusal?.status == HubRefusal.protocolBroken.rawValue && peer.isClosed)
    }
  }
}
