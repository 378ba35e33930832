import Testing

@testable import UnisonoRuntime

@Suite("The replay window of probes")
struct ProbeWindowTests {
  @Test("Z33: each number counts once, late ones within the newest 64")
  func window() {
    let window = Box(ProbeWindow())
    #expect(window.value.record(10) == .newest)
    #expect(window.value.record(10) == .replay)
    #expect(window.value.record(9) == .late)
    #expect(window.value.record(9) == .replay)
    #expect(window.value.record(74) == .newest)
    #expect(window.value.record(10) == .replay)
    #expect(window.value.record(11) == .late)
    #expect(window.value.record(.max) == .newest)
    #expect(window.value.record(74) == .replay)
    #expect(window.value.record(.max - 63) == .late)
    #expect(window.value.record(.max - 64) == .replay)
    #expect(window.value.record(0) == .replay)
  }
}
