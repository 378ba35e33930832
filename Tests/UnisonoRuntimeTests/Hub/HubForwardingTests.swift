import Testing
import UnisonoBase
import UnisonoCrypto
import UnisonoWire

@testable import UnisonoRuntime

@Suite("Forwarding")
struct HubForwardingTests {
  @Test("an envelope reaches all others, or those it is addressed to, byte for byte and in order")
  func forwarding() throws {
    let hub = try HubHarness()
    let guests = hub.guests(4)
    let sent = (0..<20).map { guests[0].envelope(UInt64($0), length: 578 + $0 * 7) }
    for envelope in sent { guests[0].client.send(envelope) }
    let secret = guests[0].envelope(99)
    guests[0].client.send(secret, to: [guests[2].id, guests[3].id].sorted())
    hub.network.run(for: .seconds(1))
    #expect(guests[0].delivered.isEmpty)
    #expect(guests[1].delivered.map(\.envelope) == sent)
    #expect(guests[2].delivered.map(\.envelope) == sent + [secret])
    #expect(guests[3].delivered.map(\.envelope) == sent + [secret])
    #expect(hub.server.statistics.framesIn == 4 * 2 + 21)
  }

  @Test("N15: of the words that a connection leaves at a door one a second counts, two at once; another's counts all the same")
  func noticePace() throws {
    let hub = try HubHarness()
    let guests = hub.guests(2)
    var newcomers: [Guest] = []
    func word(_ number: UInt64, of guest: Guest) -> [UInt8] { guest.envelope(number, kind: .door) }
    /// What who enters now is handed.
    func kept() -> [UInt8]? {
      hub.network.run(for: .milliseconds(100))
      let newcomer = hub.guest()
      newcomers.append(newcomer)
      _ = hub.network.run(atMost: .seconds(1)) { !newcomer.delivered.isEmpty }
      return newcomer.delivered.first?.envelope
    }
    for number in 0..<20 as Range<UInt64> { guests[0].client.keep(word(number, of: guests[0])) }
    #expect(kept() == word(1, of: guests[0]))
    guests[1].client.keep(word(0, of: guests[1]))
    #expect(kept() == word(0, of: guests[1]))
    hub.network.run(for: .seconds(2))
    guests[0].client.keep(word(30, of: guests[0]))
    #expect(kept() == word(30, of: guests[0]))
  }

  @Test("what one turn has for a receiver leaves in one write, in order, and also before the end of a connection")
  func oneWrite() throws {
    let hub = try HubHarness()
    let sender = try hub.enteredPeer()
    let receiver = try hub.enteredPeer()
    let reader = hub.guests(1)[0]
    hub.network.run(for: .seconds(1))
    let id = try #require(sender.identity).id
    let envelopes = (0..<30).map { reader.envelope(UInt64($0), sender: id) }
    let before = receiver.pieces.count
    // One piece, as a socket hands it over; behind it what ends the sender's own connection.
    sender.stream.write(envelopes.flatMap { sender.sealed(HubFrame.send(to: nil, envelope: $0).raw) } + sender.sealed(HubFrame.leave.raw))
    hub.network.run(for: .seconds(1))
    #expect(reader.delivered.map(\.envelope) == envelopes)
    #expect(receiver.frames.filter { $0.type == HubFrame.FrameType.deliver.rawValue }.count == 30)
    let sizes = receiver.pieces[before...]
    let record = RecordText(.deliver(envelope: envelopes[0])).recordLength
    #expect(sizes.first.map { $0 >= 30 * record } == true && sizes.count <= 2)
    #expect(receiver.unopened == 0 && sender.isClosed && !receiver.isClosed)
  }

  @Test("what many frames in one turn come to waits no longer than 64 KiB of it, and reaches all in order")
  func manyInOneTurn() throws {
    var limits = HubLimits()
    limits.outboundMemory = 200_000
    let hub = try HubHarness(limits: limits)
    let guests = hub.guests(4)
    let sender = try hub.enteredPeer()
    hub.network.run(for: .seconds(1))
    let id = try #require(sender.identity).id
    let sent = (0..<200).map { guests[0].envelope(UInt64($0), length: 1_000, sender: id) }
    sender.stream.write(sent.flatMap { sender.sealed(HubFrame.send(to: nil, envelope: $0).raw) })
    hub.network.run(for: .seconds(1))
    // Nobody is closed for what waits until the end of a turn alone.
    #expect(guests.allSatisfy { $0.isIn && $0.delivered.map(\.envelope) == sent })
    #expect(hub.server.statistics.closedSlow == 0 && hub.server.measures.outboundMemory == 0)
  }

