import Testing
import UnisonoCrypto
import UnisonoNearby
import UnisonoReplica
import UnisonoWire

@testable import UnisonoRuntime

@Suite("Nearby: asking")
struct NearbyPairingTests {
  /// A host and a seeker that has found it.
  private struct Pair {
    let network: VirtualNetwork
    let host: Host
    let seeker: Seeker
    let device: UInt64

    init(intent: NearbyIntent = .join, seed: UInt64 = 1) throws {
      network = VirtualNetwork(seed: seed)
      host = try Host(on: network.machine(), service: NearbyWorld.service("tv"), intent: intent)
      let seeker = Seeker(on: network.machine(), service: NearbyWorld.service("phone"))
      self.seeker = seeker
      _ = network.run(atMost: .seconds(2)) { !seeker.known.isEmpty }
      device = try #require(seeker.number(of: "tv"))
    }

    /// Asks, until both screens show digits.
    func compare(inviting invite: Invite? = nil) throws {
      try seeker.ask(device, inviting: invite)
      let shown = host.requests.count
      #expect(network.run(atMost: .seconds(1)) { host.requests.count > shown && seeker.digits[device] != nil })
    }
  }

  @Test(
    "F51: let me join: the same six digits on both, two yeses in either order, and the invite comes",
    arguments: [true, false])
  func join(hostFirst: Bool) throws {
    let pair = try Pair()
    try pair.compare()
    let request = try #require(pair.host.requests.first)
    #expect(pair.seeker.digits[pair.device] == request.digits)
    #expect(request.digits.text.count == 6)
    #expect((request.deviceName, request.intent) == ("phone", .join))
    #expect(pair.seeker.names[pair.device] == "tv")
    if hostFirst { pair.host.answer(request.id, true) }
    if !hostFirst { try pair.seeker.browser.confirm(pair.device, digitsMatch: true) }
    pair.network.run(for: .seconds(5))
    #expect(pair.seeker.agreed.isEmpty)
    if !hostFirst { pair.host.answer(request.id, true) }
    if hostFirst { try pair.seeker.browser.confirm(pair.device, digitsMatch: true) }
    #expect(pair.network.run(atMost: .seconds(1)) { pair.seeker.agreed[pair.device] == NearbyWorld.invite })
    pair.network.run(for: .seconds(70))
    #expect(pair.seeker.failures.isEmpty && pair.host.withdrawn.isEmpty)
  }

  @Test("F51: come and join mine: nothing passes before both said yes, then the asked device has the invite")
  func invite() throws {
    let pair = try Pair(intent: .invite)
    try pair.compare(inviting: NearbyWorld.invite)
    let request = try #require(pair.host.requests.first)
    #expect(request.intent == .invite)
    #expect(pair.seeker.digits[pair.device] == request.digits)
    pair.host.answer(request.id, true)
    pair.network.run(for: .seconds(5))
    #expect(pair.host.invited.isEmpty)
    try pair.seeker.browser.confirm(pair.device, digitsMatch: true)
    #expect(pair.network.run(atMost: .seconds(1)) { pair.host.invited == [NearbyWorld.invite] })
    #expect(pair.seeker.agreed[pair.device] == NearbyWorld.invite)
    pair.network.run(for: .seconds(70))
    #expect(pair.host.withdrawn.isEmpty && pair.seeker.failures.isEmpty)
  }

  @Test("F51: what a device does not take is closed before anything is shown", arguments: [NearbyIntent.join, .invite])
  func wrongIntent(intent: NearbyIntent) throws {
    let pair = try Pair(intent: intent)
    try pair.seeker.ask(pair.device, inviting: intent == .join ? NearbyWorld.invite : nil)
    #expect(pair.network.run(atMost: .seconds(1)) { pair.seeker.failures.map(\.failure) == [.busy] })
    #expect(pair.host.requests.isEmpty)
  }

