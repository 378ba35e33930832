import Foundation
import Testing
import UnisonoBase

@testable import UnisonoCrypto

@Suite("Random rooms")
struct RoomSearchTests {
  /// Of so many rooms it is asked whether enough was tried.
  private static let leastJudged: UInt64 = 24

  /// 48 rooms, or as many as `make test` and `make search` ask for, in parts that run beside each other: one for each processor, none
  /// of them too small to be judged.
  private static let parts: [Range<UInt64>] = {
    let settings = ProcessInfo.processInfo.environment
    let first = settings["UNISONO_SEARCH_SEED"].flatMap(UInt64.init) ?? 0
    let count = settings["UNISONO_SEARCH_RUNS"].flatMap(UInt64.init) ?? 48
    let parts = max(1, min(UInt64(ProcessInfo.processInfo.activeProcessorCount), count / leastJudged))
    return (0..<parts).map { first + count * $0 / parts..<first + count * ($0 + 1) / parts }
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
      let done = seed - seeds.lowerBound + 1
      // Who waits for hours sees how far it is.
      if done.isMultiple(of: 1_000) { print("rooms from seed \(seeds.lowerBound) on: \(done) of \(seeds.count)") }
    }
    // A search that lets nobody in, removes nobody and tells no lies finds nothing.
    #expect(seeds.count < Self.leastJudged || tried.secured > 80 && tried.removals > 4 && tried.lies > 10, "\(tried)")
    if seeds.count > Self.leastJudged { print("\(seeds.count) rooms, \(tried); together after at most \(greatest / .milliseconds(1)) ms") }
  }
}
