import UnisonoBase

/// Gate of a hub: who may try to enter, and how often; the limits that hold before anything costs a signature.
struct EntryGate: Sendable {
  enum Refusal: Equatable, Sendable {
    /// Too often; the time after which it makes sense again.
    case tooOften(retry: Nanoseconds)
    case full
  }

  private struct Address: Sendable {
    var bucket: TokenBucket
    var unentered = 0
    var entered = 0
  }

  private let limits: HubLimits
  private var addresses: [AddressKey: Address] = [:]
  private var all: TokenBucket
  private(set) var unentered = 0
  private(set) var entered = 0

  init(limits: HubLimits, now: HostTime) {
    self.limits = limits
    all = TokenBucket(rate: limits.entriesPerSecondInAll, burst: limits.entriesPerSecondInAll, now: now)
  }

  /// Number of addresses that it remembers.
  var count: Int { addresses.count }

  /// A connection came; false: it has no place among those that have not entered.
  mutating func accept(_ key: AddressKey, now: HostTime) -> Bool {
    var address = addresses[key] ?? fresh(now)
    guard unentered < limits.unentered, address.unentered < limits.unenteredPerAddress else { return false }
    address.unentered += 1
    addresses[key] = address
    unentered += 1
    return true
  }

  /// An entry begins; nil: it may.
  mutating func attempt(_ key: AddressKey, now: HostTime) -> Refusal? {
    var address = addresses[key] ?? fresh(now)
    defer { addresses[key] = address }
    if entered >= limits.connections || address.entered >= limits.connectionsPerAddress { return .full }
    guard address.bucket.spend(now: now) else {
      return .tooOften(retry: address.bucket.time(now: now).subtracting(now))
    }
    guard all.spend(now: now) else { return .tooOften(retry: all.time(now: now).subtracting(now)) }
    return nil
  }

  /// An entry succeeded; false: others took the last places meanwhile.
  mutating func enter(_ key: AddressKey, now: HostTime) -> Bool {
    guard var address = addresses[key], entered < limits.connections, address.entered < limits.connectionsPerAddress
    else { return false }
    address.unentered -= 1
    address.entered += 1
    addresses[key] = address
    unentered -= 1
    entered += 1
    return true
  }

  /// A connection is over.
  mutating func leave(_ key: AddressKey, entered wasEntered: Bool, now: HostTime) {
    guard var address = addresses[key] else { return }
    if wasEntered {
      address.entered -= 1
      entered -= 1
    } else {
      address.unentered -= 1
      unentered -= 1
    }
    addresses[key] = address
  }

  /// Forgets addresses that nothing is known about.
  mutating func sweep(now: HostTime) {
    for (key, var address) in addresses
    where address.unentered == 0 && address.entered == 0 && address.bucket.isFull(now: now) {
      addresses[key] = nil
    }
  }

  private func fresh(_ now: HostTime) -> Address {
    Address(bucket: TokenBucket(rate: limits.entriesPerSecond, burst: limits.entriesBurst, now: now))
  }
}
