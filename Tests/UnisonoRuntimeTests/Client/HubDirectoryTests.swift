import Testing
import UnisonoBase
import UnisonoReplica

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
    let invited = [HubAddress(unmet: "192.0.2.1:7400")]
    var first = HubDirectory(local: id(2), invited: invited)
    first.setOwn([hub(2)], loopback: HubAddress(address: "127.0.0.1:7400", hub: hub(2).hub))
    first.record(id(3), hubs: [hub(3)])
    first.record(id(1), hubs: [hub(1)])
    #expect(
      first.candidates.map(\.address.address)
        == ["192.0.2.1:7400", "10.0.0.1:7400", "127.0.0.1:7400", "10.0.0.3:7400"])
    #expect(first.candidates.map(\.isListed) == [false, true, false, true])
    #expect(first.candidates.map(\.isStandby) == [false, false, true, false])
    var second = HubDirectory(local: id(1), invited: invited)
    second.setOwn([hub(1)], loopback: HubAddress(address: "127.0.0.1:7400", hub: hub(1).hub))
    second.record(id(3), hubs: [hub(3)])
    second.record(id(2), hubs: [hub(2)])
    #expect(first.candidates.map { $0.address.hub } == second.candidates.map { $0.address.hub })
  }

  @Test("F83: hubs in doubt come after all others, the own one never; believed again, they are where they were")
  func doubted() {
    var directory = HubDirectory(local: id(2), invited: [hub(7), hub(7, port: 7_401), hub(8)])
    directory.setOwn([hub(2)], loopback: HubAddress(address: "127.0.0.1:7400", hub: hub(2).hub))
    directory.record(id(1), hubs: [hub(1)])
    directory.record(id(3), hubs: [hub(3)])
    let (before, revision) = (directory.candidates, directory.revision)
    directory.setDoubted([hub(7).hub: "", hub(1).hub: "", hub(2).hub: ""])
    #expect(directory.revision > revision)
    #expect(directory.candidates.map { $0.address.hub[0] } == [8, 2, 3, 7, 7, 1])
    #expect(directory.candidates.map(\.isDoubted) == [false, false, false, true, true, true])
    directory.setDoubted([:])
    #expect(directory.candidates == before)
  }

  @Test(
    "F45: what a hub advertises of itself comes first in invites: four at most, with its id, what can be dialled and spelled"
  )
  func advertised() {
    var directory = HubDirectory(local: id(1), invited: [hub(7)])
    func seat(_ advertised: [String]) -> RoomEntry {
      RoomEntry(
        address: "10.0.0.7:7400", hubID: hub(7).hub, pinned: hub(7).hub, clockID: ClockID(high: 0, low: 1),
        connection: 1,
        members: [], frameLimit: 262_144, bytesPerSecond: 262_144, udpPort: 0, advertised: advertised)
    }
    directory.record(seat(["hub.example.org:7400", "victim.example.org:22", "a b:7400", "7400", "192.0.2.1:0"]))
    #expect(directory.addresses(of: hub(7).hub).map(\.address) == ["hub.example.org:7400", "10.0.0.7:7400"])
    #expect(directory.addresses(of: hub(7).hub).allSatisfy { $0.hub == hub(7).hub })
    #expect(directory.candidates.map(\.address) == [hub(7)], "nobody who is here dials it")
    directory.record(seat((0..<16).map { "192.0.2.\($0):7400" }))
    #expect(directory.addresses(of: hub(7).hub).count == 5)
    directory.record(seat([]))
    #expect(directory.addresses(of: hub(7).hub) == [hub(7)])
  }

  @Test("W12: four addresses of a participant, 32 in all, none below port 1024, none that need not prove who it is")
  func limits() {
    var directory = HubDirectory(local: id(1), invited: [])
    directory.record(id(2), hubs: [hub(9, port: 80), HubAddress(unmet: "10.0.0.9:99"), HubAddress(unmet: "?")])
    #expect(directory.candidates.isEmpty)
    for number in 2...40 as ClosedRange<UInt64> {
      directory.record(id(number), hubs: (0..<8).map { hub(UInt8(number), port: 7_400 + $0) })
    }
    #expect(directory.candidates.count == HubDirectory.most)
    directory = HubDirectory(local: id(1), invited: [])
    directory.record(id(2), hubs: (0..<8).map { hub(2, port: 7_400 + $0) })
    #expect(directory.candidates.count == HubDirectory.perParticipant)
  }

  @Test("who left is not missed; who was lost is, and its hub stays known")
  func leaving() {
    var directory = HubDirectory(local: id(1), invited: [])
    directory.record(id(2), hubs: [hub(2)])
    directory.record(id(3), hubs: [hub(3)])
    directory.forget(id(2))
    #expect(directory.known == [id(1), id(3)])
    #expect(directory.candidates.map(\.address) == [hub(3)])
  }

  @Test("F40: the invite's hubs that participants keep are in their places; one that nobody keeps comes first")
  func invitedHubs() {
    var directory = HubDirectory(
      local: id(9), invited: [hub(3), hub(7), hub(1), HubAddress(address: "name:7400", hub: hub(3).hub)])
    directory.record(id(1), hubs: [hub(1), hub(1, port: 7_401)])
    directory.record(id(3), hubs: [hub(3)])
    #expect(
      directory.candidates.map(\.address.address)
        == ["10.0.0.7:7400", "10.0.0.1:7400", "10.0.0.1:7401", "10.0.0.3:7400", "name:7400"])
    #expect(directory.candidates.map(\.isPublic) == [true, false, false, false, false])
    #expect(directory.candidates.map(\.isListed) == [false, false, true, false, false])
    // Whoever claims the invite's hub with another address is dialled within the budget.
    directory.record(id(4), hubs: [HubAddress(address: "192.0.2.9:7400", hub: hub(7).hub)])
    #expect(directory.candidates.first { $0.address.address == "192.0.2.9:7400" }?.isListed == true)
  }

  @Test("F40: an invite lists the hub in use, then one of every hub of who is present, then of who was lost; 16 in all")
  func invite() {
    var directory = HubDirectory(local: id(2), invited: [HubAddress(unmet: "192.0.2.1:7400")])
    directory.setOwn([hub(2), hub(2, port: 7_401)], loopback: HubAddress(address: "127.0.0.1:7400", hub: hub(2).hub))
    directory.record(id(1), hubs: [hub(1)])
    directory.record(id(3), hubs: [hub(3), hub(3, port: 7_401)])
    directory.record(id(4), hubs: [hub(4)])
    let seat = RoomEntry(
      address: "10.0.0.3:7400", hubID: hub(3).hub, pinned: hub(3).hub, clockID: .none, connection: 1, members: [], frameLimit: 0,
      bytesPerSecond: 0, udpPort: 0, advertised: [])
    let listed = directory.invite(from: seat, present: [id(3), id(4)], most: 16)
    #expect(
      listed.map(\.address)
        == [
          "10.0.0.3:7400", "192.0.2.1:7400", "10.0.0.2:7400", "10.0.0.4:7400", "10.0.0.1:7400", "10.0.0.3:7401",
          "10.0.0.2:7401",
        ])
    #expect(listed.dropFirst().allSatisfy { $0.hub != nil || $0.address == "192.0.2.1:7400" })
    for number in 5...40 as ClosedRange<UInt64> { directory.record(id(number), hubs: [hub(UInt8(number))]) }
    #expect(directory.invite(from: seat, present: directory.known, most: 16).count == 16)
  }

  @Test("F40: hubs of an invite's invite that are gone keep no living one out of the next invite")
  func inherited() {
    let gone = (100...115 as ClosedRange<UInt8>).map { hub($0) }
    var directory = HubDirectory(local: id(2), invited: gone)
    directory.setOwn([hub(2)], loopback: HubAddress(address: "127.0.0.1:7400", hub: hub(2).hub))
    for number in 3...9 as ClosedRange<UInt64> { directory.record(id(number), hubs: [hub(UInt8(number))]) }
    directory.setAbsent([id(9): 0])
    let seat = RoomEntry(
      address: "10.0.0.3:7400", hubID: hub(3).hub, pinned: hub(3).hub, clockID: .none, connection: 1, members: [], frameLimit: 0,
      bytesPerSecond: 0, udpPort: 0, advertised: [])
    // At a hub, and while there is none: who is known to be away comes last in both.
    for (entry, present) in [(seat, [3, 4, 5, 6, 7, 8]), (nil, [3, 4, 5, 6, 7, 8, 9])] as [(RoomEntry?, [UInt64])] {
      let listed = directory.invite(from: entry, present: Set(present.map(id)), most: 16)
      #expect(listed.count == 16)
      for living in 2...8 as ClosedRange<UInt8> { #expect(listed.contains(hub(living))) }
      #expect(!listed.contains(hub(9)))
    }
  }

  @Test("W12: no invite carries an address that it could not spell")
  func unspellable() {
    var directory = HubDirectory(local: id(1), invited: [hub(1)])
    directory.record(id(2), hubs: [HubAddress(address: "a~b&c:7400", hub: hub(2).hub), hub(3)])
    #expect(directory.candidates.map(\.address) == [hub(1), hub(3)])
  }

  @Test("each hub is looked at once in every pace, for ever; where a member's hub is gone, seldom")
  func probe() {
    var probe = PartitionProbe()
    var now: HostTime = .seconds(100)
    let candidates = [HubCandidate(hub(2), isListed: true), HubCandidate(hub(3), isListed: true)]
    probe.aim(at: candidates, now: now)
    var looks: [HubAddress: [HostTime]] = [:]
    for _ in 0..<2_000 {
      for candidate in probe.due(now: now) {
        looks[candidate.address, default: []].append(now)
        probe.began(candidate.address)
        probe.ended(
          candidate, answered: false, isGone: candidate == candidates[1], pace: .seconds(4), now: now, random: 0.5)
      }
      now = probe.next ?? .max
    }
    for (candidate, wait) in zip(candidates, [Nanoseconds.seconds(4), PartitionProbe.resting]) {
      let times = looks[candidate.address] ?? []
      #expect(times.count > 100 && zip(times.dropFirst(), times).allSatisfy { $0 - $1 == wait })
    }
    probe.begin(at: now + .seconds(1), now: now)
    #expect(probe.next == now + .seconds(1) && probe.due(now: now).isEmpty)
    #expect(probe.due(now: now + .seconds(1)).count == 2)
  }

  @Test("J16: where people come and go all the time hubs are looked at all the same")
  func probeInCommotion() {
    var probe = PartitionProbe()
    let all = [HubCandidate(hub(2), isListed: true)]
    probe.aim(at: all, now: 0)
    var looked: HostTime?
    for tenth in 0..<50 as Range<Int64> where looked == nil {
      let now = HostTime.milliseconds(100 * tenth)
      probe.begin(at: now + .milliseconds(500), now: now)
      if !probe.due(now: now).isEmpty { looked = now }
    }
    #expect(looked == PartitionProbe.greatestDelay)
  }

  @Test("J16: one without a hub of its own tells where it came from as long as it is out to fetch others, and no longer")
  func cameFrom() {
    var hubs = SessionHubs(local: id(1), server: nil, invited: [hub(2), hub(3)])
    #expect(hubs.readOwnAddresses(now: 0) == [])
    hubs.setOut(from: RoomEntry(at: hub(3)))
    #expect(hubs.readOwnAddresses(now: 0) == [hub(3)])
    hubs.setOut(from: nil)
    #expect(hubs.readOwnAddresses(now: 0) == [])
  }

  @Test("J16: the first address of every hub is looked at before anybody's second")
  func probeFirstAddresses() {
    var probe = PartitionProbe()
    let all = (2...4 as ClosedRange<UInt8>).flatMap { number in
      [HubCandidate(hub(number), isListed: true), HubCandidate(hub(number, port: 7_401), isListed: true)]
    }
    probe.aim(at: all, now: 0)
    #expect(probe.due(now: 0) == [0, 2, 4, 1, 3, 5].map { all[$0] })
  }

  @Test("N14: of a set each address is another hub's: none comes later because another one is gone, or is left out of looks")
  func setOfHubs() {
    let set = [UInt8](repeating: 9, count: 16)
    let ways = (1...2).map { HubAddress(address: "192.0.2.\($0):7400", hub: set) }
    var directory = HubDirectory(local: id(1), invited: ways)
    directory.record(id(3), hubs: [hub(3)])
    #expect(directory.candidates.allSatisfy { !$0.isOfSet })
    let revision = directory.revision
    // A hub's own id: what is pinned is no set's.
    directory.record(RoomEntry(at: hub(3)))
    #expect(directory.revision == revision)
    var seat = RoomEntry(at: ways[1], hub: hub(7).hub)
    seat.advertised = ["hub.example.org:7400"]
    directory.record(seat)
    #expect(directory.revision > revision && directory.candidates.map(\.isOfSet) == [true, true, false])
    let inUse = HubAddress(address: "hub.example.org:7400", hub: set)
    #expect(directory.invite(from: seat, present: [id(3)], most: 16).prefix(1) == [inUse])
    #expect(Set(directory.invite(from: seat, present: [id(3)], most: 16)) == Set([inUse, hub(3)] + ways))
    #expect(ways[1].isHub(of: seat) && !ways[0].isHub(of: seat) && hub(7).isHub(of: seat) && !inUse.isHub(of: seat))
    // One that is gone, or answers, says nothing of the other.
    let all = directory.candidates
    var search = HubSearch()
    search.begin(all, isNewcomer: false)
    search.recordGone(all[0], now: 0)
    #expect(search.order == all)
    let probe = Box(PartitionProbe())
    probe { $0.aim(at: all, now: 0) }
    for candidate in all { probe { $0.began(candidate.address) } }
    for candidate in all { probe { $0.ended(candidate, answered: true, isGone: false, pace: .seconds(1), now: 0, random: 0.5) } }
    #expect(Set(probe { $0.due(now: .seconds(1)) }) == Set(all))
    // In doubt is the one that was found out.
    directory.setDoubted([hub(7).hub: ways[1].address])
    #expect(directory.candidates.map(\.address) == [ways[0], hub(3), ways[1]])
    #expect(directory.candidates.map(\.isDoubted) == [false, false, true])
  }

  @Test("J16: where nothing listens at one address of a hub, other hubs come before its further ones")
  func searchPutsOff() {
    var search = HubSearch()
    let all = [hub(2), hub(2, port: 7_401), hub(3), hub(3, port: 7_401)].map { HubCandidate($0, isListed: true) }
    search.begin(all, isNewcomer: false)
    search.recordGone(all[0], now: 0)
    #expect(search.order == [all[0], all[2], all[3], all[1]])
    // Of one that was tried before nothing changes.
    search.recordGone(all[0], now: 0)
    #expect(search.order == [all[0], all[2], all[3], all[1]])
  }

  @Test("W12: a whole group dials 32 addresses a second at most that members told, or one of each where they are more")
  func dialBudget() {
    for (size, rate) in [(1, 8), (2, 8), (8, 4), (16, 2), (32, 1), (256, 1)] {
      var budget = DialBudget(now: 0)
      budget.setRoom(size: size, now: 0)
      var dialled = 0
      var now: HostTime = 0
      while now < .seconds(100) {
        guard let later = budget.spend(now: now) else {
          dialled += 1
          continue
        }
        now = later
      }
      #expect(dialled == Int(DialBudget.burst) + 100 * rate - 1, "among \(size)")
      #expect(size * rate <= max(Int(DialBudget.ofAll), size))
    }
    // A group that falls apart is as many as before, for a minute.
    var budget = DialBudget(now: 0)
    budget.setRoom(size: 256, now: 0)
    budget.setRoom(size: 2, now: .seconds(1))
    while budget.spend(now: .seconds(1)) == nil {}
    #expect(budget.spend(now: .milliseconds(1_500)) != nil)
    budget.setRoom(size: 2, now: .seconds(61))
    while budget.spend(now: .seconds(61)) == nil {}
    #expect(budget.spend(now: .milliseconds(61_150)) == nil)
  }

  @Test("J16: somebody on its way brings nobody back to where nothing listens")
  func probeRests() {
    var probe = PartitionProbe()
    let all = [hub(2), hub(3)].map { HubCandidate($0, isListed: true) }
    probe.aim(at: all, now: 0)
    for (one, isGone) in zip(all, [true, false]) {
      probe.ended(one, answered: false, isGone: isGone, pace: .seconds(1), now: 0, random: 0.5)
    }
    probe.begin(at: .milliseconds(100), now: 0)
    #expect(probe.due(now: .milliseconds(100)) == [all[1]])
    #expect(Set(probe.due(now: PartitionProbe.resting)) == Set(all))
  }

  @Test("J16: hubs of who was here last are looked at before those of who died earlier in the evening")
  func probeOfLastSeen() {
    var directory = HubDirectory(local: id(1), invited: [])
    for number in 2...41 as ClosedRange<UInt64> { directory.record(id(number), hubs: [hub(UInt8(number))]) }
    // Thirty died one after another; the rest was lost with the own link, and one is here.
    var absent = Dictionary(uniqueKeysWithValues: (2...31 as ClosedRange<UInt64>).map { (id($0), HostTime.seconds(Int64($0))) })
    for number in 32...40 as ClosedRange<UInt64> { absent[id(number)] = .seconds(100) }
    directory.setAbsent(absent)
    var probe = PartitionProbe()
    probe.aim(at: directory.candidates, now: .seconds(101))
    let first = probe.due(now: .seconds(101)).prefix(10).map(\.address)
    #expect(first == [hub(41)] + (32...40 as ClosedRange<UInt8>).map { hub($0) })
  }

  @Test("J16: looking at all hubs anew keeps the turn of those that wait: one attempt a second reaches all of four")
  func probeKeepsTurns() {
    var probe = PartitionProbe()
    let all = (1...4 as ClosedRange<UInt8>).map { HubCandidate(hub($0), isListed: true) }
    probe.aim(at: all, now: .seconds(1))
    var looked: Set<HubAddress> = []
    for second in 1...4 as ClosedRange<Int64> {
      let now = HostTime.seconds(second)
      probe.begin(at: now, now: now)
      let due = probe.due(now: now)
      for waiting in due.dropFirst() { probe.postpone(waiting.address, until: now + .seconds(1)) }
      guard let one = due.first else { continue }
      looked.insert(one.address)
      probe.began(one.address)
      probe.ended(one, answered: true, isGone: false, pace: .seconds(1), now: now, random: 0)
    }
    #expect(looked == Set(all.map(\.address)))
  }

  @Test("J16: the hub of one lost a moment ago comes before older ones that wait for a turn; they have it after 8 s all the same")
  func probeOfTheLikely() {
    var probe = PartitionProbe()
    let old = (10...99 as ClosedRange<UInt8>).map { HubCandidate(hub($0), isListed: true, lastSeen: 0) }
    let fresh = HubCandidate(hub(2), isListed: true, lastSeen: .seconds(99))
    probe.aim(at: old + [fresh], now: .seconds(100))
    var looks: [HubAddress: [HostTime]] = [:]
    // Four a second may be dialled; all answer.
    for quarter in 0..<200 as Range<Int64> {
      let now = HostTime.seconds(100) + .milliseconds(250 * quarter)
      guard let one = probe.due(now: now).first else { continue }
      looks[one.address, default: []].append(now)
      probe.began(one.address)
      probe.ended(one, answered: true, isGone: false, pace: .seconds(1), now: now, random: 0.5)
    }
    let times = looks[fresh.address] ?? []
    #expect(times.first == .seconds(100) && times.dropFirst().first == .seconds(101))
    #expect(old.allSatisfy { looks[$0.address] != nil })
  }

  @Test("a hub that answers at one of its addresses is not asked at the others; one that waited longest is first")
  func probeOneAddress() {
    var probe = PartitionProbe()
    let all = [hub(2), hub(2, port: 7_401), hub(3)].map { HubCandidate($0, isListed: true) }
    probe.aim(at: all, now: 0)
    #expect(probe.due(now: 0) == [all[0], all[2], all[1]])
    probe.ended(all[1], answered: true, isGone: false, pace: .seconds(4), now: 0, random: 0.5)
    #expect(probe.due(now: 0) == [all[2]])
    #expect(probe.due(now: .seconds(4)) == [all[2], all[1]])
    probe.ended(all[1], answered: false, isGone: false, pace: .seconds(4), now: .seconds(4), random: 0.5)
    #expect(probe.due(now: .seconds(4)) == [all[0], all[2]])
    probe.postpone(all[0].address, until: .seconds(9))
    #expect(probe.due(now: .seconds(9)) == [all[0], all[2], all[1]])
  }
}
