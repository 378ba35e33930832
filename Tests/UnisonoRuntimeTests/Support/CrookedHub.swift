import UnisonoBase
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto
@testable import UnisonoRuntime

/// A hub that does what it likes with the frames it carries. It stands between the clients and a real hub, has the keys of their links
/// from the clients' machines, and seals anew what it passes on: what the real hub could do, and nobody else.
final class CrookedHub {
  /// Towards a client, or from it.
  enum Way { case down, up }

  /// One client's connection, and the one to the real hub that goes with it.
  final class Line {
    let number: Int
    fileprivate var client: (any ByteStream)?
    fileprivate var hub: (any ByteStream)?
    fileprivate var ways: [Way: FrameAssembler] = [
      .down: FrameAssembler(limit: RecordText.greatestRecord), .up: FrameAssembler(limit: RecordText.greatestRecord),
    ]
    /// The client's own half of the link; nil before its OPEN.
    fileprivate var handshake: ClientHandshake?
    fileprivate var probes: ProbeMAC?
    fileprivate var openers: [Way: RecordOpener] = [:]
    fileprivate var sealers: [Way: RecordSealer] = [:]
    /// Everything that came for the client, in order.
    fileprivate(set) var delivered: [RawFrame] = []
    /// When the last frame of a way is passed on, for delays that keep the order.
    fileprivate var last: [Way: Int64] = [:]

    fileprivate init(_ number: Int) { self.number = number }

    /// Of the client's machine.
    var host: String? { client?.peer.host }
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
  /// How much later the hub's clock is told to be than it is.
  var timeLie: (Line) -> Nanoseconds = { _ in 0 }
  /// What is told instead of how it is with an audience.
  var countLie: (AudienceCount) -> AudienceCount = { $0 }
  /// False: what is passed on later may be overtaken.
  var keepsOrder = true
  private var listener: (any StreamListener)?

  init(before hub: HubServer, at real: String, on machine: VirtualEnvironment, port: Int = 7500) throws {
    self.machine = machine
    // The keys of a link follow from what the client's machine draws.
    machine.network.keepsDraws = true
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
  func inject(_ frame: HubFrame, into line: Line) { write(frame.raw, .down, line) }

  private func take(_ bytes: [UInt8], _ way: Way, _ line: Line) {
    line.ways[way]?.append(bytes)
    while let content = try? line.ways[way]?.nextContent() {
      guard line.openers[way] != nil else {
        passInClear(RawFrame(type: content[0], body: Array(content[1...])), way, line)
        continue
      }
      guard let frame = try? line.openers[way]?.open(content) else { continue }
      let isSealed = frame.type == HubFrame.FrameType.deliver.rawValue || frame.type == HubFrame.FrameType.send.rawValue
      guard isSealed else {
        pass(way == .down ? lied(honest(frame), line) : frame, way, line, after: 0)
        continue
      }
      if way == .down { line.delivered.append(frame) }
      for part in bend(frame, way, line) { pass(part.frame, way, line, after: part.after) }
    }
  }

  /// OPEN and CHALLENGE as they are: from these, and from what the client's machine drew, follow the keys of the link.
  private func passInClear(_ frame: RawFrame, _ way: Way, _ line: Line) {
    (way == .down ? line.client : line.hub)?.write(frame.encoded)
    switch HubFrame.FrameType(rawValue: frame.type) {
    case .open:
      let client = machine.network.machines.first { $0.host == line.client?.peer.host }
      line.handshake = client?.seeds.lazy.compactMap { seed in
        Secret(seed).map { ClientHandshake(nonce: (try? OpenFrame(body: frame.body))?.nonce ?? [], ephemeral: HybridKey(seed: $0)) }
      }.first { $0.open.body == frame.body }
    case .challenge:
      guard let link = try? line.handshake?.accept(challenge: frame.body) else { return }
      line.probes = link.probes
      line.openers = [.down: RecordOpener(key: link.keys.down), .up: RecordOpener(key: link.keys.up)]
      line.sealers = [.down: RecordSealer(key: link.keys.down), .up: RecordSealer(key: link.keys.up)]
    default: break
    }
  }

  private func write(_ frame: RawFrame, _ way: Way, _ line: Line) {
    if let record = line.sealers[way]?.seal(RecordText(frame)) { (way == .down ? line.client : line.hub)?.write(record) }
  }

  /// Datagrams would not come through here: there are none.
  private func honest(_ frame: RawFrame) -> RawFrame {
    guard frame.type == HubFrame.FrameType.entered.rawValue, var entered = try? EnteredFrame(body: frame.body) else {
      return frame
    }
    entered.udpPort = 0
    return HubFrame.entered(entered).raw
  }

  private func lied(_ frame: RawFrame, _ line: Line) -> RawFrame {
    if case .count(let count)? = try? HubFrame.decode(frame) { return HubFrame.count(countLie(count)).raw }
    let lie = timeLie(line)
    guard lie != 0, case .probe(var answer)? = try? HubFrame.decode(frame), let code = line.probes else { return frame }
    answer.received = answer.received.adding(lie)
    answer.sent = answer.sent.adding(lie)
    return HubFrame.probe(code.signed(answer)).raw
  }

  private func pass(_ frame: RawFrame, _ way: Way, _ line: Line, after wait: Nanoseconds) {
    var time = machine.network.trueTime + wait
    if keepsOrder { time = max(time, line.last[way] ?? time) }
    line.last[way] = max(time, line.last[way] ?? time)
    guard time > machine.network.trueTime else { return write(frame, way, line) }
    machine.network.schedule(at: time, on: machine) { [unowned self] in write(frame, way, line) }
  }
}
