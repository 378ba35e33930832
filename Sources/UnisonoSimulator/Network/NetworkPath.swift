import UnisonoBase

/// A kind of way between a participant and the hub, as people have it.
package struct NetworkPath: Hashable, Sendable {
  package let name: String
  package let up: PacketDelay
  package let down: PacketDelay

  init(_ name: String, up: PacketDelay, down: PacketDelay? = nil) {
    self.name = name
    self.up = up
    self.down = down ?? up
  }

  /// What a lost packet costs a TCP connection: it is sent again and the rest waits.
  var retransmission: Nanoseconds { max(.milliseconds(200), up.base + down.base) + up.base + down.base }

  /// A cable at home.
  package static let lan = NetworkPath(
    "lan", up: PacketDelay(base: .microseconds(200), spread: .microseconds(100), shape: .queueing))
  /// Wi-Fi with neighbours: bursts of 20-150 ms.
  package static let wifi = NetworkPath(
    "wifi",
    up: PacketDelay(
      base: .milliseconds(3), spread: .milliseconds(2), shape: .queueing,
      burst: .init(enters: 0.02, leaves: 0.15, adds: .milliseconds(20)...(.milliseconds(150)), loss: 0.05), loss: 0.001)
  )
  /// 50 ms each way, 20 more or less.
  package static let wan = NetworkPath(
    "wan", up: PacketDelay(base: .milliseconds(50), spread: .milliseconds(20), shape: .uniform))
  /// As long, but as queues make it.
  package static let busyWan = NetworkPath(
    "busy wan", up: PacketDelay(base: .milliseconds(50), spread: .milliseconds(20), shape: .queueing))
  /// A telephone.
  package static let lte = NetworkPath(
    "lte", up: PacketDelay(base: .milliseconds(80), spread: .milliseconds(60), shape: .queueing, loss: 0.005))
  /// The way there takes four times as long as the way back.
  package static let asymmetric = NetworkPath(
    "asymmetric", up: PacketDelay(base: .milliseconds(40), spread: .milliseconds(5), shape: .queueing),
    down: PacketDelay(base: .milliseconds(10), spread: .milliseconds(2), shape: .queueing))
  /// By way of the geostationary orbit.
  package static let satellite = NetworkPath(
    "satellite", up: PacketDelay(base: .milliseconds(600), spread: .milliseconds(50), shape: .uniform, loss: 0.002))

  package static let all = [lan, wifi, wan, busyWan, lte, asymmetric, satellite]
}
