import Synchronization
import UnisonoBase
import UnisonoCrypto
import UnisonoRuntime

#if NATS
  import UnisonoNATS
#endif

/// What makes this command's hub one of a set: the keys, and the way to the other hubs, through NATS.
final class HubSetWay: Sendable {
  private let keys: HubSetKeys
  #if NATS
    /// How long the end is waited for: what was said last has half a second, and a server that stands still takes its time.
    private static let patience = Nanoseconds.seconds(5)

    private let options: NATSOptions
    private let peers = Mutex<NATSPeers?>(nil)
  #endif

  /// Reads the files of the keys. Throws a sentence that names what is wrong.
  init(_ settings: HubSetSettings) throws(NetworkError) {
    var secrets: [Secret] = []
    for file in settings.keys { secrets.append(try KeyFile.read(file, orElse: "take it from another hub of the set")) }
    guard let first = secrets.first else {
      throw NetworkError("a hub of a set has a key: name its file with --set-key")
    }
    keys = HubSetKeys(first, second: secrets.dropFirst().first)
    #if NATS
      var servers: [NATSServer] = []
      for url in settings.servers { servers.append(try NATSServer(parsing: url)) }
      options = NATSOptions(servers: servers, credentials: settings.credentials, authorities: settings.authorities)
    #else
      if let missing = HubSetSettings.missing { throw NetworkError("--nats \(missing)") }
    #endif
  }

  /// What the hub publishes and subscribes, as permissions of NATS name it, in words.
  var subjects: String { keys.all.joined(separator: " and ") }

  /// For a hub on `loop`, whose thread calls this, `log` and `failed`.
  func membership(
    on loop: UVLoop, log: @escaping (HubLog) -> Void, failed: @escaping (String) -> Void
  ) throws(NetworkError) -> SetMembership {
    #if NATS
      let made = try NATSPeers(options, on: loop, log: log)
      peers.withLock { $0 = made }
      return SetMembership(keys: keys, peers: made, failed: failed)
    #else
      throw NetworkError("--nats \(HubSetSettings.missing ?? "")")
    #endif
  }

  /// Waits, after the hub was closed and not on its loop, until other hubs were told so.
  func waitForEnd() {
    #if NATS
      peers.withLock { $0 }?.waitForEnd(atMost: Self.patience)
    #endif
  }
}
