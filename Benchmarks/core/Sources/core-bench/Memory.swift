import CMalloc
import UnisonoCore

/// The memory of one coordination in a session of many.
enum Memory {
  private static var used: Int { Int(mallinfo2().uordblks) }

  /// Heap bytes that a coordination holds once it knows `count - 1` others, each with a register of its own making.
  static func ofOne(in count: Int) -> Int {
    let before = used
    var coordination = BenchRoom.coordination(0)
    let ids = (1..<max(2, count)).map(BenchRoom.id)
    let now = HostTime.seconds(100)
    func feed(_ event: CoordinationEvent) {
      _ = coordination.handle(event, now: now)
      _ = coordination.settle(now: now)
    }
    feed(.linkUp(members: ids.map { Member(id: $0, connection: 1, age: 9) }, clock: ClockID(high: 9, low: 9)))
    feed(.secured)
    feed(.clock(ClockModel(hostTime: now, remoteTime: now, errorBound: 500_000), roundTrip: .milliseconds(20)))
    for (index, id) in ids.enumerated() {
      var value = ParticipantValue(
        incarnation: UInt64(index), displayName: "A person with the number \(index)",
        deviceName: "Some device number \(index)")
      value.item = BenchRoom.item
      let statement = Statement(
        key: .participant(id), author: id, policy: .none, time: now, value: .participant(value),
        signed: SignedStatement(
          body: [UInt8](repeating: 1, count: 220),
          signature: [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: 64)))
      feed(.message(.update([statement]), from: id))
    }
    let bytes = used - before
    withExtendedLifetime(coordination) {}
    return bytes
  }
}
