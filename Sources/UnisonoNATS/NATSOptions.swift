#if NATS
  import UnisonoRuntime

  /// What a connection to NATS is made with.
  package struct NATSOptions: Sendable {
    /// Tried in random order until one answers. One with TLS makes all of them have it.
    package var servers: [NATSServer]
    /// File with the user's JWT and seed, as `nsc` writes it.
    package var credentials: String?
    /// PEM files: authorities that are trusted instead of the system's, and what this side shows, with its key.
    package var authorities: String?
    package var certificate: String?
    package var certificateKey: String?

    package init(
      servers: [NATSServer], credentials: String? = nil, authorities: String? = nil, certificate: String? = nil,
      certificateKey: String? = nil
    ) {
      self.servers = servers
      self.credentials = credentials
      self.authorities = authorities
      self.certificate = certificate
      self.certificateKey = certificateKey
    }

    /// The servers, for messages.
    var place: String { servers.map(\.description).joined(separator: " or ") }
  }
#endif
