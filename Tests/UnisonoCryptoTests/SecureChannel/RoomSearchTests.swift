import Foundation
import Testing
import UnisonoBase

@testable import UnisonoCrypto

@Suite("Random rooms")
struct RoomSearchTests {
  /// 48 rooms, or as many as `make test` and `make search` ask for, in two parts that run beside each other.
  private static let parts: [Range<UInt64>] = {
    let settings = ProcessInfo.processInfo.environment
    let first = settings["UNISONO_SEARCH_SEED"].flatMap(UInt64.init) ?? 0
    let count = settings["UNISONO_SEARCH_RUNS"].flatMap(UInt64.init) ?? 48
    return [first..<first + count / 2, first + count / 2..<first + count]
  }()

  @Test(
    "Z86: at a hub that does what it likes nobody reads who is not listed or was removed; at an honest one all are one in 60 s",
    arguments: parts)
  func search(seeds: Range<UInt64>) {
    var (greatest, tried) = (Nanoseconds.zero, (secured: 0, removals: 0, lies: 0))
    for seed in seeds {
      let search = RoomSearch(seed: seed)
      defer { search.close() }
      search.run()
      #expect(search.unlisted == nil && search.isOne, "seed \(seed): \(search.steps); \(search.standing)")
      greatest = max(greatest, search.mended)
      tried.secured += search.counts.secured
      tried.removals += search.counts.removals
      tried.lies += search.counts.lies
    }
    // A search that lets nobody in, removes nobody and tells no lies finds nothing.
    #expect(seeds.count < 24 || tried.secured > 80 && tried.removals > 4 && tried.lies > 10, "\(tried)")
    if seeds.count > 24 { print("\(seeds.count) rooms, \(tried); together after at most \(greatest / .milliseconds(1)) ms") }
  }
}
