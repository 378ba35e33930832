import Testing
import UnisonoBase
import UnisonoCrypto
import UnisonoNearby

@testable import UnisonoRuntime

@Suite("Nearby: who is there")
struct NearbyDiscoveryTests {
  @Test("F50: found within 1.5 s, whoever was there first, and lost within 5 s of vanishing")
  func foundAndLost() throws {
    let network = VirtualNetwork(seed: 3)
    let (tv, phone) = (network.machine(), network.machine(clockOffset: .seconds(7), clockDrift: 50e-6))
    let seeker = Seeker(on: phone, service: NearbyWorld.service("phone"))
    network.run(for: .milliseconds(2_300))
    _ = try Host(on: tv, service: NearbyWorld.service("tv"))
    #expect(network.run(atMost: .milliseconds(1_500)) { seeker.known == ["tv"] })

    network.run(for: .milliseconds(3_700))
    let second = Seeker(on: network.machine(), service: NearbyWorld.service("tablet"))
    #expect(network.run(atMost: .milliseconds(1_500)) { second.known == ["tv"] })

    network.run(for: .seconds(20))
    #expect(seeker.changes.count == 1, "nothing more is told while nothing changes")
    tv.crash(silently: true)
    #expect(network.run(atMost: .seconds(5)) { seeker.known.isEmpty && second.known.isEmpty })
  }

  @Test("F50: a goodbye is told at once")
  func goodbye() throws {
    let network = VirtualNetwork()
    let host = try Host(on: network.machine(), service: NearbyWorld.service("tv"))
    let seeker = Seeker(on: network.machine(), service: NearbyWorld.service("phone"))
    #expect(network.run(atMost: .seconds(2)) { seeker.known == ["tv"] })
    host.advertiser.close()
    #expect(network.run(atMost: .milliseconds(10)) { seeker.known.isEmpty })
  }

  @Test("F50: one call in five lost, a device stays known")
  func loss() throws {
    let network = VirtualNetwork(seed: 11)
    network.defaultPath.loss = 0.2
    _ = try Host(on: network.machine(), service: NearbyWorld.service("tv"))
    let seeker = Seeker(on: network.machine(), service: NearbyWorld.service("phone"))
    #expect(network.run(atMost: .seconds(6)) { seeker.known == ["tv"] })
    network.run(for: .seconds(60))
    #expect(seeker.changes.count == 1)
  }

  @Test("F50: only the same service on a platform that both support is found")
  func filter() throws {
    let network = VirtualNetwork()
    let machine = network.machine()
    _ = try Host(on: machine, service: NearbyWorld.service("other", "org.example.other"))
    _ = try Host(on: machine, service: NearbyWorld.service("mac only", platform: 4, platforms: 4))
    _ = try Host(on: machine, service: NearbyWorld.service("for all"))
    let linux = Seeker(on: network.machine(), service: NearbyWorld.service("phone"))
    let mac = Seeker(on: network.machine(), service: NearbyWorld.service("mac", platform: 4, platforms: 4))
    network.run(for: .seconds(3))
    #expect(linux.known == ["for all"])
    #expect(mac.known == ["mac only"])
  }

  @Test("F50: several applications on one machine find each other and are found, with no network at all")
  func oneMachine() throws {
    let network = VirtualNetwork()
    let machine = network.machine()
    machine.links = []
    let hosts = try ["a", "b", "c"].map { try Host(on: machine, service: NearbyWorld.service($0)) }
    let seekers = (0..<2).map { _ in Seeker(on: machine, service: NearbyWorld.service("here")) }
    #expect(network.run(atMost: .seconds(2)) { seekers.allSatisfy { $0.known.sorted() == ["a", "b", "c"] } })
    #expect(hosts.allSatisfy { $0.reaches == ["no network interface is up"] })
  }

  @Test("F50: without a network that is told, once; when one comes it is told and used, when it goes it is told again")
  func interfaces() throws {
    let network = VirtualNetwork()
    let (tv, phone) = (network.machine(), network.machine())
    phone.links = []
    let host = try Host(on: tv, service: NearbyWorld.service("tv"))
    let seeker = Seeker(on: phone, service: NearbyWorld.service("phone"))
    network.run(for: .seconds(5))
    #expect(seeker.reaches == ["no network interface is up"])
    #expect(seeker.known.isEmpty)
    phone.links = ["lan"]
    #expect(network.run(atMost: .milliseconds(2_500)) { seeker.known == ["tv"] })
    #expect(seeker.reaches == ["no network interface is up", ""])
    phone.links = ["wlan"]
    #expect(network.run(atMost: .seconds(6)) { seeker.known.isEmpty })
    tv.links = ["lan", "wlan"]
    #expect(network.run(atMost: .milliseconds(2_500)) { seeker.known == ["tv"] })
    phone.links = []
    network.run(for: .seconds(2))
    #expect(seeker.reaches.count == 3)
    #expect(host.reaches.isEmpty)
  }

  @Test("F50: questions do not make it call more than once a second: there is nothing to amplify")
  func questions() throws {
    let network = VirtualNetwork()
    let machine = network.machine()
    _ = try Host(on: machine, service: NearbyWorld.service("tv"))
    let attacker = network.machine()
    let port = attacker.openMulticast(.nearby) { _, _, _ in }
    let links = port.refresh().links
    network.run(for: .seconds(1))
    machine.sentMulticasts = 0
    for number in 0..<1_000 {
      port.send(Beacon(kind: .query, instance: UInt64(number), service: "org.example.watch").bytes, on: links)
      network.run(for: .milliseconds(10))
    }
    #expect(machine.sentMulticasts <= 11)
    #expect(machine.sentMulticasts >= 8)
  }

  @Test("F50: noise, own calls and a thousand made-up devices: the table stays bounded, real ones stay known")
  func noise() throws {
    let network = VirtualNetwork(seed: 5)
    _ = try Host(on: network.machine(), service: NearbyWorld.service("tv"))
    let seeker = Seeker(on: network.machine(), service: NearbyWorld.service("phone"))
    #expect(network.run(atMost: .seconds(2)) { seeker.known == ["tv"] })
    let attacker = network.machine()
    let port = attacker.openMulticast(.nearby) { _, _, _ in }
    let links = port.refresh().links
    var generator = SplitMix64(seed: 9)
    for number in 0..<1_000 {
      var beacon = Beacon(NearbyWorld.service("fake"), instance: UInt64(number), port: 9, intent: .join).bytes
      if number % 3 == 0 { beacon[Int.random(in: 0..<beacon.count, using: &generator)] ^= 0x40 }
      port.send(beacon, on: links)
      network.run(for: .milliseconds(10))
    }
    #expect(seeker.known.count { $0 != "tv" } <= 8)
    #expect(seeker.known.contains("tv"))
    #expect(!seeker.changes.contains { if case .lost(let device) = $0 { device.name == "tv" } else { false } })
  }

  @Test("F50: nothing secret is in what is called out")
  func leaks() throws {
    let network = VirtualNetwork()
    var heard: [[UInt8]] = []
    let listener = network.machine().openMulticast(.nearby) { bytes, _, _ in heard.append(bytes) }
    _ = listener.refresh()
    _ = try Host(on: network.machine(), service: NearbyWorld.service("tv"))
    network.run(for: .seconds(3))
    let beacon = try Beacon(bytes: try #require(heard.first))
    #expect(
      beacon
        == Beacon(
          kind: .here, instance: beacon.instance, service: "org.example.watch", name: "tv", platform: 2,
          usage: "Watch films together", port: beacon.port, intent: .join))
  }
}
