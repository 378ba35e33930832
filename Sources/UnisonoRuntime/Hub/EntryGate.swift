import UnisonoBase

/// Gate of a hub: who may try to enter, and how often; the limits that hold before anything costs a signature.
struct EntryGate: Sendable {
  enum Refusal: Equatable, Sendable {
    /// Too often; the time after which it makes sense again.
    case tooOften(retry: Nanoseconds)
    case full
  }

  /// What a connection counts as.
  enum Place: Equatable, Sendable {
    case unentered
    case entered
    case listening
  }

  private struct Address: Sendable {
    var bucket: TokenBucket
    /// Of all who come, while some may listen: what they are shows later.
    var opens: TokenBucket
    var unentered = 0
    var entered = 0
    var listening = 0
  }

  private var limits: HubLimits
  private var addresses: [AddressKey: Address] = [:]
  /// Addresses that somebody left, to be looked at whether anything is known about them still: now, and once these were.
  private var left: (now: [AddressKey], later: [AddressKey]) = ([], [])
  private var all: TokenBucket
  private var opens: TokenBucket
  private var listens: TokenBucket
  private(set) var unentered = 0
  private(set) var entered = 0
  private(set) var listening = 0
  /// Entries since the start.
  private(set) var entries: UInt64 = 0

  init(limits: HubLimits, now: HostTime) {
    self.limits = limits
    all = TokenBucket(rate: limits.entriesPerSecondInAll, burst: limits.entriesPerSecondInAll, now: now)
    let listening = Double(HubLimits.listenerEntries)
    listens = TokenBucket(rate: listening, burst: listening, now: now)
    let both = listening + limits.entriesPerSecondInAll
    opens = TokenBucket(rate: both, burst: both, now: now)
  }

  /// Other limits from now on, for who comes; nobody who is in has to go.
  mutating func setLimits(_ new: HubLimits) { limits = new }

  /// Number of addresses and prefixes that it remembers.
  var count: Int { addresses.count }

  /// A connection came; false: it has no place among those that have not entered.
  mutating func accept(_ key: AddressKey, now: HostTime) -> Bool {
    let known = key.all.map { (key: $0, address: addresses[$0] ?? fresh($0, now)) }
    guard unentered < limits.unentered,
      known.allSatisfy({ $0.address.unentered < limits.unenteredPerAddress * $0.key.shares })
    else { return false }
    if let wide = known.last, wide.key != key, isCrowded(unentered, of: limits.unentered, by: wide.address.unentered) {
      return false
    }
    for (key, var address) in known {
      address.unentered += 1
      addresses[key] = address
    }
    unentered += 1
    return true
  }

  /// A table that is over three quarters full has nothing more for a prefix that has a 64th of it.
  private func isCrowded(_ count: Int, of limit: Int, by share: Int) -> Bool {
    count * 4 > limit * 3 && share * 64 >= limit
  }

  /// An entry begins; nil: it may. `mayListen`: it may turn out to be one that listens, and is counted as both; if it is none, `charge`
  /// counts it as what it is.
  mutating func attempt(_ key: AddressKey, mayListen: Bool = false, now: HostTime) -> Refusal? {
    guard mayListen else { return charge(key, now: now) }
    guard entered < limits.connections || listening < limits.listeners else { return .full }
    for key in key.all {
      var address = addresses[key] ?? fresh(key, now)
      defer { addresses[key] = address }
      if !hasPlace(key, address), address.listening >= limits.listenersPerAddress * key.shares { return .full }
      guard address.opens.spend(now: now) else { return .tooOften(retry: address.opens.time(now: now).subtracting(now)) }
    }
    guard opens.spend(now: now) else { return .tooOften(retry: opens.time(now: now).subtracting(now)) }
    return nil
  }

  /// An entry into a room, or of who publishes; nil: it may.
  mutating func charge(_ key: AddressKey, now: HostTime) -> Refusal? {
    guard entered < limits.connections else { return .full }
    for key in key.all {
      var address = addresses[key] ?? fresh(key, now)
      defer { addresses[key] = address }
      guard hasPlace(key, address) else { return .full }
      guard address.bucket.spend(now: now) else {
        return .tooOften(retry: address.bucket.time(now: now).subtracting(now))
      }
    }
    guard all.spend(now: now) else { return .tooOften(retry: all.time(now: now).subtracting(now)) }
    return nil
  }

  private func hasPlace(_ key: AddressKey, _ address: Address) -> Bool {
    guard address.entered < limits.connectionsPerAddress * key.shares else { return false }
    return key.prefix != nil || key.shares == 1 || !isCrowded(entered, of: limits.connections, by: address.entered)
  }

  /// One who listens enters; nil: it is in.
  mutating func listen(_ key: AddressKey, now: HostTime) -> Refusal? {
    guard listening < limits.listeners,
      key.all.allSatisfy({ key in
        addresses[key].map { $0.listening < limits.listenersPerAddress * key.shares } ?? false
      })
    else { return .full }
    guard listens.spend(now: now) else { return .tooOften(retry: listens.time(now: now).subtracting(now)) }
    for key in key.all {
      addresses[key]?.unentered -= 1
      addresses[key]?.listening += 1
    }
    unentered -= 1
    listening += 1
    entries += 1
    return nil
  }

  /// An entry succeeded; false: others took the last places meanwhile.
  mutating func enter(_ key: AddressKey, now: HostTime) -> Bool {
    guard entered < limits.connections,
      key.all.allSatisfy({ key in
        addresses[key].map { $0.entered < limits.connectionsPerAddress * key.shares } ?? false
      })
    else { return false }
    for key in key.all {
      addresses[key]?.unentered -= 1
      addresses[key]?.entered += 1
    }
    unentered -= 1
    entered += 1
    entries += 1
    return true
  }

  /// A connection is over.
  mutating func leave(_ key: AddressKey, _ place: Place, now: HostTime) {
    guard addresses[key] != nil else { return }
    for key in key.all {
      switch place {
      case .unentered: addresses[key]?.unentered -= 1
      case .entered: addresses[key]?.entered -= 1
      case .listening: addresses[key]?.listening -= 1
      }
      left.later.append(key)
    }
    switch place {
    case .unentered: unentered -= 1
    case .entered: entered -= 1
    case .listening: listening -= 1
    }
    forget(atMost: 4, now: now)
  }

  /// Forgets addresses that nothing is known about, some of them; in a flood there are tens of thousands.
  mutating func sweep(now: HostTime) { forget(atMost: 512, now: now) }

  private mutating func forget(atMost most: Int, now: HostTime) {
    if left.now.isEmpty { left = (left.later, []) }
    for _ in 0..<most {
      guard let key = left.now.popLast() else { return }
      guard var address = addresses[key], address.unentered == 0, address.entered == 0, address.listening == 0 else {
        continue
      }
      if address.bucket.isFull(now: now), address.opens.isFull(now: now) { addresses[key] = nil } else { left.later.append(key) }
    }
  }

  private func fresh(_ key: AddressKey, _ now: HostTime) -> Address {
    let shares = Double(key.shares)
    return Address(
      bucket: TokenBucket(rate: limits.entriesPerSecond * shares, burst: limits.entriesBurst * shares, now: now),
      opens: TokenBucket(
        rate: (limits.entriesPerSecond + HubLimits.listenerEntriesPerAddress) * shares,
        burst: (limits.entriesBurst + HubLimits.listenerEntriesBurst) * shares, now: now))
  }
}
