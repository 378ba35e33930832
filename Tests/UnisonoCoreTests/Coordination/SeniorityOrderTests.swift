import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

/// Who goes before whom (wire 6.5).
@Suite struct SeniorityOrderTests {
  @Test("6.5: owners in their order, then the roster in its order, then all others by id")
  func order() {
    let ids = (0..<6).map { ParticipantID(high: UInt64($0), low: 1) }
    let order = SeniorityOrder(owners: [ids[4], ids[3]], roster: [ids[5], ids[3], ids[2]])
    #expect(ids.sorted { order.isSenior($0, $1) } == [ids[4], ids[3], ids[5], ids[2], ids[0], ids[1]])
    for id in ids { #expect(!order.isSenior(id, id)) }
  }
}
