import Testing
import UnisonoBase

@testable import UnisonoRuntime

@Suite("Rooms of a hub")
struct HubRoomTests {
  private let home = AddressKey("10.0.0.7")
  private func id(_ number: UInt64) -> ParticipantID { ParticipantID(high: number, low: 0) }
  private func topic(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 32) }

  @Test("a room exists while somebody is in it")
  func lifetime() {
    let rooms = Box(HubRooms(limits: HubLimits()))
    #expect(
      rooms.value.enter(topic: topic(1), id: id(1), connection: 1, from: home, now: 0)
        == .entered(room: 1, replaced: nil))
    #expect(
      rooms.value.enter(topic: topic(1), id: id(2), connection: 2, from: home, now: 0)
        == .entered(room: 1, replaced: nil))
    #expect(rooms.value.count == 1)
    #expect(rooms { $0.leave(room: 1, id: id(1), connection: 1, from: home) })
    #expect(rooms { $0.leave(room: 1, id: id(2), connection: 2, from: home) })
    #expect(rooms.value.count == 0)
    #expect(
      rooms.value.enter(topic: topic(1), id: id(1), connection: 3, from: home, now: 0)
        == .entered(room: 2, replaced: nil))
  }

  @Test("the newest connection of an id replaces the older, whose end then means nothing")
  func replaced() {
    let rooms = Box(HubRooms(limits: HubLimits()))
    _ = rooms.value.enter(topic: topic(1), id: id(1), connection: 1, from: home, now: 0)
    #expect(
      rooms.value.enter(topic: topic(1), id: id(1), connection: 9, from: home, now: 5)
        == .entered(room: 1, replaced: 1))
    #expect(!rooms { $0.leave(room: 1, id: id(1), connection: 1, from: home) })
    #expect(rooms.value[1]?.members.map(\.connection) == [9])
  }

  @Test("members are listed by ascending id, whatever the order of entry")
  func order() {
    let rooms = Box(HubRooms(limits: HubLimits()))
    for number in [5, 2, 9, 1, 7] as [UInt64] {
      _ = rooms.value.enter(topic: topic(1), id: id(number), connection: number, from: home, now: 0)
    }
    #expect(rooms.value[1]?.members.map(\.connection) == [1, 2, 5, 7, 9])
    #expect(rooms.value[1]?.connection(of: id(7)) == 7)
    #expect(rooms.value[1]?.connection(of: id(6)) == nil)
  }

  @Test("rooms, and rooms of an address, are bounded; replacing oneself is always possible")
  func bounds() {
    var limits = HubLimits()
    limits.rooms = 3
    limits.roomsPerAddress = 2
    let rooms = Box(HubRooms(limits: limits))
    func enter(_ room: UInt8, _ who: UInt64, _ connection: UInt64, _ host: String) -> Bool {
      rooms.value.enter(topic: topic(room), id: id(who), connection: connection, from: AddressKey(host), now: 0)
        != .full
    }
    #expect(enter(1, 1, 1, "a") && enter(1, 2, 2, "b") && enter(1, 2, 4, "b"))
    #expect(enter(2, 1, 5, "a") && !enter(3, 1, 6, "a") && enter(3, 1, 7, "b") && !enter(4, 1, 8, "d"))
    #expect(rooms { $0.leave(room: 2, id: id(1), connection: 5, from: AddressKey("a")) })
    #expect(enter(4, 1, 9, "a"))
  }

  @Test("a room that sends too much slows its largest sender first and the others only when it is a second behind")
  func egress() {
    let room = Box(HubRoom(bytesPerSecond: 1_000, now: 0))
    for number in 1...3 as ClosedRange<UInt64> { _ = room.value.enter(id(number), connection: number) }
    room.value.sent(1_300, for: id(1), now: 0)
    room.value.sent(100, for: id(2), now: 0)
    #expect(room.value.mustRest(id(1), now: 0) == .milliseconds(401))
    #expect(room.value.mustRest(id(2), now: 0) == nil)
    room.value.sent(1_000, for: id(1), now: 0)
    #expect(room.value.mustRest(id(2), now: 0) != nil)
    #expect(room.value.mustRest(id(3), now: 0) != nil)
    #expect(room.value.mustRest(id(1), now: .seconds(2)) == nil)
  }

  @Test("what somebody sent long ago does not make it the largest sender")
  func shares() {
    let room = Box(HubRoom(bytesPerSecond: 1_000, now: 0))
    for number in 1...2 as ClosedRange<UInt64> { _ = room.value.enter(id(number), connection: number) }
    room.value.sent(1_000, for: id(1), now: 0)
    room.value.sent(1_500, for: id(2), now: .seconds(10))
    #expect(room.value.mustRest(id(1), now: .seconds(10)) == nil)
    #expect(room.value.mustRest(id(2), now: .seconds(10)) != nil)
  }
}