  @Test("addressing oneself or somebody who is not there is no error and reaches nobody")
  func addressedToNobody() throws {
    let hub = try HubHarness()
    let guests = hub.guests(2)
    let nobody = ParticipantID(high: 1, low: 1)
    guests[0].client.send(guests[0].envelope(), to: [guests[0].id, nobody].sorted())
    hub.network.run(for: .seconds(1))
    #expect(guests.allSatisfy { $0.delivered.isEmpty && $0.isIn })
  }

  @Test("an envelope in another's name is not forwarded, and ends the connection")
  func sender() throws {
    let hub = try HubHarness()
    let guests = hub.guests(3)
    guests[0].client.send(guests[0].envelope(sender: guests[1].id))
    hub.network.run(for: .milliseconds(50))
    #expect(guests[1].delivered.isEmpty && guests[2].delivered.isEmpty)
    #expect(guests[0].losses.first?.end.status == HubRefusal.protocolBroken.rawValue)
    #expect(guests[1].isIn && guests[2].isIn)
  }

  @Test("the largest envelope passes")
  func largest() throws {
    let hub = try HubHarness()
    let guests = hub.guests(2)
    guests[0].client.send(guests[0].envelope(length: EnvelopeHeader.envelopeLengths.upperBound))
    hub.network.run(for: .seconds(2))
    #expect(guests[1].delivered.map(\.envelope.count) == [EnvelopeHeader.envelopeLengths.upperBound])
  }

  @Test("who does not read is closed at 1 MiB, and the others do not notice")
  func slowReader() throws {
    let hub = try HubHarness()
    let guests = hub.guests(3)
    let slow = try hub.enteredPeer()
    slow.stream.setReading(false)
    var sent: [Int64] = []
    for number in 0..<40 {
      guests[0].client.send(guests[0].envelope(UInt64(number), length: 64_000))
      sent.append(hub.network.trueTime)
      hub.network.run(for: .milliseconds(500))
    }
    #expect(hub.server.statistics.closedSlow == 1)
    #expect(guests[1].members.count == 3)
    #expect(guests[1].departures.map(\.id) == [try #require(slow.identity).id])
    for guest in guests[1...] {
      #expect(guest.delivered.count == 40)
      let delays = zip(guest.delivered, sent).map { $0.at - ($1 + .seconds(1_000)) }
      #expect(delays.allSatisfy { $0 < .milliseconds(50) })
    }
  }

  @Test("unordered envelopes are left out for a receiver with more than 64 KiB waiting, ordered ones are not")
  func unordered() throws {
    let hub = try HubHarness()
    let guests = hub.guests(2)
    let slow = try hub.enteredPeer()
    slow.stream.setReading(false)
    // What the network itself takes, and then 70 KB that wait.
    for number in 0..<6 {
      guests[0].client.send(guests[0].envelope(UInt64(number), length: 56_000))
      hub.network.run(for: .milliseconds(500))
    }
    let before = guests[1].delivered.count
    for number in 0..<5 { guests[0].client.send(guests[0].envelope(UInt64(number), kind: .unordered)) }
    guests[0].client.send(guests[0].envelope(6))
    hub.network.run(for: .milliseconds(500))
    #expect(guests[1].delivered.count == before + 6)
    slow.stream.setReading(true)
    hub.network.run(for: .seconds(2))
    #expect(slow.frames.filter { $0.type == HubFrame.FrameType.deliver.rawValue }.count == 7)
  }

  @Test("who asks and asks and reads no answer costs the hub no more than 64 KiB")
  func unreadAnswers() throws {
    let hub = try HubHarness()
    let mute = try hub.enteredPeer()
    mute.stream.setReading(false)
    for _ in 0..<1_200 {
      for number in 0..<20 { mute.write(.ping(UInt64(number))) }
      hub.network.run(for: .milliseconds(100))
    }
    let waiting = hub.machine.streams.map(\.queuedBytes).max() ?? 0
    #expect((60_000...66_000).contains(waiting))
    #expect(!mute.isClosed)
  }

  @Test("a sender above 200 frames a second is slowed to that, and nothing is lost")
  func frameRate() throws {
    let hub = try HubHarness()
    let guests = hub.guests(2)
    hub.network.run(for: .seconds(5))
    for number in 0..<1_000 { guests[0].client.send(guests[0].envelope(UInt64(number))) }
    hub.network.run(for: .milliseconds(100))
    #expect((380...425).contains(guests[1].delivered.count))
    hub.network.run(for: .seconds(1))
    #expect((580...625).contains(guests[1].delivered.count))
    hub.network.run(for: .seconds(3))
    #expect(guests[1].delivered.count == 1_000)
    #expect(guests[0].isIn)
  }

  @Test("a sender above its bytes a second is slowed to that, and nothing is lost")
  func byteRate() throws {
    let hub = try HubHarness()
    let guests = hub.guests(2)
    hub.network.run(for: .seconds(5))
    for number in 0..<60 { guests[0].client.send(guests[0].envelope(UInt64(number), length: 32_000)) }
    // Taken into the client's own queue up to 1 MiB.
    let taken = guests[0].client.queuedBytes / 32_000
    #expect(taken >= 24)
    hub.network.run(for: .milliseconds(300))
    #expect(guests[1].delivered.count < 30)
    hub.network.run(for: .seconds(6))
    #expect(guests[1].delivered.count >= taken)
    #expect(guests[0].isIn)
  }

