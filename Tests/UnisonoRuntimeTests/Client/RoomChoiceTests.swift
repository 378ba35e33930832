import Testing
import UnisonoBase
import UnisonoReplica

@testable import UnisonoRuntime

@Suite("Whether to go over to the room at another hub")
struct RoomChoiceTests {
  private func id(_ low: UInt64) -> ParticipantID { ParticipantID(high: 0, low: low) }

  private func entry(_ hub: UInt8, _ members: [UInt64], age: UInt32 = 0) -> RoomEntry {
    let name = [UInt8](repeating: hub, count: 16)
    return RoomEntry(
      address: "10.0.0.\(hub):7400", hubID: name, pinned: name, clockID: .none, connection: 1,
      members: members.map { Member(id: id($0), connection: $0, age: 1_000 * age) }, frameLimit: 0, bytesPerSecond: 0,
      udpPort: 0,
      advertised: [])
  }

  private func candidate(_ hub: UInt8, isPublic: Bool = false) -> HubCandidate {
    HubCandidate(
      HubAddress(address: "10.0.0.\(hub):7400", hub: [UInt8](repeating: hub, count: 16)), isListed: !isPublic,
      isPublic: isPublic)
  }

  private func here(_ hub: UInt8?, _ others: [UInt64], since: HostTime = 0) -> RoomChoice.Here {
    RoomChoice.Here(entry: hub.map { entry($0, others) }, others: Set(others.map(id)), since: since)
  }

  private func group(_ known: ClosedRange<UInt64>) -> HubGroup {
    HubGroup(isNewcomer: false, known: Set(known.map(id)))
  }

  private let newcomer = HubGroup(isNewcomer: true, known: [ParticipantID(high: 0, low: 1)])

  @Test("2.10: the smaller of two rooms that miss each other goes; of equal ones that of the greater hub id")
  func sizes() {
    var choice = RoomChoice()
    func goes(_ found: RoomEntry, from here: RoomChoice.Here) -> Bool {
      choice.goes(to: found, through: candidate(5), from: here, of: group(1...4), local: id(1), now: 0)
    }
    #expect(goes(entry(5, [2, 3]), from: here(4, [])))
    #expect(!goes(entry(5, [3]), from: here(4, [2])))
    #expect(goes(entry(5, [3]), from: here(6, [])))
    #expect(goes(entry(5, [3]), from: here(nil, [])))
    #expect(!goes(entry(5, []), from: here(nil, [])))
    // A hub is one, whatever addresses lead to it.
    #expect(!goes(entry(4, [1, 2, 3]), from: here(4, [])))
  }

  @Test("a hub that shows this very connection shows the same room: nobody goes there; one of before is none")
  func sameRoom() {
    func goes(_ connection: UInt64, of group: HubGroup) -> Bool {
      var choice = RoomChoice()
      var found = entry(5, [2, 3, 4])
      found.members.append(Member(id: id(1), connection: connection, age: 9_000))
      return choice.goes(
        to: found, through: candidate(5), from: here(4, [2]), of: group, local: id(1), now: RoomChoice.welcome)
    }
    #expect(!goes(1, of: newcomer) && !goes(1, of: group(1...4)))
    #expect(goes(0, of: newcomer) && goes(0, of: group(1...4)))
  }

  @Test("a room of our size whose people should come and do not: after three looks it is for us to go")
  func ties() {
    var choice = RoomChoice()
    let answers = (0..<3).map { _ in
      choice.goes(to: entry(5, [3]), through: candidate(5), from: here(4, []), of: group(1...3), local: id(1), now: 0)
    }
    #expect(answers == [false, false, true])
  }

