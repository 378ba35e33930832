import Testing
import UnisonoBase
import UnisonoReplica

@testable import UnisonoRuntime

@Suite("Who left which room")
struct DeparturesTests {
  private func departure(_ number: UInt64) throws -> Departure {
    Departure(
      id: try #require(ParticipantID(bytes: [UInt8](repeating: UInt8(number), count: 16))), connection: number,
      left: false)
  }

  @Test("is told by rooms, the longest waiting first; a room that was asked for out of turn is not told twice")
  func order() throws {
    var departures = Departures()
    #expect(departures.isEmpty && departures.next() == nil)
    for (number, room) in [(1, 7), (2, 3), (3, 7), (4, 5)] as [(UInt64, UInt64)] {
      departures.add(try departure(number), to: room)
    }
    #expect(departures.remove(of: 3)?.map(\.connection) == [2])
    #expect(departures.remove(of: 3) == nil)
    let first = departures.next()
    #expect(first?.room == 7 && first?.gone.map(\.connection) == [1, 3])
    departures.add(try departure(5), to: 3)
    #expect(departures.next()?.room == 5)
    #expect(departures.next()?.gone.map(\.connection) == [5])
    #expect(departures.next() == nil && departures.isEmpty)
  }
}
