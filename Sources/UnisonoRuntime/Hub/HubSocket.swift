import UnisonoBase

/// One address a hub listens on: TCP for frames, as they are or through WebSocket, and UDP on the same number for clock probes.
final class HubSocket {
  /// Without brackets.
  let host: String
  private var listener: (any StreamListener)?
  private var datagrams: (any DatagramPort)?

  /// The TCP port.
  var port: UInt16 { listener?.port ?? 0 }
  /// 0: the port was taken; probes go over TCP.
  var udpPort: UInt16 { datagrams?.port ?? 0 }

  /// Number of free TCP ports that are tried until one has its UDP twin free.
  static let tries = 8

  init(
    on address: String, environment: any Environment, options: HubOptions,
    accepted: @escaping (_ through: HubSocket, HubStream) -> StreamEvents,
    received: @escaping (_ through: HubSocket, [UInt8], _ from: PeerAddress, _ at: HostTime) -> Void
  ) throws(NetworkError) {
    let wanted = try HostAndPort(parsing: address)
    host = wanted.host
    let upgrade = WebSocketUpgrade(options)
    let site = SiteDoor(options)
    for attempt in 1...Self.tries {
      let listener = try environment.listen(on: address) { [weak self] stream in
        guard let self else { return StreamEvents(received: { _ in }, closed: { _ in }) }
        let arrival = HubStream(stream, environment: environment, upgrade: upgrade, site: site, limits: options.limits)
        return arrival.begin(accepted(self, arrival))
      }
      self.listener = listener
      datagrams = try? environment.openDatagrams(on: PeerAddress(host: host, port: listener.port).description) {
        [weak self] bytes, from, at in
        if let self { received(self, bytes, from, at) }
      }
      if datagrams != nil || wanted.port != 0 || attempt == Self.tries { return }
      listener.close()
    }
  }

  func send(_ bytes: [UInt8], to peer: PeerAddress) { datagrams?.send(bytes, to: peer) }

  func close() {
    listener?.close()
    datagrams?.close()
  }
}
