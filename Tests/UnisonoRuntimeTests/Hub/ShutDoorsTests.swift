import Testing
import UnisonoCore

@testable import UnisonoRuntime

@Suite("Doors that a session left for good")
struct ShutDoorsTests {
  private func topic(_ number: Int) -> [UInt8] { withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) } }

  @Test("a door stays shut for a day, counted from the last time it was shut")
  func lifetime() {
    var doors = ShutDoors()
    doors.shut(topic(1), now: 0)
    #expect(doors.isShut(topic(1), now: .seconds(86_399)) && !doors.isShut(topic(2), now: 0))
    doors.shut(topic(1), now: .seconds(1_000))
    #expect(doors.isShut(topic(1), now: .seconds(87_399)) && !doors.isShut(topic(1), now: .seconds(87_400)))
    doors.shut(topic(2), now: .seconds(87_000))
    #expect(doors.count == 2)
    doors.shut(topic(3), now: .seconds(200_000))
    #expect(doors.count == 1)
  }

  @Test("over 1,024 the oldest is forgotten, and no more memory is taken however often one is shut")
  func capacity() {
    var doors = ShutDoors()
    for number in 0..<2_000 { doors.shut(topic(number), now: .seconds(Int64(number))) }
    #expect(doors.count == ShutDoors.capacity)
    #expect(!doors.isShut(topic(975), now: .seconds(2_000)) && doors.isShut(topic(976), now: .seconds(2_000)))
    for number in 0..<5_000 { doors.shut(topic(1_999), now: .seconds(2_000 + Int64(number))) }
    #expect(doors.count == 1 && doors.isShut(topic(1_999), now: .seconds(7_000)))
  }
}
