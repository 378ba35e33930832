import Testing
import UnisonoBase

@Suite("Noticing sleep")
struct SleepDetectorTests {
  @Test("F60: a machine slept when the clock that counts sleep gained on the one that does not")
  func slept() {
    var detector = SleepDetector(total: .seconds(100))
    let lengths = [100, 103, 103, 3_703].map { detector.slept(total: .seconds($0)) }
    #expect(lengths == [nil, .seconds(3), nil, .seconds(3_600)])
  }

  @Test("F60: a thread that is held up between reading the two clocks is no sleep")
  func interrupted() {
    var detector = SleepDetector(total: .seconds(100))
    let readings: [Nanoseconds] = [-.milliseconds(500), 0, .microseconds(30), -.seconds(2), .milliseconds(49)]
    for reading in readings {
      let length = detector.slept(total: .seconds(100) + reading)
      #expect(length == nil)
    }
  }
}
