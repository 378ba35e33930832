import Testing

@testable import UnisonoRuntime

@Suite("Notices at doors that a session left for good")
struct DoorNoticesTests {
  private func topic(_ number: Int) -> [UInt8] { withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) } }
  private func envelope(_ number: Int, _ count: Int = 200) -> [UInt8] {
    [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: count)
  }

  @Test("6.8: a notice is kept for a day, the newest of a room stands, and other rooms have none")
  func lifetime() {
    var notices = DoorNotices()
    notices.keep(envelope(1), for: topic(1), by: home, now: 0)
    #expect(notices.notice(for: topic(1), now: .seconds(86_399)) == envelope(1))
    #expect(notices.notice(for: topic(2), now: 0) == nil)
    notices.keep(envelope(2), for: topic(1), by: home, now: .seconds(1_000))
    #expect(notices.notice(for: topic(1), now: .seconds(87_399)) == envelope(2) && notices.count == 1)
    #expect(notices.notice(for: topic(1), now: .seconds(87_400)) == nil)
    notices.keep(envelope(3), for: topic(3), by: home, now: .seconds(200_000))
    #expect(notices.count == 1)
  }

  private let home = AddressKey("10.0.0.7").keeper
  /// Of many keepers.
  private func keeper(_ number: Int) -> [UInt8] { AddressKey("10.\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)").keeper }

  @Test("Z68: 2,000 notices from 128 addresses, and from one /24: those of others are still there")
  func others() {
    var notices = DoorNotices()
    for number in 0..<20 {
      notices.keep(envelope(number, 4_000), for: topic(10_000 + number), by: keeper(5_000 + number), now: 0)
    }
    for number in 0..<2_000 {
      let flooder = number % 2 == 0 ? keeper(number % 128) : AddressKey("203.0.113.\(number % 128)").keeper
      notices.keep(envelope(number, DoorNotices.longest), for: topic(number), by: flooder, now: .seconds(1))
    }
    for number in 0..<20 { #expect(notices.notice(for: topic(10_000 + number), now: .seconds(2)) != nil) }
    #expect(notices.count <= DoorNotices.capacity)
  }

  @Test("of one keeper 16 are kept, the newest")
  func share() {
    var notices = DoorNotices()
    for number in 0..<40 { notices.keep(envelope(number), for: topic(number), by: home, now: 0) }
    #expect(notices.count == DoorNotices.perKeeper)
    #expect(notices.notice(for: topic(23), now: 0) == nil && notices.notice(for: topic(24), now: 0) != nil)
  }

  @Test("over 1,024 notices or 4 MiB the oldest are forgotten, and one over 32 KiB is not kept")
  func capacity() {
    var notices = DoorNotices()
    for number in 0..<2_000 {
      notices.keep(envelope(number), for: topic(number), by: keeper(number), now: .seconds(Int64(number)))
    }
    #expect(notices.count == DoorNotices.capacity)
    #expect(notices.notice(for: topic(975), now: .seconds(2_000)) == nil)
    #expect(notices.notice(for: topic(976), now: .seconds(2_000)) == envelope(976))
    for number in 0..<5_000 { notices.keep(envelope(number), for: topic(1_999), by: home, now: .seconds(2_000)) }
    #expect(notices.count == DoorNotices.capacity)
    notices = DoorNotices()
    for number in 0..<200 {
      notices.keep(envelope(number, DoorNotices.longest), for: topic(number), by: keeper(number), now: .seconds(3_000))
    }
    let long = (0..<200).filter { notices.notice(for: topic($0), now: .seconds(3_000))?.count == DoorNotices.longest }
    #expect((100...DoorNotices.memory / DoorNotices.longest).contains(long.count) && notices.count <= DoorNotices.capacity)
    notices.keep(envelope(7, DoorNotices.longest + 1), for: topic(199), by: home, now: .seconds(3_000))
    #expect(notices.notice(for: topic(199), now: .seconds(3_000)) == envelope(199, DoorNotices.longest))
  }
}
