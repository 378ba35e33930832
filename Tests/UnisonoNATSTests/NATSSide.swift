#if NATS
  import Glibc
  import UnisonoBase
  import UnisonoRuntime

  @testable import UnisonoNATS

  /// One hub's way to the others in a test, on a loop that the test polls.
  final class NATSSide {
    let loop: UVLoop
    let peers: NATSPeers
    private let seen = Seen()

    /// What came, as the closures hold it.
    private final class Seen {
      var messages: [(bytes: [UInt8], subject: String, at: HostTime)] = []
      var turns: [String] = []
      var waiting: [(bytes: Int, since: HostTime?)] = []
      var lines: [String] = []
      var onMessage: () -> Void = {}
    }

    init(_ options: NATSOptions, opens: Bool = true) throws {
      loop = try UVLoop.polled()
      peers = try NATSPeers(options, on: loop) { [seen] in seen.lines.append($0.text) }
      if opens { open() }
    }

    deinit {
      peers.close()
      peers.waitForEnd(atMost: .seconds(20))
      loop.close()
    }

    var messages: [(bytes: [UInt8], subject: String, at: HostTime)] { seen.messages }
    var texts: [String] { seen.messages.map { String(decoding: $0.bytes, as: UTF8.self) } }
    /// "up" and "down", in order.
    var turns: [String] { seen.turns }
    var waiting: [(bytes: Int, since: HostTime?)] { seen.waiting }
    var lines: [String] { seen.lines }

    func onMessage(_ action: @escaping () -> Void) { seen.onMessage = action }

    func open() {
      peers.open(
        HubPeersEvents(
          connected: { [seen] in seen.turns.append("up") },
          disconnected: { [seen] in seen.turns.append("down") },
          received: { [seen] in
            seen.messages.append(($0, $1, $2))
            seen.onMessage()
          },
          waiting: { [seen] in seen.waiting.append(($0, $1)) }))
    }

    func say(_ text: String, on subject: String) { peers.publish(Array(text.utf8), on: subject) }

    /// Polls until `condition` holds; false when it did not within `limit`.
    func poll(for limit: Nanoseconds = .seconds(20), until condition: () -> Bool) -> Bool {
      let end = loop.now + limit
      while !condition() {
        if loop.now > end || loop.poll(maxWait: .milliseconds(20)) != .ran { return condition() }
      }
      return true
    }
  }
#endif
