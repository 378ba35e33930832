#if NATS
  import UnisonoRuntime

  /// Where a NATS server is, as its operator writes it: nats://host:port, or tls://host:port, with name:password@ in front of the host if
  /// it asks for that; port 4222 need not be written.
  package struct NATSServer: Equatable, Sendable, CustomStringConvertible {
    static let standardPort: UInt16 = 4_222

    /// For libnats; it may hold a password.
    let url: String
    let isSecure: Bool
    /// Without name and password: for messages.
    package let description: String

    /// Throws a sentence that names what is wrong, and no password.
    package init(parsing text: String) throws(NetworkError) {
      guard text.utf8.count <= 1_024, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
        throw NetworkError("a NATS server is written nats://host:port, at most 1024 characters, without spaces")
      }
      guard let scheme = ["nats://", "tls://"].first(where: { text.hasPrefix($0) }) else {
        throw NetworkError("a NATS server is written nats://host:port or, with TLS, tls://host:port")
      }
      let rest = text.dropFirst(scheme.count)
      let place = rest.split(separator: "@", omittingEmptySubsequences: false).last ?? rest
      let hasPort = place.last != "]" && place.contains(":")
      let address: HostAndPort
      do throws(NetworkError) {
        address = try HostAndPort(parsing: hasPort ? String(place) : "\(place):\(Self.standardPort)")
      } catch {
        throw NetworkError("\(error.message), after \(scheme)")
      }
      // A comma would be a second server for libnats, a slash a path.
      guard address.port != 0,
        !address.host.utf8.contains(where: { [UInt8(ascii: ","), UInt8(ascii: "/"), UInt8(ascii: "?")].contains($0) })
      else { throw NetworkError("a NATS server has a port of 1...65535 and no path: \(scheme)host:port") }
      let host = address.host.contains(":") ? "[\(address.host)]" : address.host
      let login = rest.dropLast(place.utf8.count)
      url = "\(scheme)\(login)\(host):\(address.port)"
      isSecure = scheme == "tls://"
      description = "\(scheme)\(host):\(address.port)"
    }
  }
#endif