  @Test("Z27: denied or ignored: the asker sees the same bytes, and the end at 60 s +- 50 ms in both, 50 times each")
  func denialLooksLikeTimeout() throws {
    var traces: [Bool: Set<[Int]>] = [:]
    for denied in [true, false] {
      for run in 0..<50 {
        let network = VirtualNetwork(seed: UInt64(run) * 2 + (denied ? 1 : 0))
        let host = try Host(on: network.machine(), service: NearbyWorld.service("tv"))
        let spy = RawAsker(on: network.machine(), to: host.address)
        #expect(network.run(atMost: .seconds(1)) { host.requests.count == 1 })
        let offered = try #require(spy.offeredAt)
        if denied {
          network.run(for: .milliseconds(Int64(run) * 1_100))
          host.answer(host.requests[0].id, false)
        }
        #expect(network.run(atMost: .seconds(70)) { spy.closedAt != nil })
        let length = (spy.closedAt ?? 0) - offered
        #expect(abs(length - .seconds(60)) <= .milliseconds(50))
        traces[denied, default: []].insert(spy.lengths)
      }
    }
    #expect(traces[true] == traces[false])
    #expect(traces[true]?.count == 1)
  }

  @Test("F51: nobody answers: both are told after 60 s, and an acceptance after that is void")
  func timeout() throws {
    let pair = try Pair()
    try pair.compare()
    let id = pair.host.requests[0].id
    #expect(pair.network.run(atMost: .seconds(61)) { !pair.seeker.failures.isEmpty })
    #expect(pair.seeker.failures.map(\.failure) == [.timedOut])
    #expect(pair.host.withdrawn == [id])
    pair.host.answer(id, true)
    pair.network.run(for: .seconds(5))
    #expect(pair.seeker.agreed.isEmpty)
  }

