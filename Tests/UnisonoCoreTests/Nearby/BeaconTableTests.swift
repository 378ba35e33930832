import Testing

@testable import UnisonoBase
@testable import UnisonoNearby

@Suite struct BeaconTableTests {
  private static let service = NearbyService(
    identifier: "org.example.watch", usage: "Watch", deviceName: "mine", platform: 2)

  private func beacon(_ instance: UInt64 = 1, name: String = "tv", _ change: (inout Beacon) -> Void = { _ in })
    -> Beacon
  {
    var beacon = Beacon(
      kind: .here, instance: instance, service: "org.example.watch", name: name, platform: 64, usage: "Watch",
      port: 4747, intent: .join)
    change(&beacon)
    return beacon
  }

  private func names(_ changes: [BeaconTable.Change]) -> [String] {
    changes.map {
      switch $0 {
      case .found(let device): "found \(device.name)"
      case .updated(let device): "updated \(device.name)"
      case .lost(let device): "lost \(device.name)"
      }
    }
  }

  @Test("F50: a device is found once, updated when it says something else, and lost less than 5 s after its last word")
  func life() {
    let table = Table(Self.service)
    #expect(names(table.handle(beacon(), from: "10.0.0.2", now: 0)) == ["found tv"])
    #expect(table.handle(beacon(), from: "10.0.0.2", now: .seconds(1)).isEmpty)
    let number = table.devices.first?.number
    #expect(names(table.handle(beacon(name: "tv 2"), from: "10.0.0.2", now: .seconds(2))) == ["updated tv 2"])
    #expect(table.devices.map(\.number) == [number])
    #expect(table.devices.first?.addresses == [NearbyDevice.Address(host: "10.0.0.2", port: 4747)])
    #expect(table.expire(now: .seconds(6)).isEmpty)
    #expect((table.deadline ?? .max) < .seconds(7))
    #expect(names(table.expire(now: table.deadline ?? 0)) == ["lost tv 2"])
    #expect(table.deadline == nil)
    #expect(names(table.handle(beacon(), from: "10.0.0.2", now: .seconds(8))) == ["found tv"])
    #expect(table.devices.first?.number != number)
  }

  @Test("F50: a goodbye loses it at once, when it comes from all of its addresses")
  func goodbye() {
    let table = Table(Self.service)
    let gone = beacon { $0.kind = .gone }
    _ = table.handle(beacon(), from: "10.0.0.2", now: 0)
    #expect(table.handle(beacon(), from: "fe80::2%eth0", now: 0).isEmpty)
    #expect(table.devices.first?.addresses.count == 2)
    #expect(table.handle(gone, from: "10.0.0.66", now: 1).isEmpty)
    #expect(table.handle(gone, from: "10.0.0.2", now: 1).isEmpty)
    #expect(names(table.handle(gone, from: "fe80::2%eth0", now: 1)) == ["lost tv"])
  }

  @Test("F50: nobody renames a device, takes it over or adds an address by copying its instance")
  func impostor() {
    let table = Table(Self.service)
    _ = table.handle(beacon(), from: "10.0.0.2", now: 0)
    #expect(table.handle(beacon(name: "evil"), from: "10.0.0.66", now: 1).isEmpty)
    #expect(table.handle(beacon { $0.port = 1 }, from: "10.0.0.66", now: 1).isEmpty)
    #expect(table.devices.map(\.name) == ["tv"])
    #expect(table.devices.first?.addresses.map(\.host) == ["10.0.0.2"])
  }

  @Test(
    "F50: another service, or a platform that one side does not support, is not found; one that changes to it is lost")
  func agreement() {
    var narrow = Self.service
    narrow.platforms = 64
    let table = Table(narrow)
    #expect(table.handle(beacon { $0.service = "org.example.other" }, from: "a", now: 0).isEmpty)
    #expect(table.handle(beacon { $0.platform = 4 }, from: "a", now: 0).isEmpty)
    #expect(table.handle(beacon { $0.platforms = 4 | 8 }, from: "a", now: 0).isEmpty)
    #expect(names(table.handle(beacon { $0.platforms = 2 }, from: "a", now: 0)) == ["found tv"])
    #expect(names(table.handle(beacon { $0.platforms = 4 }, from: "a", now: 0)) == ["lost tv"])
    #expect(table.handle(beacon { $0.kind = .query }, from: "a", now: 0).isEmpty)
  }

  @Test("F50: at most 8 devices of one address and 256 in all")
  func limits() {
    let table = Table(Self.service)
    for instance in 1...20 { _ = table.handle(beacon(UInt64(instance)), from: "10.0.0.66", now: 0) }
    #expect(table.devices.count == 8)
    for instance in 100..<400 { _ = table.handle(beacon(UInt64(instance)), from: "10.0.1.\(instance)", now: 0) }
    #expect(table.devices.count == 256)
    #expect(Set(table.devices.map(\.number)).count == 256)
    #expect(table.devices.allSatisfy { $0.number % 2 == 1 })
    #expect(table.expire(now: .seconds(5)).count == 256)
  }

  @Test("F50: 50 packets a second are looked at, 16 of one address")
  func rates() {
    let table = Table(Self.service)
    let loud = (0..<100).count { _ in table.admits(from: "10.0.0.66", now: 0) }
    #expect(loud == 16)
    let others = (0..<100).count { table.admits(from: "10.0.1.\($0)", now: .milliseconds(500)) }
    #expect(others == 34)
    #expect(table.admits(from: "10.0.0.66", now: .seconds(1)))
  }

  @Test("F50: calls leave at once, then at most once a second; a question cannot make it more")
  func schedule() {
    var schedule = BeaconSchedule(now: 100)
    #expect(schedule.next == 100)
    schedule.sent(now: 100, jitter: .milliseconds(150))
    #expect(schedule.next == 100 + .milliseconds(1_150))
    for moment in 1...100 { schedule.queried(now: 100 + .milliseconds(Int64(moment))) }
    #expect(schedule.next == 100 + .seconds(1))
    schedule.queried(now: 100 + .milliseconds(1_100))
    #expect(schedule.next == 100 + .seconds(1))
  }
}

/// A table in one place, so that expectations can call what changes it.
private final class Table {
  private var table: BeaconTable
  init(_ service: NearbyService) { table = BeaconTable(service: service) }
  var devices: [NearbyDevice] { table.devices }
  var deadline: HostTime? { table.deadline }
  func admits(from host: String, now: HostTime) -> Bool { table.admits(from: host, now: now) }
  func expire(now: HostTime) -> [BeaconTable.Change] { table.expire(now: now) }
  func handle(_ beacon: Beacon, from host: String, now: HostTime) -> [BeaconTable.Change] {
    table.handle(beacon, from: host, now: now)
  }
}
