#if NATS
  import Glibc
  import Testing
  import UnisonoBase
  import UnisonoRuntime

  @testable import UnisonoNATS

  @Suite(
    "Hubs hear each other through a real NATS server", .serialized,
    .enabled(if: NATSServerProcess.program != nil, "\(NATSServerProcess.missing)"))
  struct NATSPeersTests {
    /// Two sides that are connected and have subscribed to `subjects`, which holds at the server.
    private func pair(_ server: NATSServerProcess, _ subjects: String...) throws -> (NATSSide, NATSSide) {
      let sides = (
        try NATSSide(NATSOptions(servers: [server.address()])), try NATSSide(NATSOptions(servers: [server.address()]))
      )
      for side in [sides.0, sides.1] {
        for subject in subjects { side.peers.subscribe(subject) }
        #expect(side.poll { side.turns == ["up"] })
      }
      return sides
    }

    /// Each hears the other. What was subscribed to holds then.
    private func meet(_ a: NATSSide, _ b: NATSSide, on subject: String = "all") -> Bool {
      for (speaker, listener) in [(a, b), (b, a)] {
        let before = listener.messages.count
        var tries = 0
        let isHeard = listener.poll {
          tries += 1
          if tries <= 200 { speaker.say("met", on: subject) }
          _ = speaker.loop.poll(maxWait: .milliseconds(5))
          return listener.messages.count > before
        }
        if !isHeard { return false }
      }
      return true
    }

    @Test("what one says the other hears, in order, on what it subscribed to, with the time; nobody hears itself")
    func hearing() throws {
      let server = try NATSServerProcess()
      try server.start()
      let (a, b) = try pair(server, "all")
      #expect(meet(a, b))
      b.peers.subscribe("one")
      b.peers.subscribe("two")
      b.peers.unsubscribe("two")
      b.peers.flush()
      b.say("now", on: "all")
      #expect(a.poll { a.texts.last == "now" })
      let begin = b.loop.now
      for number in 0..<1_000 {
        a.say("\(number)", on: "one")
        a.say("nobody", on: "two")
      }
      a.say("end", on: "all")
      #expect(b.poll { b.texts.last == "end" })
      #expect(b.texts.filter { $0 != "met" } == (0..<1_000).map(String.init) + ["end"])
      #expect(b.messages.suffix(1_001).map(\.subject) == Array(repeating: "one", count: 1_000) + ["all"])
      let times = b.messages.suffix(1_001).map(\.at)
      #expect(times == times.sorted() && times.allSatisfy { (begin...b.loop.now).contains($0) })
      #expect(a.texts.allSatisfy { $0 != "end" })
      #expect(b.lines == ["hears other hubs through NATS at nats://127.0.0.1:\(server.port)"])
    }

    @Test("a server that is killed and started again: both times are told, and what was subscribed to is heard again")
    func restart() throws {
      let server = try NATSServerProcess()
      try server.start()
      let (a, b) = try pair(server, "all", "old")
      #expect(meet(a, b))
      server.kill()
      for side in [a, b] { #expect(side.poll { side.turns == ["up", "down"] }) }
      a.say("into nothing", on: "all")
      b.peers.unsubscribe("old")
      b.peers.subscribe("new")
      let nobody = "nothing answers at nats://127.0.0.1:\(server.port): is the NATS server running there"
      #expect(b.poll { b.lines.contains { $0.hasPrefix(nobody) } })
      try server.start()
      for side in [a, b] { #expect(side.poll { side.turns == ["up", "down", "up"] }) }
      #expect(meet(a, b))
      a.say("old", on: "old")
      a.say("new", on: "new")
      a.say("end", on: "all")
      #expect(b.poll { b.texts.last == "end" })
      #expect(b.texts.filter { $0 != "met" } == ["new", "end"])
      #expect(b.lines.contains { $0.contains("the connection to NATS at nats://127.0.0.1:\(server.port) is over") })
    }

    @Test(
      "N16: a server that stands still under load holds the loop up at no time; what waits is bounded, and then given up"
    )
    func standsStill() throws {
      let server = try NATSServerProcess()
      try server.start()
      let (a, b) = try pair(server, "all")
      #expect(meet(a, b))
      server.stop()
      let message = [UInt8](repeating: 7, count: 20_000)
      var waits = ThreadWaits()
      let memory = try residentMemory()
      var most = 0
      let begin = a.loop.now
      // 20 MB a second, for longer than anything may wait.
      while a.turns.last == "up", a.loop.now < begin + .seconds(15) {
        for _ in 0..<20 { waits.measure(a.loop) { a.peers.publish(message, on: "all") } }
        waits.measure(a.loop) { _ = a.loop.poll(maxWait: 0) }
        most = max(most, a.waiting.map(\.bytes).max() ?? 0)
        _ = isReadable(a.loop.descriptor, milliseconds: 20)
      }
      #expect(a.turns == ["up", "down"])
      #expect(a.loop.now < begin + .seconds(8))
      #expect(waits.longest < .milliseconds(5) && waits.count > 500)
      #expect((NATSLimits.pressed...NATSLimits.outbound).contains(most))
      #expect(a.waiting.contains { $0.since != nil })
      #expect(a.waiting.last?.bytes == 0)
      // What is freed is not all given back.
      #expect(try residentMemory() - memory < 3 * NATSLimits.outbound)
      // It stays so: nothing waits for a server that says nothing.
      for _ in 0..<50 {
        waits.measure(a.loop) { a.peers.publish(message, on: "all") }
        _ = a.loop.poll(maxWait: .milliseconds(20))
      }
      #expect(a.turns == ["up", "down"] && waits.longest < .milliseconds(5))
      server.goOn()
      #expect(a.poll { a.turns.last == "up" } && b.poll { b.turns.last == "up" })
      #expect(meet(a, b))
    }

    @Test("a server that stands still while nothing is said is noticed after 2 s")
    func standsStillQuietly() throws {
      let server = try NATSServerProcess()
      try server.start()
      let side = try NATSSide(NATSOptions(servers: [server.address()]))
      #expect(side.poll { side.turns == ["up"] })
      server.stop()
      let begin = side.loop.now
      #expect(side.poll { side.turns == ["up", "down"] })
      #expect((.seconds(1)...Nanoseconds.seconds(5)).contains(side.loop.now - begin))
      #expect(side.poll { side.lines.contains { $0.contains("it did not answer for 2 s") } }, "\(side.lines)")
      #expect(side.poll { side.lines.contains { $0.contains("said nothing for 2 s: it stands still") } })
      server.goOn()
      #expect(side.poll { side.turns == ["up", "down", "up"] })
    }

    @Test(
      "a flood is bounded: a hub that does not get to it keeps 64 MiB, says what it left out, and other things go on meanwhile"
    )
    func flood() throws {
      let server = try NATSServerProcess()
      try server.start()
      let (a, b) = try pair(server, "all")
      #expect(meet(a, b))
      let before = b.messages.count
      let message = [UInt8](repeating: 7, count: 100_000)
      var sent = 0
      // b's loop is not run meanwhile.
      let isSent = a.poll {
        while sent < 1_200, a.peers.waitingBytes < 2 << 20 {
          a.peers.publish(message, on: "all")
          sent += 1
        }
        return sent == 1_200 && a.peers.waitingBytes == 0
      }
      #expect(isSent && a.turns == ["up"])
      // Until a's last message has come through the server.
      let c = try NATSSide(NATSOptions(servers: [server.address()]))
      c.peers.subscribe("all")
      #expect(
        c.poll {
          a.say("end", on: "all"); _ = a.loop.poll(maxWait: .milliseconds(5)); return c.texts.last == "end"
        })
      var others = 0
      var timer: (any LoopTimer)?
      timer = b.loop.makeTimer {
        others += 1
        timer?.arm(at: b.loop.now + .microseconds(100))
      }
      timer?.arm(at: b.loop.now)
      // Each takes a hub 0.2 ms.
      b.onMessage {
        let end = b.loop.now + .microseconds(200)
        while b.loop.now < end {}
      }
      #expect(b.poll { b.lines.contains { $0.contains("were left out") } && b.messages.count > before + 500 })
      let kept = b.messages.count - before
      #expect(kept * message.count <= NATSLimits.inbound && kept < 1_200)
      // 0.2 ms each, 1 ms in one turn.
      #expect(others >= kept / 10)
      timer?.close()
      timer = nil
      b.onMessage {}
      #expect(meet(a, b))
    }

    @Test("a hub that begins anew gets another connection, with its subjects, and nothing is left of the old one")
    func reconnect() throws {
      let server = try NATSServerProcess()
      try server.start()
      let (a, b) = try pair(server, "all")
      #expect(meet(a, b))
      let (threads, connections) = (threads, connections(to: server))
      #expect(threads > 0 && connections == 2)
      for time in 1...5 {
        a.peers.reconnect()
        a.say("given up", on: "all")
        #expect(a.poll { a.turns == Array(repeating: ["up", "down"], count: time).flatMap { $0 } + ["up"] })
        #expect(meet(a, b))
      }
      #expect(a.poll { self.threads <= threads && self.connections(to: server) <= connections })
      #expect(!b.texts.contains("given up"))
    }

    @Test("what is said last is heard, and the thread ends at once; with a server that stands still within seconds")
    func close() throws {
      let server = try NATSServerProcess()
      try server.start()
      let (a, b) = try pair(server, "all")
      #expect(meet(a, b))
      for number in 0..<200 { a.say("\(number)", on: "all") }
      a.peers.close()
      let begin = a.loop.now
      #expect(a.peers.waitForEnd(atMost: .seconds(2)))
      #expect(a.loop.now - begin < .seconds(1))
      #expect(b.poll { b.texts.last == "199" })
      server.stop()
      for _ in 0..<200 { b.peers.publish([UInt8](repeating: 1, count: 100_000), on: "all") }
      b.peers.close()
      #expect(b.peers.waitForEnd(atMost: .seconds(8)))
    }

    @Test(
      "one thread of ours and a handful of libnats's, whatever is subscribed to; thousands of subjects hold over a restart"
    )
    func subjects() throws {
      let server = try NATSServerProcess()
      try server.start()
      let (a, b) = try pair(server, "all")
      #expect(meet(a, b))
      let threads = threads
      #expect(threads > 0)
      for number in 0..<5_000 { b.peers.subscribe("room.\(number)") }
      b.say("now", on: "all")
      #expect(a.poll { a.texts.last == "now" })
      #expect(self.threads <= threads)
      server.kill()
      try server.start()
      for side in [a, b] { #expect(side.poll { side.turns == ["up", "down", "up"] }) }
      #expect(meet(a, b))
      a.say("here", on: "room.4999")
      #expect(b.poll { b.texts.last == "here" })
    }

    @Test("who starts before the server says once that nobody is there, and is connected when it comes")
    func before() throws {
      let server = try NATSServerProcess()
      let side = try NATSSide(NATSOptions(servers: [server.address(login: "me:secret@")]))
      #expect(side.poll { !side.lines.isEmpty })
      #expect(!side.poll(for: .seconds(1)) { side.lines.count > 1 })
      try server.start()
      #expect(side.poll { side.turns == ["up"] })
      #expect(side.lines.allSatisfy { !$0.contains("secret") })
    }

    @Test("a server that does not let in, or wants another way of being spoken to, is named with what to do")
    func refusals() throws {
      let server = try NATSServerProcess(["--user", "hub", "--pass", "right"])
      try server.start()
      let stranger = try NATSSide(NATSOptions(servers: [server.address()]))
      #expect(
        stranger.poll { stranger.lines.contains { $0.contains("does not let this hub in; it wants credentials") } })
      let friend = try NATSSide(NATSOptions(servers: [server.address(login: "hub:right@")]))
      #expect(friend.poll { friend.turns == ["up"] })
      let careful = try NATSSide(NATSOptions(servers: [server.address("tls://")]))
      #expect(
        careful.poll { careful.lines.contains { $0.contains("has no TLS: give it a certificate, or write nats://") } })
      let nameless = try NATSSide(NATSOptions(servers: [server.address()], credentials: "/nowhere/hub.creds"))
      let junk = try TestFile("no credentials")
      let careless = try NATSSide(NATSOptions(servers: [server.address()], credentials: junk.path))
      #expect(careless.poll { careless.lines.contains { $0.contains("no nkey user seed found in '\(junk.path)'") } }, "\(careless.lines)")
      #expect(
        nameless.poll {
          nameless.lines.contains { $0.hasPrefix("the credentials of /nowhere/hub.creds cannot be read: no such file") }
        })
    }

    @Test("what a hub may not do at the server is said, with what it has to be permitted")
    func permissions() throws {
      let file = try TestFile(
        "authorization { users = [{ user: hub, password: right, permissions: { publish: \"u2.>\", subscribe: \"u2.>\" } }] }"
      )
      let server = try NATSServerProcess(["-c", file.path])
      try server.start()
      let side = try NATSSide(NATSOptions(servers: [server.address(login: "hub:right@")]))
      side.peers.subscribe("u3.all")
      side.peers.subscribe("u2.all")
      #expect(
        side.poll {
          side.lines.contains {
            $0.contains("does not permit what this hub needs, to publish and subscribe to u2.<set>.>: ")
          }
        }, "\(side.lines)")
      #expect(side.poll { side.turns == ["up"] })
    }

    @Test(
      "with TLS hubs hear each other; a certificate that is not trusted, or for another name, is refused with what to do",
      .enabled(if: TestCertificate.isPossible, "\(TestCertificate.missing)"))
    func encrypted() throws {
      let right = try TestCertificate(for: "IP:127.0.0.1")
      let server = try NATSServerProcess(["--tls", "--tlscert", right.certificate, "--tlskey", right.key])
      try server.start()
      let options = NATSOptions(servers: [try server.address("tls://")], authorities: right.certificate)
      let (a, b) = (try NATSSide(options), try NATSSide(options))
      for side in [a, b] {
        side.peers.subscribe("all")
        #expect(side.poll { side.turns == ["up"] }, "\(side.lines)")
      }
      #expect(meet(a, b))
      let message = [UInt8](repeating: 1, count: 300_000)
      for _ in 0..<20 { a.peers.publish(message, on: "all") }
      #expect(b.poll { b.messages.count { $0.bytes == message } == 20 })
      let open = try NATSSide(NATSOptions(servers: [server.address()]))
      #expect(
        open.poll { open.lines.contains { $0.hasPrefix("TLS with NATS at nats://127.0.0.1:\(server.port) failed") } },
        "\(open.lines)")
      let stranger = try NATSSide(NATSOptions(servers: [server.address("tls://")]))
      #expect(
        stranger.poll { stranger.lines.contains { $0.contains("of an authority that is trusted here?") } },
        "\(stranger.lines)")
      // Without authorities of its own it trusts the system's, which is this file now.
      setenv("SSL_CERT_FILE", right.certificate, 1)
      defer { unsetenv("SSL_CERT_FILE") }
      #expect(stranger.poll { stranger.turns == ["up"] })
      let other = try TestCertificate(for: "DNS:elsewhere.example")
      let impostor = try NATSServerProcess(["--tls", "--tlscert", other.certificate, "--tlskey", other.key])
      try impostor.start()
      let careful = try NATSSide(NATSOptions(servers: [impostor.address("tls://")], authorities: other.certificate))
      #expect(
        careful.poll { careful.lines.contains { $0.contains("is its certificate for this name") } }, "\(careful.lines)")
      #expect(careful.turns.isEmpty)
    }

    @Test("no server, and more than sixteen, are refused at once")
    func count() throws {
      let server = try NATSServer(parsing: "nats://127.0.0.1")
      for count in [0, 17] {
        #expect(throws: NetworkError.self) {
          try NATSSide(NATSOptions(servers: Array(repeating: server, count: count)), opens: false)
        }
      }
    }

    /// Memory of this process that is in the machine, bytes.
    private func residentMemory() throws -> Int {
      guard let file = fopen("/proc/self/statm", "r") else { throw NetworkError("there is no /proc") }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 128)
      guard fgets(&line, 128, file) != nil else { throw NetworkError("/proc/self/statm is empty") }
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
      return (pages ?? 0) * Int(getpagesize())
    }

    /// How many threads of this process have the name of ours; libnats's inherit it. Other tests run beside and have threads
    /// of other names.
    private var threads: Int {
      entries(of: "/proc/self/task").count { task in
        guard let file = fopen("/proc/self/task/\(task)/comm", "r") else { return false }
        defer { fclose(file) }
        var name = [CChar](repeating: 0, count: 32)
        return fgets(&name, 32, file) != nil && strncmp(name, "unisono-nats", 12) == 0
      }
    }

    /// How many open sockets of this process are connected to `server`, which is at a port of its own.
    private func connections(to server: NATSServerProcess) -> Int {
      entries(of: "/proc/self/fd").count { entry in
        var peer = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafeMutablePointer(to: &peer) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(Int32(entry) ?? -1, $0, &size) == 0 }
        }
        return isConnected && peer.sin_family == sa_family_t(AF_INET) && peer.sin_port == server.port.bigEndian
      }
    }

    private func entries(of folder: String) -> [String] {
      guard let entries = opendir(folder) else { return [] }
      defer { closedir(entries) }
      var names: [String] = []
      while let entry = readdir(entries) {
        names.append(withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
      }
      return names
    }

    private func isReadable(_ descriptor: Int32?, milliseconds: Int32) -> Bool {
      guard let descriptor else { return false }
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      return Glibc.poll(&entry, 1, milliseconds) == 1
    }
  }
#endif
