import ArgumentParser
import Glibc
import Testing
import UnisonoCrypto
import UnisonoRuntime

@testable import unisono_cli

@Suite struct HubCommandTests {
  private func hub(_ arguments: String...) throws -> HubCommand { try hub(arguments: arguments) }

  private func hub(arguments: [String]) throws -> HubCommand {
    try #require(try UnisonoCommand.parseAsRoot(["hub"] + arguments) as? HubCommand)
  }

  /// A name in a folder of its own, which is gone afterwards.
  private func withFile(_ body: (String) throws -> Void) throws {
    var template = Array("/tmp/unisono-hub-XXXXXX".utf8CString)
    let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    let path = folder + "/hub.key"
    defer {
      unlink(path)
      rmdir(folder)
    }
    try body(path)
  }

  @Test("F76: the hub is a command of unisono, with the limits of a hub that stands alone")
  func defaults() throws {
    let settings = try HubSettings([try hub().arguments.layer])
    #expect(settings.limits == HubLimits())
    #expect(settings.listen.isEmpty && settings.advertise.isEmpty && settings.key == nil && !settings.isOpen)
    #expect(settings.drain == 10_000 && settings.metrics == nil && settings.logFormat == .text)
  }

  @Test("F76: what is asked for becomes the hub's limits")
  func limits() throws {
    let command = try hub(
      "--listen", "192.0.2.7:7400", "--listen", "[::1]:0", "--participants-per-room", "7", "--rooms", "3",
      "--connections", "11", "--connections-per-address", "5", "--listeners", "21", "--listeners-per-address", "6",
      "--bytes-per-second", "4096", "--room-bytes-per-second",
      "8192", "--memory", "64")
    var limits = HubLimits()
    limits.participantsPerRoom = 7
    limits.rooms = 3
    limits.connections = 11
    limits.connectionsPerAddress = 5
    limits.listeners = 21
    limits.listenersPerAddress = 6
    limits.bytesPerSecond = 4_096
    limits.roomBytesPerSecond = 8_192
    limits.setMemory(64 << 20)
    let settings = try HubSettings([command.arguments.layer])
    #expect(settings.limits == limits)
    #expect(settings.listen == ["192.0.2.7:7400", "[::1]:0"])
  }

  @Test("F90: every spelling of an origin and of a proxy's address that means one is taken")
  func pages() throws {
    let origins = ["https://films.example", "http://[fd00::1]:8080", "null", "*"]
    let proxies = ["127.0.0.1", "::1"]
    let command = try hub(
      arguments: origins.flatMap { ["--origin", $0] } + proxies.flatMap { ["--proxy", $0] })
    let settings = try HubSettings([command.arguments.layer])
    #expect((settings.origins, settings.proxies) == (origins, proxies))
  }

  @Test(
    "F76: a limit that no hub can have is refused, and its name is said",
    arguments: [
      ("--participants-per-room", "0"), ("--rooms", "0"), ("--connections", "1000001"), ("--memory", "0"),
      ("--connections-per-address", "0"), ("--listeners", "0"), ("--listeners-per-address", "0"), ("--bytes-per-second", "1023"), ("--room-bytes-per-second", "1"),
      ("--log-level", "loud"), ("--log-format", "xml"), ("--drain", "10 h"), ("--metrics", "9100"), ("--revoke", "-1"),
      ("--next", "hub.example.org:7400"), ("--listen", "7400"), ("--advertise", "hub.example.org:443"), ("--advertise", "hub.example.org"),
      ("--origin", "films.example"), ("--origin", "https://films.example/"), ("--proxy", "127.0.0.1:80"),
      ("--proxy", "proxy.example"),
    ])
  func refused(option: String, value: String) {
    let error = #expect(throws: (any Error).self) { try hub(option, value) }
    #expect(error.map { UnisonoCommand.fullMessage(for: $0) }?.contains(option) == true)
  }

  @Test("F76: a hub's key is made once, for its owner only, and is the same afterwards")
  func key() throws {
    try withFile { path in
      let made = try KeyFile.load(path)
      #expect(try KeyFile.load(path) == made)
      var status = stat()
      #expect(stat(path, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600)
      #expect(status.st_size == 32)
    }
  }

