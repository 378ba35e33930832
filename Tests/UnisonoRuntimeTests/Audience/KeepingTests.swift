import Testing
import UnisonoBase
import UnisonoReplica

@testable import UnisonoCrypto
@testable import UnisonoRuntime

/// One host's, which changes where it is asked.
private final class Keeper {
  private(set) var keeping = AudienceKeeping()

  func open(_ hubs: [HubAddress]) -> AudienceValue { keeping.open(hubs: hubs) { [UInt8](repeating: 7, count: $0) } }
  func take(_ seed: [UInt8], of topic: [UInt8]) -> Bool { keeping.take(seed, of: topic) }
  func review(_ situation: AudienceKeeping.Situation) -> [AudienceKeeping.Step] { keeping.review(situation) }
  func seed(of topic: [UInt8]) -> [UInt8]? { keeping.seed(of: topic) }
  func key(of topic: [UInt8]) -> SigningKey? { keeping.key(of: topic) }
}

@Suite("Who speaks to an audience is decided of the register and of who is there")
struct KeepingTests {
  private let ids = (1...4).map { ParticipantID(high: 0, low: UInt64($0)) }
  private let start: HostTime = 1_000_000_000

  private func situation(
    _ local: Int, _ value: AudienceValue, keeper: Int, hosts: [Int], at seconds: Double, isInStep: Bool = true, isAble: Bool = true
  ) -> AudienceKeeping.Situation {
    AudienceKeeping.Situation(
      local: ids[local], register: (value, ids[keeper]), hosts: hosts.map { ids[$0] }, isInStep: isInStep, isAble: isAble,
      now: start.adding(Nanoseconds(seconds * 1e9)))
  }

  /// An audience that one opened, and others who know its key.
  private func opened(_ count: Int) throws -> (value: AudienceValue, all: [Keeper]) {
    let first = Keeper()
    let value = first.open([HubAddress(address: "h:1", hub: [UInt8](repeating: 1, count: 16))])
    let seed = try #require(first.seed(of: value.topic))
    let others = (1..<count).map { _ in
      let one = Keeper()
      #expect(one.take(seed, of: value.topic))
      return one
    }
    return (value, [first] + others)
  }

  @Test("F136: who opens writes it once that counts; who has the key goes on in turn, a second after another each")
  func turns() throws {
    let (value, all) = try opened(3)
    #expect(all[0].review(situation(0, value, keeper: 0, hosts: [0, 1, 2], at: 0, isInStep: false)) == [])
    #expect(all[0].keeping.isOpening && all[0].review(situation(0, value, keeper: 0, hosts: [0, 1, 2], at: 0)) == [.write(value)])
    #expect(!all[0].keeping.isOpening)
    for one in 1...2 { #expect(all[one].review(situation(one, value, keeper: 0, hosts: [0, 1, 2], at: 1)) == []) }
    // It is gone: the first waits a second, the next two, and nobody who was not asked to.
    for (one, rank) in [(1, 1.0), (2, 2.0)] {
      #expect(all[one].review(situation(one, value, keeper: 0, hosts: [1, 2], at: 10)) == [])
      #expect(all[one].keeping.nextWake == start.adding(Nanoseconds((10 + rank) * 1e9)))
      #expect(all[one].review(situation(one, value, keeper: 0, hosts: [1, 2], at: 10 + rank - 0.001)) == [])
    }
    #expect(all[1].review(situation(1, value, keeper: 0, hosts: [1, 2], at: 11)) == [.write(value)])
    #expect(all[2].review(situation(2, value, keeper: 1, hosts: [1, 2], at: 11.5)) == [] && all[2].keeping.nextWake == nil)
    // Who is back is no keeper, and writes nothing.
    #expect(all[0].review(situation(0, value, keeper: 1, hosts: [0, 1, 2], at: 20)) == [])
  }

  @Test("F136: who has no key, may not speak or is not in step never goes on; without a key others are asked, one after another")
  func without() throws {
    let (value, all) = try opened(2)
    _ = all[0].review(situation(0, value, keeper: 0, hosts: [0, 1], at: 0))
    for seconds in [0.0, 5, 60] {
      #expect(all[1].review(situation(1, value, keeper: 0, hosts: [2], at: seconds)) == [])
      #expect(all[1].review(situation(1, value, keeper: 0, hosts: [1, 2], at: seconds, isInStep: false)) == [])
      #expect(all[1].review(situation(1, value, keeper: 0, hosts: [1, 2], at: seconds, isAble: false)) == [])
    }
    let stranger = Keeper()
    let topic = value.topic
    #expect(stranger.review(situation(2, value, keeper: 0, hosts: [1, 0, 2], at: 0)) == [.ask(ids[0], topic: topic)])
    #expect(stranger.review(situation(2, value, keeper: 0, hosts: [1, 0, 2], at: 0.9)) == [])
    #expect(stranger.review(situation(2, value, keeper: 0, hosts: [1, 0, 2], at: 1)) == [.ask(ids[1], topic: topic)])
    #expect(stranger.review(situation(2, value, keeper: 0, hosts: [1, 2], at: 60)) == [.ask(ids[1], topic: topic)])
    #expect(stranger.review(situation(2, value, keeper: 0, hosts: [2], at: 120)) == [])
    // The only other one is asked again, and nothing is written, however long nobody speaks.
    #expect(stranger.review(situation(2, value, keeper: 0, hosts: [1, 2], at: 121)) == [.ask(ids[1], topic: topic)])
    #expect(stranger.key(of: topic) == nil)
  }

  @Test("F136: a key that is not the audience's is none, whoever hands it over")
  func forgedKey() throws {
    let (value, all) = try opened(1)
    let seed = try #require(all[0].seed(of: value.topic))
    let one = Keeper()
    #expect(!one.take([UInt8](repeating: 9, count: 32), of: value.topic) && one.key(of: value.topic) == nil)
    #expect(!one.take(Array(seed.dropLast()), of: value.topic) && one.seed(of: value.topic) == nil)
    #expect(one.take(seed, of: value.topic) && one.key(of: value.topic)?.publicKey.bytes == value.topic)
    #expect(one.key(of: [UInt8](repeating: 0, count: 32)) == nil && one.seed(of: [UInt8](repeating: 0, count: 32)) == nil)
  }
}
