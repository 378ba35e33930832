import UnisonoBase
import UnisonoReplica
import UnisonoWire

@testable import UnisonoRuntime

/// A hub that does what it likes with the frames it carries: between the clients and a real hub, whose handshakes pass
/// through it untouched, as only frames are its own to bend.
final class CrookedHub {
  /// Towards a client, or from it.
  enum Way { case down, up }

  /// One client's connection, and the one to the real hub that goes with it.
  final class Line {
    let number: Int
    fileprivate var client: (any ByteStream)?
    fileprivate var hub: (any ByteStream)?
    fileprivate var ways: [Way: FrameAssembler] = [
      .down: FrameAssembler(limit: WireLimits.frame), .up: FrameAssembler(limit: WireLimits.frame),
    ]
    /// Everything that came for the client, in order.
    fileprivate(set) var delivered: [RawFrame] = []
    /// When the last frame of a way is passed on, for delays that keep the order.
    fileprivate var last: [Way: Int64] = [:]

    fileprivate init(_ number: Int) { self.number = number }
  }

  let machine: VirtualEnvironment
  let address: HubAddress
  private(set) var lines: [Line] = []
  /// A frame that is passed on, so much later.
  struct Passed {
    var frame: RawFrame
    var after: Nanoseconds
    init(_ frame: RawFrame, after: Nanoseconds = 0) { (self.frame, self.after) = (frame, after) }
  }

  /// What is passed on instead of a frame.
  var bend: (RawFrame, Way, Line) -> [Passed] = honestly
  static func honestly(_ frame: RawFrame, _ way: Way, _ line: Line) -> [Passed] { [Passed(frame)] }
  /// False: what is passed on later may be overtaken.
  var keepsOrder = true
  private var listener: (any StreamListener)?

  init(before hub: HubServer, at real: String, on machine: VirtualEnvironment, port: Int = 7500) throws {
    self.machine = machine
    address = HubAddress(address: "\(machine.host):\(port)", hub: hub.hubID)
    listener = try machine.listen(on: "0.0.0.0:\(port)") { [unowned self] stream in
      let line = Line(lines.count)
      lines.append(line)
      line.client = stream
      line.hub = machine.connect(
        to: real,
        StreamEvents(
          received: { [unowned self, unowned line] in take($0, .down, line) },
          closed: { [unowned line] _ in line.client?.close() }))
      return StreamEvents(
        received: { [unowned self, unowned line] in take($0, .up, line) },
        closed: { [unowned line] _ in line.hub?.close() })
    }
  }

  /// Says something to a client that no hub ever sent.
  func inject(_ frame: HubFrame, into line: Line) { line.client?.write(frame.encoded) }

  private func take(_ bytes: [UInt8], _ way: Way, _ line: Line) {
    line.ways[way]?.append(bytes)
    while let frame = try? line.ways[way]?.next() {
      let isSealed = frame.type == HubFrame.FrameType.deliver.rawValue || frame.type == HubFrame.FrameType.send.rawValue
      guard isSealed else {
        pass(honest(frame), way, line, after: 0)
        continue
      }
      if way == .down { line.delivered.append(frame) }
      for part in bend(frame, way, line) { pass(part.frame, way, line, after: part.after) }
    }
  }

  /// Datagrams would not come through here: there are none.
  private func honest(_ frame: RawFrame) -> RawFrame {
    guard frame.type == HubFrame.FrameType.entered.rawValue, var entered = try? EnteredFrame(body: frame.body) else {
      return frame
    }
    entered.udpPort = 0
    return HubFrame.entered(entered).raw
  }

  private func pass(_ frame: RawFrame, _ way: Way, _ line: Line, after wait: Nanoseconds) {
    var time = machine.network.trueTime + wait
    if keepsOrder { time = max(time, line.last[way] ?? time) }
    line.last[way] = max(time, line.last[way] ?? time)
    let stream = way == .down ? line.client : line.hub
    guard time > machine.network.trueTime else {
      stream?.write(frame.encoded)
      return
    }
    machine.network.schedule(at: time, on: machine) { stream?.write(frame.encoded) }
  }
}
