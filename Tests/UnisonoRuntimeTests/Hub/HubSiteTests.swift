import Glibc
import Testing
import UnisonoBase

@testable import UnisonoRuntime

/// A folder with a page and a film, which goes with the test.
private final class Folder {
  let path: String

  init(film: Int = 1_000_000) throws {
    var template = Array("/tmp/unisono-site-XXXXXX".utf8CString)
    path = try #require(mkdtemp(&template).map { String(cString: $0) })
    mkdir(path + "/page", 0o755)
    mkdir(path + "/films", 0o755)
    try write(Array("<title>page</title>".utf8), to: "page/index.html")
    try write(Self.bytes(film), to: "films/a.mp4")
    try write([1, 2, 3], to: "secret")
    symlink("../secret", path + "/films/link.mp4")
    symlink("..", path + "/page/up")
    mkfifo(path + "/films/pipe.mp4", 0o644)
  }

  deinit {
    for name in ["page/index.html", "page/up", "films/a.mp4", "films/link.mp4", "films/pipe.mp4", "secret"] { unlink(path + "/" + name) }
    for name in ["page", "films", ""] { rmdir(path + "/" + name) }
  }

  static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) } }

  func write(_ bytes: [UInt8], to name: String) throws {
    let file = try #require(fopen(path + "/" + name, "w"))
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  var site: HubSite { HubSite(page: path, media: .folder(path + "/films")) }
}

@Suite("A hub serves its site")
struct HubSiteTests {
  private func ask(_ hub: HubHarness, _ target: String, _ fields: String = "", on machine: VirtualEnvironment? = nil) -> RawPeer {
    let peer = hub.raw(on: machine)
    peer.stream.write(Array("GET \(target) HTTP/1.1\r\nHost: \(hub.machine.host)\r\n\(fields)\r\n".utf8))
    return peer
  }

  private func split(_ peer: RawPeer) -> (head: String, body: [UInt8]) {
    let end = Array("\r\n\r\n".utf8)
    guard let place = (0...max(0, peer.received.count - 4)).first(where: { peer.received.dropFirst($0).starts(with: end) }) else {
      return ("", [])
    }
    return (String(decoding: peer.received[..<place], as: UTF8.self), Array(peer.received[(place + 4)...]))
  }

  @Test("F105, F106: the page and a film's ranges are had, whole and unharmed, and their connections end")
  func files() throws {
    let folder = try Folder()
    let hub = try HubHarness(site: folder.site)
    let asked = [ask(hub, "/page/"), ask(hub, "/media/a.mp4"), ask(hub, "/media/a.mp4", "Range: bytes=131000-531000\r\n")]
    #expect(hub.network.run(atMost: .seconds(20)) { asked.allSatisfy(\.isClosed) })
    let film = Folder.bytes(1_000_000)
    #expect(asked.map { split($0).head.prefix(12) } == ["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 206"])
    #expect(split(asked[0]).body == Array("<title>page</title>".utf8))
    #expect(split(asked[1]).body == film)
    #expect(split(asked[2]).body == Array(film[131_000...531_000]))
    #expect((hub.server.measures.visits, hub.server.measures.visitRequests, hub.server.statistics.connections) == (0, 3, 0))
    #expect(hub.server.statistics.refused == 0)
  }

  @Test(
    "F105: links, folders and pipes are no files, and nothing is waited for",
    arguments: ["/media/link.mp4", "/page/up/secret", "/page", "/media/pipe.mp4", "/media/none.mp4", "/page/none.js"])
  func links(target: String) throws {
    let folder = try Folder()
    let hub = try HubHarness(site: folder.site)
    let peer = ask(hub, target)
    hub.network.run(for: .seconds(1))
    #expect(split(peer).head.hasPrefix("HTTP/1.1 404 ") && peer.isClosed)
  }

