import Testing

@testable import UnisonoRuntime

@Suite("Notices at doors that a session left for good")
struct DoorNoticesTests {
  private func topic(_ number: Int) -> [UInt8] { withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) } }
  private func envelope(_ number: Int, _ count: Int = 200) -> [UInt8] {
    [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: count)
  }

  @Test("6.4: a notice is kept for a day, the newest of a room stands, and other rooms have none")
  func lifetime() {
    var notices = DoorNotices()
    notices.keep(envelope(1), for: topic(1), now: 0)
    #expect(notices.notice(for: topic(1), now: .seconds(86_399)) == envelope(1))
    #expect(notices.notice(for: topic(2), now: 0) == nil)
    notices.keep(envelope(2), for: topic(1), now: .seconds(1_000))
    #expect(notices.notice(for: topic(1), now: .seconds(87_399)) == envelope(2) && notices.count == 1)
    #expect(notices.notice(for: topic(1), now: .seconds(87_400)) == nil)
    notices.keep(envelope(3), for: topic(3), now: .seconds(200_000))
    #expect(notices.count == 1)
  }

  @Test("over 1,024 notices or 4 MiB the oldest are forgotten, and one over 32 KiB is not kept")
  func capacity() {
    var notices = DoorNotices()
    for number in 0..<2_000 { notices.keep(envelope(number), for: topic(number), now: .seconds(Int64(number))) }
    #expect(notices.count == DoorNotices.capacity)
    #expect(notices.notice(for: topic(975), now: .seconds(2_000)) == nil)
    #expect(notices.notice(for: topic(976), now: .seconds(2_000)) == envelope(976))
    for number in 0..<5_000 { notices.keep(envelope(number), for: topic(1_999), now: .seconds(2_000)) }
    #expect(notices.count == DoorNotices.capacity)
    for number in 0..<200 {
      notices.keep(envelope(number, DoorNotices.longest), for: topic(number), now: .seconds(3_000))
    }
    #expect(notices.count == DoorNotices.memory / DoorNotices.longest)
    notices.keep(envelope(7, DoorNotices.longest + 1), for: topic(199), now: .seconds(3_000))
    #expect(notices.notice(for: topic(199), now: .seconds(3_000)) == envelope(199, DoorNotices.longest))
  }
}
