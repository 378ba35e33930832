import UnisonoBase

/// The clock that a hub tells: host time since a random zero, under a name that is fresh with every hub.
///
/// A machine that slept had its clock stand, so that it is another clock afterwards, with another name; whoever asks
/// `renewAfterSleep` first lets everybody enter anew when it says so. Asked before every answer to a probe and once a second.
struct HubClock {
  /// Names this clock; another one after the machine slept.
  private(set) var id: ClockID
  /// Host time at which this clock shows 0: 18 minutes to 13 days before its start, so that times on the wire tell
  /// neither the machine's nor the hub's age.
  private let zero: HostTime
  private var sleep: SleepDetector

  init(now: HostTime, asleep: Nanoseconds, random: (Int) -> [UInt8]) {
    id = Self.freshID(random)
    sleep = SleepDetector(total: asleep)
    let age = random(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    zero = now.subtracting(Int64(age >> 14 | 1 << 40))
  }

  /// This clock as seen from the host, exactly.
  var model: ClockModel { ClockModel(hostTime: zero, remoteTime: 0, errorBound: 0) }

  func time(at host: HostTime) -> HubTime { host.subtracting(zero) }

  /// True: the machine slept since this was asked last, and the clock has another name now. `asleep`: slept in all, ns.
  mutating func renewAfterSleep(asleep: Nanoseconds, random: (Int) -> [UInt8]) -> Bool {
    guard sleep.slept(total: asleep) != nil else { return false }
    id = Self.freshID(random)
    return true
  }

  private static func freshID(_ random: (Int) -> [UInt8]) -> ClockID { ClockID(bytes: random(16)) ?? .none }
}