  @Test("F106: what a slow reader does not take is not read; who takes nothing for a minute is gone, who goes on is not")
  func backpressure() throws {
    let folder = try Folder()
    let hub = try HubHarness(site: folder.site)
    let slow = ask(hub, "/media/a.mp4")
    let stream = slow.stream
    stream?.setReading(false)
    hub.network.run(for: .seconds(50))
    // Both windows, and the piece that waits.
    #expect(hub.server.measures.visits == 1)
    try folder.write([], to: "films/a.mp4")
    stream?.setReading(true)
    hub.network.run(for: .seconds(2))
    #expect(slow.isClosed && split(slow).body.count <= VirtualStream.window + 2 * HubLimits.visitBytes)
    #expect(hub.server.measures.visits == 0)

    try folder.write(Folder.bytes(1_000_000), to: "films/a.mp4")
    let sleeper = ask(hub, "/media/a.mp4")
    sleeper.stream.setReading(false)
    hub.network.run(for: .seconds(58))
    #expect(hub.server.measures.visits == 1)
    sleeper.stream.setReading(true)
    #expect(hub.network.run(atMost: .seconds(1)) { sleeper.received.count > VirtualStream.window })
    sleeper.stream.setReading(false)
    hub.network.run(for: .seconds(58))
    #expect(hub.server.measures.visits == 1)
    hub.network.run(for: .seconds(4))
    #expect(hub.server.measures.visits == 0)
  }

  @Test("F105: who reads films takes no place from participants, and is told where there is none")
  func places() throws {
    let folder = try Folder()
    var limits = HubLimits()
    limits.connectionsPerAddress = 2
    limits.unenteredPerAddress = 2
    let hub = try HubHarness(limits: limits, site: folder.site)
    let machine = hub.network.machine()
    let readers = (0..<3).map { _ in
      let peer = ask(hub, "/media/a.mp4", on: machine)
      peer.stream.setReading(false)
      hub.network.run(for: .milliseconds(200))
      return peer
    }
    #expect(hub.server.measures.visits == 2)
    readers[2].stream.setReading(true)
    hub.network.run(for: .milliseconds(200))
    #expect(split(readers[2]).head.hasPrefix("HTTP/1.1 503 ") && readers[2].isClosed)
    let guest = hub.guest(on: machine)
    #expect(hub.network.run(atMost: .seconds(2)) { guest.isIn })
    readers[0].stream.close()
    hub.network.run(for: .seconds(1))
    #expect(hub.server.measures.visits == 1)
    hub.server.close()
    hub.network.run(for: .seconds(1))
    readers[1].stream.setReading(true)
    hub.network.run(for: .seconds(1))
    #expect(readers[1].isClosed)
  }

  @Test("F105: participants through WebSocket and TCP are in the room of a hub with a site as before")
  func together() throws {
    let folder = try Folder()
    let hub = try HubHarness(site: folder.site)
    let guests = [hub.guest(), hub.webGuest()]
    #expect(hub.network.run(atMost: .seconds(2)) { guests.allSatisfy { $0.members.count == 2 } })
  }

  @Test("F105: only a hub with a site answers requests other than GET")
  func methods() throws {
    let folder = try Folder()
    for (site, answer) in [(folder.site, "HTTP/1.1 405 "), (nil, "")] {
      let hub = try HubHarness(site: site)
      let peer = hub.raw()
      peer.stream.write(Array("POST /page/ HTTP/1.1\r\nHost: \(hub.machine.host)\r\n\r\n".utf8))
      hub.network.run(for: .seconds(1))
      #expect(String(decoding: peer.received, as: UTF8.self).hasPrefix(answer) && peer.isClosed)
      #expect(peer.received.isEmpty == answer.isEmpty)
    }
  }

  @Test("F106: a film of 3 MB over real sockets arrives as it is")
  func sockets() throws {
    let folder = try Folder(film: 3_000_000)
    let loop = try UVLoop.polled()
    defer { loop.close() }
    let server = try HubServer(environment: loop, options: HubOptions(listen: ["127.0.0.1:0"], site: folder.site))
    defer { server.close() }
    let peer = RawPeer(on: loop, to: server.ownAddress)
    peer.stream.write(Array("GET /media/a.mp4 HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
    #expect(loop.poll { peer.isClosed })
    #expect(peer.received.suffix(3_000_000) == Folder.bytes(3_000_000)[...])
    #expect(loop.poll { server.measures.visits == 0 })
  }
}