  @Test("F51: cancelled by the asker: the other's question goes away at once, and neither side keeps anything")
  func cancelled() throws {
    let pair = try Pair()
    try pair.compare()
    try pair.seeker.browser.confirm(pair.device, digitsMatch: false)
    #expect(pair.seeker.failures.map(\.failure) == [.canceled])
    #expect(pair.network.run(atMost: .milliseconds(10)) { pair.host.withdrawn.count == 1 })
    pair.host.answer(pair.host.requests[0].id, true)
    #expect(throws: NearbyBrowser.Refusal.isNotAsked) {
      try pair.seeker.browser.confirm(pair.device, digitsMatch: true)
    }
    try pair.compare()
    pair.host.answer(pair.host.requests[1].id, true)
    try pair.seeker.browser.confirm(pair.device, digitsMatch: true)
    #expect(pair.network.run(atMost: .seconds(1)) { !pair.seeker.agreed.isEmpty })
  }

  @Test("F51: the asker or the asked vanishes: the other is told, with a reset at once, without one in time")
  func vanishing() throws {
    let asker = try Pair()
    try asker.compare()
    asker.seeker.machine.crash()
    #expect(asker.network.run(atMost: .milliseconds(10)) { asker.host.withdrawn.count == 1 })

    let silent = try Pair()
    try silent.compare()
    silent.seeker.machine.crash(silently: true)
    #expect(silent.network.run(atMost: .seconds(61)) { silent.host.withdrawn.count == 1 })

    let asked = try Pair()
    try asked.compare()
    asked.host.machine.crash()
    #expect(asked.network.run(atMost: .milliseconds(10)) { asked.seeker.failures.map(\.failure) == [.vanished] })

    let gone = try Pair()
    gone.host.machine.crash(silently: true)
    try gone.seeker.ask(gone.device)
    #expect(gone.network.run(atMost: .seconds(11)) { gone.seeker.failures.map(\.failure) == [.unreachable] })

    let closed = try Pair()
    try closed.compare()
    closed.host.advertiser.close()
    #expect(closed.network.run(atMost: .milliseconds(10)) { closed.seeker.failures.map(\.failure) == [.vanished] })
  }

  @Test("F51: two askers at once are two questions with digits of their own; each gets its own answer")
  func twoAskers() throws {
    let pair = try Pair()
    let other = Seeker(on: pair.network.machine(), service: NearbyWorld.service("tablet"))
    #expect(pair.network.run(atMost: .seconds(2)) { !other.known.isEmpty })
    let device = try #require(other.number(of: "tv"))
    try pair.seeker.ask(pair.device)
    try other.ask(device)
    #expect(pair.network.run(atMost: .seconds(1)) { pair.host.requests.count == 2 })
    #expect(pair.host.requests[0].digits != pair.host.requests[1].digits)
    for request in pair.host.requests {
      let shown = request.deviceName == "phone" ? pair.seeker.digits[pair.device] : other.digits[device]
      #expect(shown == request.digits)
      pair.host.answer(request.id, request.deviceName == "tablet")
    }
    try pair.seeker.browser.confirm(pair.device, digitsMatch: true)
    try other.browser.confirm(device, digitsMatch: true)
    #expect(pair.network.run(atMost: .seconds(1)) { other.agreed[device] != nil })
    pair.network.run(for: .seconds(62))
    #expect(pair.seeker.agreed.isEmpty)
    #expect(pair.seeker.failures.map(\.failure) == [.timedOut])
  }

  @Test("F51: a second ask from one address is closed at once, and so is a fourth before the person")
  func limits() throws {
    let network = VirtualNetwork()
    let host = try Host(on: network.machine(), service: NearbyWorld.service("tv"))
    let machine = network.machine()
    let first = RawAsker(on: machine, to: host.address)
    network.run(for: .seconds(1))
    let second = RawAsker(on: machine, to: host.address)
    network.run(for: .seconds(1))
    #expect(second.closedAt != nil && second.lengths.isEmpty)
    #expect(first.closedAt == nil)
    _ = (0..<2).map { _ in RawAsker(on: network.machine(), to: host.address) }
    network.run(for: .seconds(1))
    let fourth = RawAsker(on: network.machine(), to: host.address)
    network.run(for: .seconds(1))
    #expect(host.requests.count == 3)
    #expect(fourth.closedAt != nil && fourth.lengths.isEmpty)
  }

  @Test("Z28: six denials in a minute: the seventh ask is not shown, and its asker sees a time-out like everybody")
  func nagging() throws {
    let network = VirtualNetwork()
    let host = try Host(on: network.machine(), service: NearbyWorld.service("tv"))
    // Three before the person at a time: the fifth no comes while a sixth question stands there already.
    for round in 0..<2 {
      for _ in 0..<3 { _ = RawAsker(on: network.machine(), to: host.address) }
      network.run(for: .seconds(1))
      for request in host.requests.suffix(3) { host.answer(request.id, false) }
      #expect(host.requests.count == 3 * (round + 1))
    }
    let seventh = RawAsker(on: network.machine(), to: host.address)
    network.run(for: .seconds(55))
    #expect(host.requests.count == 6)
    #expect(seventh.closedAt == nil && seventh.lengths.count == 1)
    #expect(network.run(atMost: .seconds(6)) { seventh.closedAt != nil })
    let offered = try #require(seventh.offeredAt)
    #expect(abs((seventh.closedAt ?? 0) - offered - .seconds(60)) <= .milliseconds(50))
    network.run(for: .seconds(10))
    _ = RawAsker(on: network.machine(), to: host.address)
    #expect(network.run(atMost: .seconds(1)) { host.requests.count == 7 })
  }

  @Test("F51: frames recorded from an earlier ask bring nothing but other digits; altered ones end the ask")
  func replayed() throws {
    let network = VirtualNetwork()
    let host = try Host(on: network.machine(), service: NearbyWorld.service("tv"))
    let first = RawAsker(on: network.machine(), to: host.address)
    network.run(for: .seconds(1))
    host.answer(host.requests[0].id, true)
    network.run(for: .seconds(1))
    #expect(first.frames.map(\.type) == [33, 35])

    // ASK and REVEAL word for word: the offer is another, so digits and keys are, and the replayer has no key at all.
    let replay = RawAsker(on: network.machine(), to: host.address, saying: first.said)
    network.run(for: .seconds(1))
    #expect(host.requests.count == 2)
    #expect(host.requests[1].digits != host.requests[0].digits)
    host.answer(host.requests[1].id, true)
    network.run(for: .seconds(1))
    let sealed = try #require(replay.frames.last)
    guard case .grant(let grant)? = try PairingFrame.decode(sealed) else {
      Issue.record("no grant")
      return
    }
    #expect(throws: PairingError.seal) { try first.keys?.open(grant: grant, of: .join) }

    for place in 0..<first.said[1].count where place >= 5 {
      var said = first.said
      said[1][place] ^= 1
      let altered = RawAsker(on: network.machine(), to: host.address, saying: said)
      network.run(for: .milliseconds(20))
      #expect(altered.closedAt != nil, "byte \(place)")
    }
    #expect(host.requests.count == 2)
  }

  @Test("F51: garbage, frames out of turn and more than 8 KiB are closed, and nothing of them is shown")
  func garbage() throws {
    let network = VirtualNetwork()
    let host = try Host(on: network.machine(), service: NearbyWorld.service("tv"))
    let cancel = PairingFrame.cancel.encoded
    let words: [[UInt8]] = [
      Array("GET / HTTP/1.1\r\n\r\n".utf8), [0, 0, 0, 0], [0, 0, 64, 0],
      PairingFrame.grant(
        [UInt8](repeating: 0, count: PairingFrame.sealedLength)
      ).encoded,
      RawFrame(type: 200, body: []).encoded, cancel,
      (0..<800).flatMap { _ in RawFrame(type: 60, body: [1, 0, 0, 2, 0, 0]).encoded },
    ]
    for (number, word) in words.enumerated() {
      let peer = RawAsker(on: network.machine(), to: host.address, saying: [word])
      network.run(for: .seconds(1))
      #expect(peer.closedAt != nil, "word \(number)")
      #expect(peer.lengths.isEmpty)
    }
    let silent = RawAsker(on: network.machine(), to: host.address, saying: [[]])
    network.run(for: .seconds(9))
    #expect(silent.closedAt == nil)
    network.run(for: .seconds(2))
    #expect(silent.closedAt != nil)
    #expect(host.requests.isEmpty)
  }

  @Test("F51: the asking side refuses an answer that is garbage, out of turn, forged or endless")
  func badHost() throws {
    let answers: [(name: String, bytes: [UInt8], failure: AskAttempt.Failure)] = [
      ("noise", Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), .malformed),
      ("an ask", PairingFrame.cancel.encoded, .malformed),
      ("a grant first", PairingFrame.grant([UInt8](repeating: 0, count: 4_624)).encoded, .malformed),
      (
        "an offer with a key of low order",
        PairingFrame.offer(
          OfferFrame(key: [UInt8](repeating: 0, count: 32), nonce: [UInt8](repeating: 1, count: 32), deviceName: "tv")
        ).encoded, .malformed
      ),
    ]
    for answer in answers {
      let network = VirtualNetwork()
      let machine = network.machine()
      _ = try machine.listen(on: "0.0.0.0:9000") { stream in
        StreamEvents(received: { _ in stream.write(answer.bytes) }, closed: { _ in })
      }
      let seeker = Seeker(on: network.machine(), service: NearbyWorld.service("phone"))
      seeker.browser.add(2, address: "\(machine.host):9000")
      try seeker.ask(2)
      network.run(for: .seconds(2))
      #expect(seeker.failures.map(\.failure) == [answer.failure], "\(answer.name)")
      #expect(seeker.digits.isEmpty)
    }
  }

  @Test("F51: an address typed by hand takes the same path, with no multicast anywhere")
  func typedAddress() throws {
    let network = VirtualNetwork()
    let (tv, phone) = (network.machine(), network.machine())
    tv.links = []
    phone.links = []
    let host = try Host(on: tv, service: NearbyWorld.service("tv"))
    let seeker = Seeker(on: phone, service: NearbyWorld.service("phone"))
    seeker.browser.add(2, address: host.address)
    try seeker.ask(2)
    #expect(throws: NearbyBrowser.Refusal.isAsked) { try seeker.browser.ask(2) }
    #expect(throws: NearbyBrowser.Refusal.unknownDevice) { try seeker.browser.ask(77) }
    #expect(network.run(atMost: .seconds(1)) { host.requests.count == 1 && seeker.digits[2] != nil })
    host.answer(host.requests[0].id, true)
    try seeker.browser.confirm(2, digitsMatch: true)
    #expect(network.run(atMost: .seconds(1)) { seeker.agreed[2] == NearbyWorld.invite })
    #expect(seeker.names[2] == "tv")
  }

  @Test("Z25: somebody between the two makes the digits differ, and neither yes brings the other's invite")
  func middle() throws {
    let network = VirtualNetwork(seed: 21)
    let host = try Host(on: network.machine(), service: NearbyWorld.service("tv"))
    let attacker = network.machine()
    // The attacker poses as "tv" towards the phone, and as a phone towards the television.
    let posing = try Host(on: attacker, service: NearbyWorld.service("tv"))
    let seeker = Seeker(on: network.machine(), service: NearbyWorld.service("phone"))
    seeker.browser.add(2, address: posing.address)
    try seeker.ask(2)
    let towards = Seeker(on: attacker, service: NearbyWorld.service("phone"))
    towards.browser.add(2, address: host.address)
    try towards.ask(2)
    #expect(network.run(atMost: .seconds(1)) { !host.requests.isEmpty && seeker.digits[2] != nil })
    #expect(host.requests[0].digits != seeker.digits[2])
    host.answer(host.requests[0].id, false)
    try seeker.browser.confirm(2, digitsMatch: false)
    network.run(for: .seconds(70))
    #expect(seeker.agreed.isEmpty && towards.agreed.isEmpty)
  }

  @Test("F51: the digits are in no line of the log, whatever happens")
  func silentLog() throws {
    let pair = try Pair()
    try pair.compare()
    pair.host.answer(pair.host.requests[0].id, true)
    try pair.seeker.browser.confirm(pair.device, digitsMatch: true)
    pair.network.run(for: .seconds(5))
    let digits = pair.host.requests[0].digits.text
    #expect(!(pair.host.log + pair.seeker.log).contains { $0.contains(digits) })
    #expect(!"\(pair.host.requests)".contains(digits))
  }
}

