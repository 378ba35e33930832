#if NATS
  import Testing
  import UnisonoRuntime

  @testable import UnisonoNATS

  @Suite("Addresses of NATS servers")
  struct NATSServerTests {
    @Test(
      "with and without port, login and TLS; a password is not shown",
      arguments: [
        ("nats://a.example", "nats://a.example:4222", "nats://a.example:4222"),
        ("nats://127.0.0.1:7", "nats://127.0.0.1:7", "nats://127.0.0.1:7"),
        ("tls://u:p@ss@b:1", "tls://u:p@ss@b:1", "tls://b:1"),
        ("nats://[::1]", "nats://[::1]:4222", "nats://[::1]:4222"),
        ("nats://u@[::1]:9", "nats://u@[::1]:9", "nats://[::1]:9"),
      ] as [(String, String, String)])
    func good(text: String, url: String, shown: String) throws {
      let server = try NATSServer(parsing: text)
      #expect(server.url == url && server.description == shown)
      #expect(server.isSecure == text.hasPrefix("tls"))
    }

    @Test(
      "what is none is refused in a sentence, which holds no password",
      arguments: [
        "", "a:1", "http://a:1", "nats://", "nats://u:secret@", "nats://a:0", "nats://a:65536", "nats://u:secret@a:x",
        "nats://a,nats://b",
        "nats://a/b", "nats://a b", "nats://a\n", "nats://::1", "nats://\u{e4}:1", "tls://u:secret@:1",
      ])
    func bad(text: String) {
      let error = #expect(throws: NetworkError.self) { try NATSServer(parsing: text) }
      #expect(error?.message.contains("secret") == false)
    }

    @Test("an address of a thousand characters is refused")
    func long() {
      #expect(throws: NetworkError.self) { try NATSServer(parsing: "nats://" + String(repeating: "a", count: 2_000)) }
    }
  }
#endif