  @Test("F76: a key that others may read or write is refused, and what to do is said", arguments: [0o644, 0o660, 0o602])
  func openKey(mode: Int) throws {
    try withFile { path in
      _ = try KeyFile.load(path)
      #expect(chmod(path, mode_t(mode)) == 0)
      let error = #expect(throws: NetworkError.self) { try KeyFile.load(path) }
      #expect(error?.message.contains("chmod 600") == true)
    }
  }

  @Test("F76: a file that is no key is refused, and its name is said", arguments: [31, 33])
  func noKey(size: Int) throws {
    try withFile { path in
      let file = open(path, O_WRONLY | O_CREAT, 0o600)
      #expect(write(file, [UInt8](repeating: 7, count: size), size) == size)
      close(file)
      let error = #expect(throws: NetworkError.self) { try KeyFile.load(path) }
      #expect(error?.message.contains(path) == true)
    }
  }

  @Test("N14: who runs a hub is told of its certificate's end from a week before, once a day, and when it is over")
  func certificateWatch() throws {
    let hub = [UInt8](repeating: 1, count: 16)
    let authority = SigningKey(seed: Secret { [UInt8](repeating: 2, count: $0) })
    var watch = CertificateWatch(HubCertificate(of: hub, by: authority, until: 1_000))
    var told: [UInt32: String] = [:]
    for hour in 0...1_060 as ClosedRange<UInt32> { if let text = watch.look(at: hour) { told[hour] = text } }
    #expect(told.keys.sorted() == [832, 856, 880, 904, 928, 952, 976, 1_000, 1_024, 1_048])
    #expect(told[832]?.contains("is over in 7 days") == true && told[976]?.contains("is over in 24 h") == true)
    #expect(told[1_000]?.contains("certificate is over:") == true)
    // A calendar that was put back says so again.
    #expect(watch.look(at: 900) != nil && watch.look(at: 901) == nil)
  }

  @Test("N14: certify takes a hub's id or its line, days within a year, and names the file of the authority's key")
  func certify() throws {
    let id = String(repeating: "a", count: 26)
    for hub in [id, " \(id.uppercased())\n", "unisono-hub://192.0.2.7:7400/\(id)"] {
      let arguments = ["hub", "certify", "--authority-key", "authority.key", "--hub", hub]
      let command = try #require(try UnisonoCommand.parseAsRoot(arguments) as? CertifyCommand)
      #expect(command.days == 30 && command.authorityKey == "authority.key")
    }
    for wrong in [
      ["--authority-key", "k"], ["--hub", id], ["--authority-key", "k", "--hub", "192.0.2.7:7400"],
      ["--authority-key", "k", "--hub", id + "a"], ["--authority-key", "k", "--hub", id, "--days", "0"],
      ["--authority-key", "k", "--hub", id, "--days", "367"],
    ] { #expect(throws: (any Error).self) { try UnisonoCommand.parseAsRoot(["hub", "certify"] + wrong) } }
  }

  @Test("N14: a certificate is read from a file, and refused if it is not this hub's or none")
  func certificateFile() throws {
    let hub = [UInt8](repeating: 1, count: 16)
    let good = HubCertificate(of: hub, by: SigningKey(seed: Secret { [UInt8](repeating: 2, count: $0) }), until: 5)
    try withFile { path in
      func write(_ text: String) throws {
        let file = try #require(fopen(path, "w"))
        fputs(text, file)
        fclose(file)
      }
      try write(good.text + "\n")
      #expect(try CertificateFile.read(path, of: hub) == good, "also one that is over")
      let other = #expect(throws: NetworkError.self) { try CertificateFile.read(path, of: [UInt8](repeating: 3, count: 16)) }
      #expect(other?.message.contains("is not this hub's") == true)
      for text in ["", String(good.text.dropLast()), "0" + good.text.dropFirst()] {
        try write(text)
        let none = #expect(throws: NetworkError.self) { try CertificateFile.read(path, of: hub) }
        #expect(none?.message.contains("holds no certificate") == true)
      }
    }
  }
}