/// An asker without a browser behind it: says what it is told to say, or asks as it should, and notes what comes when.
final class RawAsker {
  let machine: VirtualEnvironment
  private(set) var frames: [RawFrame] = []
  /// Of each piece that came, bytes.
  private(set) var lengths: [Int] = []
  private(set) var offeredAt: Int64?
  private(set) var closedAt: Int64?
  /// What it said, frame by frame.
  private(set) var said: [[UInt8]] = []
  private(set) var keys: PairingKeys?
  private var stream: (any ByteStream)!
  private var assembler = FrameAssembler(limit: PairingFrame.askBytes)

  init(on machine: VirtualEnvironment, to address: String, saying words: [[UInt8]]? = nil) {
    self.machine = machine
    let initiator = PairingInitiator(
      intent: .join, service: NearbyWorld.service("phone"), random: machine.randomBytes)
    var left = (words ?? [PairingFrame.ask(initiator.ask).encoded])[...]
    func say() {
      guard let next = left.popFirst() else { return }
      said.append(next)
      stream.write(next)
    }
    // The machine keeps it: tests let go of those they only need to be there.
    stream = machine.connect(
      to: address,
      StreamEvents(
        opened: { say() },
        received: { [self] bytes in
          lengths.append(bytes.count)
          assembler.append(bytes)
          while let frame = try? assembler.next() {
            frames.append(frame)
            guard frame.type == PairingFrame.FrameType.offer.rawValue else { continue }
            offeredAt = machine.network.trueTime
            if words == nil, let answer = try? initiator.answer(offer: frame.body) {
              keys = answer.keys
              left = [PairingFrame.reveal(answer.reveal).encoded]
            }
            say()
          }
        },
        closed: { [self] _ in closedAt = machine.network.trueTime }))
  }
}
