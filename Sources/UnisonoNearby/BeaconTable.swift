import UnisonoBase

/// Who is there, from the beacons that were heard.
///
/// A device is known while any of its addresses calls out, and gone 4.5 s after the last call of the last address, so
/// that it is told as lost within 5 s of vanishing. What it says of itself is taken from the address that was heard first;
/// another address belongs to it only while it says exactly the same. So nobody renames a device or says goodbye for it
/// from an address of their own.
package struct BeaconTable: Sendable {
  package enum Change: Equatable, Sendable {
    case found(NearbyDevice)
    /// The name, the purpose or the platform changed.
    case updated(NearbyDevice)
    case lost(NearbyDevice)
  }

  package static let lifetime: Nanoseconds = .milliseconds(4_500)
  package static let deviceLimit = 256
  package static let devicesPerSource = 8
  package static let addressesPerDevice = 4
  package static let packetsPerSecond = 50
  package static let packetsPerSource = 16

  private struct Source {
    var host: String
    var heard: HostTime
  }

  private struct Entry {
    var number: UInt64
    var beacon: Beacon
    var sources: [Source]

    var device: NearbyDevice {
      NearbyDevice(
        number: number, name: beacon.name, usage: beacon.usage, platform: beacon.platform, intent: beacon.intent,
        addresses: sources.map { NearbyDevice.Address(host: $0.host, port: beacon.port) })
    }
  }

  private let service: NearbyService
  private var entries: [UInt64: Entry] = [:]
  private var lastNumber: UInt64
  private var windowBegan: HostTime?
  private var heardInWindow = 0
  private var heardOf: [String: Int] = [:]

  /// `service`: what is looked for. Devices are numbered by odd numbers, so that even ones are free for others.
  package init(service: NearbyService) {
    self.service = service
    lastNumber = UInt64.max
  }

  /// Known devices, in the order of finding.
  package var devices: [NearbyDevice] { entries.values.sorted { $0.number < $1.number }.map { $0.device } }

  package func device(_ number: UInt64) -> NearbyDevice? { entries.values.first { $0.number == number }?.device }

  /// When `expire` has something to do; nil: nothing is known.
  package var deadline: HostTime? {
    entries.values.flatMap({ $0.sources }).map { $0.heard.adding(Self.lifetime) }.min()
  }

  /// Whether a packet may be looked at: at most 50 a second, and 16 of one address, so that one loud neighbour leaves
  /// room for the others.
  package mutating func admits(from host: String, now: HostTime) -> Bool {
    if now.subtracting(windowBegan ?? .min) >= .seconds(1) {
      windowBegan = now
      heardInWindow = 0
      heardOf = [:]
    }
    guard heardInWindow < Self.packetsPerSecond, heardOf[host, default: 0] < Self.packetsPerSource else { return false }
    heardInWindow += 1
    heardOf[host, default: 0] += 1
    return true
  }

  /// Takes a beacon that came from `host`.
  package mutating func handle(_ beacon: Beacon, from host: String, now: HostTime) -> [Change] {
    guard beacon.service == service.identifier else { return [] }
    switch beacon.kind {
    case .query: return []
    case .gone: return forget(beacon.instance, host)
    case .here: return service.agrees(with: beacon) ? hear(beacon, host, now) : forget(beacon.instance, host)
    }
  }

  /// Forgets whom nobody heard for too long.
  package mutating func expire(now: HostTime) -> [Change] {
    var changes: [Change] = []
    for (instance, entry) in entries.sorted(by: { $0.value.number < $1.value.number }) {
      let alive = entry.sources.filter { $0.heard.adding(Self.lifetime) > now }
      if alive.isEmpty {
        entries[instance] = nil
        changes.append(.lost(entry.device))
      } else {
        entries[instance]?.sources = alive
      }
    }
    return changes
  }

  private mutating func hear(_ beacon: Beacon, _ host: String, _ now: HostTime) -> [Change] {
    guard var entry = entries[beacon.instance] else { return find(beacon, host, now) }
    if let place = entry.sources.firstIndex(where: { $0.host == host }) {
      if entry.beacon != beacon, place != 0 { return forget(beacon.instance, host) }
      entry.sources[place].heard = now
    } else {
      guard entry.beacon == beacon, entry.sources.count < Self.addressesPerDevice, hasRoom(host) else { return [] }
      entry.sources.append(Source(host: host, heard: now))
    }
    let isNew = entry.beacon != beacon
    entry.beacon = beacon
    entries[beacon.instance] = entry
    return isNew ? [.updated(entry.device)] : []
  }

  private mutating func find(_ beacon: Beacon, _ host: String, _ now: HostTime) -> [Change] {
    guard entries.count < Self.deviceLimit, hasRoom(host) else { return [] }
    // From .max the first addition wraps to 1.
    lastNumber &+= 2
    let entry = Entry(number: lastNumber, beacon: beacon, sources: [Source(host: host, heard: now)])
    entries[beacon.instance] = entry
    return [.found(entry.device)]
  }

  private mutating func forget(_ instance: UInt64, _ host: String) -> [Change] {
    guard var entry = entries[instance], entry.sources.contains(where: { $0.host == host }) else { return [] }
    let device = entry.device
    entry.sources.removeAll { $0.host == host }
    entries[instance] = entry.sources.isEmpty ? nil : entry
    return entry.sources.isEmpty ? [.lost(device)] : []
  }

  private func hasRoom(_ host: String) -> Bool {
    entries.values.count { entry in entry.sources.contains { $0.host == host } } < Self.devicesPerSource
  }
}
