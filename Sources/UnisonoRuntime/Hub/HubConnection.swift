import UnisonoCore
import UnisonoCrypto

/// One connection to a hub, and all that its limits have to remember.
///
/// A class, because it is a socket's owner: its place in the hub's tables and in timers must be one and the same.
final class HubConnection {
  enum Stage {
    /// Has said nothing that makes sense yet; gets no byte before it does.
    case silent
    /// Was asked to prove itself.
    case challenged(HubHandshake)
    /// In a room.
    case entered(Seat)
  }

  struct Seat {
    let room: UInt64
    let id: ParticipantID
    let token: UInt64
  }

  /// Counts up with every connection of this hub; what others see as the connection's number.
  let number: UInt64
  let stream: any ByteStream
  /// What it came through.
  let socket: HubSocket
  let address: AddressKey
  let accepted: HostTime
  var stage = Stage.silent
  var isClosed = false
  /// Counted among the entered ones at the gate.
  var isCountedAsEntered = false

  var assembler = FrameAssembler(limit: HubLimits.unenteredBytes)
  var bytes: TokenBucket
  var frames: TokenBucket
  /// Before entry: what came.
  var receivedBytes = 0
  var receivedFrames = 0

  var lastHeard: HostTime
  /// When silence was answered with PING last.
  var asked: HostTime?
  /// Since when a frame is begun and not complete.
  var frameBegun: HostTime?
  /// Since when reading rests, and when that ends.
  var restingSince: HostTime?
  var restingUntil: HostTime = 0

  /// Frames that wait to be sent.
  var queue = OutboundQueue()
  /// What the budgets know of this connection, bytes.
  var notedInbound = 0
  var notedOutbound = 0

  init(
    number: UInt64, stream: any ByteStream, socket: HubSocket, address: AddressKey, limits: HubLimits, now: HostTime
  ) {
    self.number = number
    self.stream = stream
    self.socket = socket
    self.address = address
    accepted = now
    lastHeard = now
    bytes = TokenBucket(rate: Double(limits.bytesPerSecond), burst: 2 * Double(limits.bytesPerSecond), now: now)
    frames = TokenBucket(rate: limits.framesPerSecond, burst: limits.framesBurst, now: now)
  }

  /// What it costs to keep what waits to be sent, bytes.
  var outboundCost: Int { queue.cost(queued: stream.queuedBytes) }

  var seat: Seat? {
    if case .entered(let seat) = stage { seat } else { nil }
  }

  /// A word for the log: the participant if it is known, else the address.
  var name: String { seat.map { "participant \($0.id)" } ?? "connection from \(stream.peer.host)" }
}
