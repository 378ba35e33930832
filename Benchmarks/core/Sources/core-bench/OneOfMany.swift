import CMalloc
import Glibc
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// One coordination in a session of many, fed by hand: what it holds and how fast it is.
struct OneOfMany {
  private var coordination = BenchRoom.coordination(0)
  private let ids: [ParticipantID]
  private let now = HostTime.seconds(100)

  private init(of count: Int) {
    ids = (1..<max(2, count)).map(BenchRoom.id)
    feed(.transition(to: BenchRoom.item, proposal: nil))
    feed(.linkUp(members: ids.map { Member(id: $0, connection: 1, age: 9) }, clock: ClockID(high: 9, low: 9)))
    feed(.secured)
    feed(.clock(ClockModel(hostTime: now, remoteTime: now, errorBound: 500_000), roundTrip: .milliseconds(20)))
    for index in ids.indices { takeRegister(of: index, round: 0) }
  }

  private mutating func feed(_ event: CoordinationEvent) {
    _ = coordination.handle(event, now: now)
    _ = coordination.settle(now: now)
    _ = coordination.nextWake
  }

  /// A newer register of somebody else, as it comes: signed, and sharing no memory with an older one.
  private mutating func takeRegister(of index: Int, round: Int) {
    var value = ParticipantValue(
      incarnation: UInt64(index), displayName: "A person with the number \(index)",
      deviceName: "Some device number \(index)")
    value.item = BenchRoom.item
    value.rate = Double(round)
    let body = [UInt8](repeating: UInt8(truncatingIfNeeded: round), count: 220)
    let signature = [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: 64)
    let statement = Statement(
      key: .participant(ids[index]), author: ids[index], policy: .none, time: now + Int64(round),
      value: .participant(value), signed: SignedStatement(body: body, signature: signature))
    feed(.message(.update([statement]), from: ids[index]))
  }

  /// Heap bytes that it holds once it knows all others, and turns of its loop a second of processor time, while everybody's
  /// register changes.
  static func measure(of count: Int) -> (bytes: Int, turnsPerSecond: Double) {
    let before = Int(mallinfo2().uordblks)
    var one = OneOfMany(of: count)
    let bytes = Int(mallinfo2().uordblks) - before
    let turns = max(300, count)
    let began = processTime()
    for turn in 0..<turns { one.takeRegister(of: turn % one.ids.count, round: turn / one.ids.count + 1) }
    return (bytes, Double(turns) / max(processTime() - began, 1e-9))
  }
}

/// Processor time of this process, s: other work on the machine does not count.
func processTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}
