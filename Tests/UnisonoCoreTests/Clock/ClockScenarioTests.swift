import Testing
import UnisonoBase

@Suite struct ClockScenarioTests {
  @Test("K1: 20 ms either way and one answer after 400 ms: the spike moves nothing, and the bound grows until the next")
  func spike() throws {
    var filter = ClockFilter()
    /// The hub's clock is 5 s ahead.
    func exchange(at host: HostTime, there: Nanoseconds, back: Nanoseconds) -> ClockSample {
      let received = host + there + .seconds(5)
      return ClockSample(
        asked: host, received: received, replied: received + 1_000, answered: host + there + 1_000 + back)
    }
    for index in Int64(0)..<8 {
      filter.add(exchange(at: .milliseconds(250 * index), there: .milliseconds(20), back: .milliseconds(20)))
    }
    let before = try #require(filter.model)
    filter.add(exchange(at: .seconds(2), there: .milliseconds(20), back: .milliseconds(380)))
    let after = try #require(filter.model)
    let now = HostTime.milliseconds(2_500)
    #expect(abs(after.remote(at: now) - before.remote(at: now)) <= .microseconds(100))
    #expect(abs(after.remote(at: now) - now - .seconds(5)) <= .microseconds(100))
    #expect(after.error(at: now) <= .milliseconds(22))
    var bounds = (0...10).map { after.error(at: now + .seconds($0)) }
    #expect(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 })
    filter.add(exchange(at: now + .seconds(10), there: .milliseconds(20), back: .milliseconds(20)))
    bounds.append(try #require(filter.model).error(at: now + .milliseconds(10_041)))
    #expect(bounds[11] < bounds[10])
  }
}
