import Testing
import UnisonoCore

@testable import UnisonoRuntime

@Suite("The hubs of a session, in the order that all share")
struct HubDirectoryTests {
  private func id(_ low: UInt64) -> ParticipantID { ParticipantID(high: 0, low: low) }
  private func hub(_ number: UInt8, port: Int = 7_400) -> HubAddress {
    HubAddress(address: "10.0.0.\(number):\(port)", hub: [UInt8](repeating: number, count: 16))
  }

  @Test(
    "F40: everybody has the same order: the invite's hubs, then the participants' by id; the own one over the loopback")
  func order() {
    let invited = [HubAddress(address: "192.0.2.1:7400")]
    var first = HubDirectory(local: id(2), invited: invited)
    first.own = ([hub(2)], HubAddress(address: "127.0.0.1:7400", hub: hub(2).hub))
    first.note(id(3), hubs: [hub(3)])
    first.note(id(1), hubs: [hub(1)])
    #expect(
      first.candidates.map(\.address.address)
        == ["192.0.2.1:7400", "10.0.0.1:7400", "127.0.0.1:7400", "10.0.0.3:7400"])
    #expect(first.candidates.map(\.isListed) == [false, true, false, true])
    #expect(first.candidates.map(\.isStandby) == [false, false, true, false])
    var second = HubDirectory(local: id(1), invited: invited)
    second.own = ([hub(1)], HubAddress(address: "127.0.0.1:7400", hub: hub(1).hub))
    second.note(id(3), hubs: [hub(3)])
    second.note(id(2), hubs: [hub(2)])
    #expect(first.candidates.map { $0.address.hub } == second.candidates.map { $0.address.hub })
  }

  @Test("F45: what a hub advertises of itself comes first in invites: four at most, with its id, what can be dialled and spelled")
  func advertised() {
    var directory = HubDirectory(local: id(1), invited: [hub(7)])
    func seat(_ advertised: [String]) -> HubSeat {
      HubSeat(
        address: "10.0.0.7:7400", hubID: [UInt8](repeating: 7, count: 16), clockID: ClockID(high: 0, low: 1), connection: 1,
        members: [], frameLimit: 262_144, bytesPerSecond: 262_144, udpPort: 0, advertised: advertised)
    }
    directory.note(seat(["hub.example.org:7400", "victim.example.org:22", "a b:7400", "7400", "192.0.2.1:0"]))
    #expect(directory.addresses(of: hub(7).hub ?? []).map(\.address) == ["hub.example.org:7400", "10.0.0.7:7400"])
    #expect(directory.addresses(of: hub(7).hub ?? []).allSatisfy { $0.hub == hub(7).hub })
    #expect(directory.candidates.map(\.address) == [hub(7)], "nobody who is here dials it")
    directory.note(seat((0..<16).map { "192.0.2.\($0):7400" }))
    #expect(directory.addresses(of: hub(7).hub ?? []).count == 5)
    directory.note(seat([]))
    #expect(directory.addresses(of: hub(7).hub ?? []) == [hub(7)])
  }

  @Test("W12: four addresses of a participant, 32 in all, none below port 1024, none that need not prove who it is")
  func limits() {
    var directory = HubDirectory(local: id(1), invited: [])
    directory.note(id(2), hubs: [hub(9, port: 80), HubAddress(address: "10.0.0.9:7400"), HubAddress(address: "?")])
    #expect(directory.candidates.isEmpty)
    for number in 2...40 as ClosedRange<UInt64> {
      directory.note(id(number), hubs: (0..<8).map { hub(UInt8(number), port: 7_400 + $0) })
    }
    #expect(directory.candidates.count == HubDirectory.most)
    directory = HubDirectory(local: id(1), invited: [])
    directory.note(id(2), hubs: (0..<8).map { hub(2, port: 7_400 + $0) })
    #expect(directory.candidates.count == HubDirectory.perParticipant)
  }

  @Test("who left is not missed; who was lost is, and its hub stays known")
  func leaving() {
    var directory = HubDirectory(local: id(1), invited: [])
    directory.note(id(2), hubs: [hub(2)])
    directory.note(id(3), hubs: [hub(3)])
    directory.forget(id(2))
    #expect(directory.known == [id(1), id(3)])
    #expect(directory.candidates.map(\.address) == [hub(3)])
  }

  @Test("looks come every 5 s for a minute, then ever more seldom, at least once a minute; a loss begins anew")
  func watch() {
    let candidates = [HubCandidate(hub(2), isListed: true)]
    var watch = HubWatch()
    var now: HostTime = .seconds(100)
    var gaps: [Nanoseconds] = []
    for _ in 0..<30 {
      let due = watch.due(candidates, now: now)
      #expect(due == candidates[0])
      _ = watch.noted(hub(2), isTie: false, now: now, random: 0.5)
      let next = watch.next ?? .max
      gaps.append(next - now)
      now = next
    }
    #expect(gaps.prefix(12).allSatisfy { $0 <= .seconds(5) })
    #expect(gaps.last == .seconds(60) && gaps.allSatisfy { $0 <= .seconds(60) })
    watch.begin(now: now, random: 0.5)
    #expect((watch.next ?? .max) - now <= .seconds(1))
  }

  @Test("a room of our size whose people should come and do not: after three looks it is for us to go")
  func ties() {
    var watch = HubWatch()
    let answers = (0..<4).map { watch.noted(hub(2), isTie: true, now: .seconds(Int64($0)), random: 0) }
    #expect(answers == [false, false, true, false])
    let last = watch.noted(hub(2), isTie: false, now: .seconds(9), random: 0)
    #expect(!last)
  }
}
