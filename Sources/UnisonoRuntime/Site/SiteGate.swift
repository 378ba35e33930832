/// Gate of a hub's site: how many requests are answered at a time, in all and of one address.
///
/// Apart from the gate to rooms (`EntryGate`): who reads films keeps nobody from taking part, nor the other way round.
struct SiteGate: Sendable {
  private var limits: HubLimits
  private var addresses: [AddressKey: Int] = [:]
  private(set) var count = 0

  init(limits: HubLimits) { self.limits = limits }

  /// Other limits from now on, for who comes.
  mutating func setLimits(_ new: HubLimits) { limits = new }

  /// false: there is no place.
  mutating func enter(_ key: AddressKey) -> Bool {
    guard count < limits.visits, key.all.allSatisfy({ addresses[$0, default: 0] < limits.connectionsPerAddress * $0.shares }) else {
      return false
    }
    for key in key.all { addresses[key, default: 0] += 1 }
    count += 1
    return true
  }

  mutating func leave(_ key: AddressKey) {
    for key in key.all {
      addresses[key, default: 1] -= 1
      if addresses[key] == 0 { addresses[key] = nil }
    }
    count -= 1
  }
}
