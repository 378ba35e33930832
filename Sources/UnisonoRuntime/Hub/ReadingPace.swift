import UnisonoBase

/// Pace at which a hub reads: who rests until when, and how much memory what came takes.
///
/// A connection that used up its limits rests: nothing is read from it until the time that was given to `rest`. One timer
/// wakes all of them, in steps of 10 ms, so that many who rest cost few wake-ups; what is returned is when to arm it.
struct ReadingPace {
  private static let step = Nanoseconds.milliseconds(10)

  /// Over TCP, with length fields.
  private(set) var bytesIn: UInt64 = 0
  private(set) var framesIn: UInt64 = 0
  /// Numbers of the connections that rest, with the time until which they do.
  private var resting: [UInt64: HostTime] = [:]
  /// Time at which the next of them is looked at.
  private var nextWake: HostTime?
  private var memory: ByteBudget

  init(memory: Int) { self.memory = ByteBudget(limit: memory) }

  /// Connections that rest.
  var restingCount: Int { resting.count }
  /// Memory that what came takes, bytes.
  var memoryUsed: Int { memory.used }

  mutating func setMemory(_ bytes: Int) { memory.setLimit(bytes) }

  mutating func count(bytes: Int) { bytesIn += UInt64(bytes) }

  mutating func countFrame() { framesIn += 1 }

  /// `number` rests until `time`; returns when to wake, if that is earlier than it was.
  mutating func rest(_ number: UInt64, until time: HostTime, now: HostTime) -> HostTime? {
    resting[number] = time
    return wake(at: time, now: now)
  }

  mutating func resume(_ number: UInt64) { resting[number] = nil }

  /// It is time to wake: the numbers of all that rest, ascending.
  mutating func beginWake() -> [UInt64] {
    nextWake = nil
    return resting.keys.sorted()
  }

  /// Whether `number` rested until now.
  func isRested(_ number: UInt64, now: HostTime) -> Bool { resting[number].map { $0 <= now } ?? false }

  /// Time to wake the next.
  mutating func endWake(now: HostTime) -> HostTime? { resting.values.min().flatMap { wake(at: $0, now: now) } }

  private mutating func wake(at time: HostTime, now: HostTime) -> HostTime? {
    let wanted = max(time, now.adding(Self.step))
    guard wanted < nextWake ?? .max else { return nil }
    nextWake = wanted
    return wanted
  }

  /// Brings the memory up to date with what waits of `connection`'s.
  mutating func account(_ connection: HubConnection) { connection.account(inbound: &memory) }

  /// Connection to close, because what was received takes too much memory; nil: it does not.
  func largest(of connections: ConnectionTable) -> HubConnection? {
    memory.isOver ? connections.all.max { $0.inboundShare < $1.inboundShare } : nil
  }
}
