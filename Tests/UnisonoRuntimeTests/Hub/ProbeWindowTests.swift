import Testing

@testable import UnisonoRuntime

@Suite("The replay window of probes")
struct ProbeWindowTests {
  @Test("Z33: each number counts once, late ones within the newest 64")
  func window() {
    let window = Box(ProbeWindow())
    #expect(window.value.note(10) == .newest)
    #expect(window.value.note(10) == .replay)
    #expect(window.value.note(9) == .late)
    #expect(window.value.note(9) == .replay)
    #expect(window.value.note(74) == .newest)
    #expect(window.value.note(10) == .replay)
    #expect(window.value.note(11) == .late)
    #expect(window.value.note(.max) == .newest)
    #expect(window.value.note(74) == .replay)
    #expect(window.value.note(.max - 63) == .late)
    #expect(window.value.note(.max - 64) == .replay)
    #expect(window.value.note(0) == .replay)
  }
}
