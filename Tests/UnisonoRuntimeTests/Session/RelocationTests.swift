import Testing

@testable import UnisonoBase
@testable import UnisonoCrypto
@testable import UnisonoReplica
@testable import UnisonoRuntime

@Suite("Relocation")
struct RelocationTests {
  /// Secrets of a beginning behind one door.
  private func beginning(_ number: UInt8) -> RoomSecrets {
    func random(_ count: Int) -> [UInt8] { [UInt8](repeating: number, count: count) }
    let door = Secret(random: { [UInt8](repeating: 7, count: $0) })
    let identity = Identity { random($0) }
    let chain = Secret(random: random)
    let founding = RosterRecord.founding(
      roster: [identity.id], policy: PolicyStack.origin, chain: chain,
      scope: Door(session: [UInt8](repeating: 1, count: 32), secret: door).scope, author: identity.signing)
    return RoomSecrets(door: door, chain: chain, founding: founding)
  }

  @Test("beginnings that lost races of owners do not keep out a later one")
  func manyBeginnings() {
    var relocation = Relocation()
    let all = (1...UInt8(Relocation.beginnings + 3)).map { beginning($0) }
    for one in all { relocation.keepBeginning(one) }
    #expect(relocation.popBeginning(all[all.count - 1].founding.id) != nil)
    #expect(relocation.popBeginning(all[all.count - 1].founding.id) == nil)
    #expect(relocation.popBeginning(all[3].founding.id) != nil)
    #expect(relocation.popBeginning(all[2].founding.id) == nil)
  }
}