  @Test("whoever has so much waiting that reading rests for more than 10 s is closed")
  func stopped() throws {
    var limits = HubLimits()
    limits.bytesPerSecond = 16_384
    let hub = try HubHarness(limits: limits)
    let guests = hub.guests(2)
    let flood = try hub.enteredPeer()
    // 250,000 bytes in one record: 13 s at this rate.
    let envelope = guests[0].envelope(length: 218_000, sender: flood.identity?.id)
    flood.write(.send(to: nil, envelope: envelope))
    hub.network.run(for: .seconds(9))
    #expect(!flood.isClosed)
    hub.network.run(for: .seconds(4))
    #expect(flood.isClosed)
    #expect(flood.refusal?.status == HubRefusal.full.rawValue)
    #expect(guests.allSatisfy { $0.isIn && $0.members.count == 2 })
  }

  @Test("a room that is sent more than it may slows its large sender; a small one is not slowed")
  func egress() throws {
    var limits = HubLimits()
    limits.roomBytesPerSecond = 400_000
    let hub = try HubHarness(limits: limits)
    let guests = hub.guests(5)
    for number in 0..<15 { guests[0].client.send(guests[0].envelope(UInt64(number), length: 50_000)) }
    for number in 0..<20 {
      guests[1].client.send(guests[1].envelope(UInt64(number)))
      hub.network.run(for: .milliseconds(50))
    }
    #expect(guests[2].delivered.filter { $0.envelope.count == 578 }.count == 20)
    #expect(guests[2].delivered.filter { $0.envelope.count == 50_000 }.count < 8)
    hub.network.run(for: .seconds(20))
    #expect(guests[2].delivered.count == 35)
  }

  @Test("Z31 in the small: queued frames of all together are bounded; the largest queues are closed, readers are not")
  func outboundMemory() throws {
    var limits = HubLimits()
    limits.outboundMemory = 1_500_000
    let hub = try HubHarness(limits: limits)
    let guests = hub.guests(2)
    let slow = try (0..<6).map { _ in
      let peer = try hub.enteredPeer()
      peer.stream.setReading(false)
      return peer
    }
    var most = 0
    for number in 0..<16 {
      guests[0].client.send(guests[0].envelope(UInt64(number), length: 60_000))
      hub.network.run(for: .milliseconds(500))
      most = max(most, hub.machine.streams.reduce(0) { $0 + $1.queuedBytes })
    }
    #expect(most <= 1_500_000)
    #expect((1...6).contains(hub.server.statistics.closedSlow))
    #expect(guests.allSatisfy { $0.isIn })
    #expect(guests[1].delivered.count == 16)
    withExtendedLifetime(slow) {}
  }

  @Test("Z31 in the small: announced frames cost what came of them, and begun ones are bounded in all")
  func inboundMemory() throws {
    var limits = HubLimits()
    limits.inboundMemory = 500_000
    let hub = try HubHarness(limits: limits)
    let guests = hub.guests(2)
    let announcers = try (0..<10).map { _ in try hub.enteredPeer() }
    for announcer in announcers { announcer.stream.write([0, 4, 0, 0, 7]) }
    hub.network.run(for: .seconds(1))
    #expect(announcers.allSatisfy { !$0.isClosed })
    for announcer in announcers { announcer.stream.write([UInt8](repeating: 0, count: 100_000)) }
    hub.network.run(for: .seconds(1))
    #expect(announcers.filter { $0.isClosed }.count == 6)
    hub.network.run(for: .seconds(12))
    #expect(announcers.allSatisfy { $0.isClosed })
    #expect(guests.allSatisfy { $0.isIn && $0.members.count == 2 })
  }

  @Test("a begun frame is complete in 10 s or its sender is closed; many frames in a row may take longer")
  func drip() throws {
    let hub = try HubHarness()
    let (drip, steady) = (try hub.enteredPeer(), try hub.enteredPeer())
    drip.stream.write(Array(drip.sealed(HubFrame.ping(7).raw).prefix(5)))
    var begun = steady.sealed(HubFrame.ping(7).raw)
    steady.stream.write(Array(begun.prefix(5)))
    for _ in 0..<14 {
      // Something is always begun, but never the same.
      let next = steady.sealed(HubFrame.ping(7).raw)
      steady.stream.write(Array(begun.suffix(from: 5)) + Array(next.prefix(5)))
      begun = next
      hub.network.run(for: .seconds(1))
    }
    #expect(drip.isClosed)
    #expect(!steady.isClosed)
  }
}