  @Test("J16: a member that stays alone elsewhere does not know the way, and is fetched: by the lowest id of the larger room")
  func fetchesMembers() {
    func answers(local: UInt64, others: [UInt64], age: UInt32, missing: [UInt64] = [9]) -> [Bool] {
      var choice = RoomChoice()
      return (0..<6).map { second in
        choice.goes(
          to: entry(5, missing, age: age), through: candidate(5), from: here(4, others), of: group(1...9), local: id(local),
          now: .seconds(second))
      }
    }
    // It is given two seconds to come by itself, and one more look.
    #expect(answers(local: 1, others: [2, 3], age: 2) == [false, false, true, false, false, false])
    #expect(answers(local: 2, others: [1, 3], age: 2) == [false, false, false, true, false, false])
    // While one who was here a moment ago is there, it is fetching.
    var third = RoomChoice()
    let visited = (0..<8 as Range<UInt32>).map { second in
      var found = entry(5, [9], age: second + 2)
      found.members += entry(5, [1], age: second).members
      return third.goes(
        to: found, through: candidate(5), from: here(4, [3, 4, 5, 6]), of: group(1...9), local: id(2),
        now: .seconds(Int64(second) + 2))
    }
    #expect(visited == [false, false, false, false, true, false, false, false])
    // Who came there a moment ago is on its way.
    #expect(answers(local: 1, others: [2, 3], age: 1) == [false, false, false, false, false, false])
    // Of a large room three go at most.
    #expect(answers(local: 9, others: [1, 2, 3, 4], age: 3, missing: [8]) == [false, false, false, false, false, false])
    // Of as many the ones or the others move, as ever.
    #expect(answers(local: 1, others: [2, 3], age: 3, missing: [7, 8, 9]) == [false, false, true, true, true, true])
  }

  @Test("F40: strangers draw nobody of the group to them; who looks for the group goes wherever anybody is")
  func strangers() {
    var choice = RoomChoice()
    let crowd = entry(5, [11, 12, 13, 14], age: 60)
    func goes(to found: RoomEntry, from here: RoomChoice.Here, of group: HubGroup) -> Bool {
      choice.goes(to: found, through: candidate(5), from: here, of: group, local: id(1), now: 0)
    }
    #expect(!goes(to: crowd, from: here(4, [2]), of: group(1...2)))
    #expect(!goes(to: crowd, from: here(nil, []), of: group(1...2)))
    #expect(goes(to: crowd, from: here(4, []), of: newcomer))
    #expect(goes(to: crowd, from: here(nil, []), of: newcomer))
    #expect(!goes(to: entry(5, []), from: here(4, []), of: newcomer))
  }

  @Test("F40: among others who cannot help either a newcomer goes on after 2 s, and not back for 10 s")
  func goesOn() {
    var choice = RoomChoice()
    choice.entered(entry(5, []).hubID, now: 0)
    choice.entered(entry(4, []).hubID, now: .seconds(3))
    func goes(at now: HostTime) -> Bool {
      choice.goes(
        to: entry(5, [12]), through: candidate(5), from: here(4, [11], since: .seconds(3)), of: newcomer, local: id(1),
        now: now)
    }
    #expect(!goes(at: .seconds(4)))
    #expect(!goes(at: .seconds(6)))
    #expect(goes(at: .seconds(10)))
  }

  @Test(
    "F40: who waits at a hub of old invites is fetched by the lowest id, the next ones later; ever more seldom in vain")
  func fetching() {
    let waiting = entry(5, [11], age: 2)
    func goes(_ choice: inout RoomChoice, _ local: UInt64, at now: HostTime, through: HubCandidate) -> Bool {
      choice.goes(
        to: waiting, through: through, from: here(4, [1, 2, 3].filter { $0 != local }), of: group(1...3),
        local: id(local), now: now)
    }
    let old = candidate(5, isPublic: true)
    var (first, third) = (RoomChoice(), RoomChoice())
    var answers = [goes(&first, 1, at: 0, through: old)]
    #expect(answers == [true])
    answers = (0..<3).map { _ in goes(&third, 3, at: 0, through: old) }
    #expect(answers == [false, false, true])
    // At somebody's hub that somebody does it.
    var (other, owner) = (RoomChoice(), RoomChoice())
    let own = HubCandidate(own: HubAddress(unmet: "127.0.0.1:1"), isStandby: true)
    answers = [goes(&other, 1, at: 0, through: candidate(5)), goes(&owner, 3, at: 0, through: own)]
    #expect(answers == [false, true])
    // One who never asks for the key does not make us run to and fro.
    answers = (0..<600).map { goes(&first, 1, at: .seconds(Int64($0)), through: old) }
    #expect(answers.filter(\.self).count < 8)
    // On its way to elsewhere: let be.
    var calm = RoomChoice()
    let passes = calm.goes(
      to: entry(5, [11], age: 1), through: old, from: here(4, []), of: group(1...1), local: id(1), now: 0)
    #expect(!passes)
  }
}
