import UnisonoBase
import UnisonoReplica
import UnisonoWire

/// Outbound side of a hub: who gets a frame, whether there is room for it, whom this turn has something to send to, and how much memory
/// what waits takes.
///
/// Frames wait in their connections until the turn is over, or until they are many (`isDue`), so that who gets several gets them in one
/// write. Nothing waits for a slow reader: where much waits already, what may be dropped is; where too much waits the receiver has to go,
/// and when all together take too much memory, the largest has to.
struct Forwarding {
  /// What became of a frame for a room.
  struct Sent {
    /// For so many it was taken.
    var count = 0
    /// Those who do not read: to be closed.
    var slow: [HubConnection] = []
    /// Those for whom it was left out, as much waits for them.
    var omitted: [HubConnection] = []
  }

  private(set) var framesOut: UInt64 = 0
  /// Over TCP, with length fields.
  private(set) var bytesOut: UInt64 = 0
  private var memory: ByteBudget
  /// Who is in each room, in the order of their entry: everything that a frame for all of them needs, in one place.
  private var rooms: [UInt64: [HubConnection]] = [:]
  /// Those who had nothing to seal before this turn and have now.
  private var pending: [HubConnection] = []
  /// Length of all frames that wait for the end of the turn, each counted once for all its receivers.
  private var pendingBytes = 0

  init(memory: Int) { self.memory = ByteBudget(limit: memory) }

  /// Memory that what waits takes, bytes.
  var memoryUsed: Int { memory.used }
  /// What waits has to take less.
  var isOver: Bool { memory.isOver }
  /// Somebody has something to send.
  var isPending: Bool { !pending.isEmpty }
  /// So much waits for the end of the turn that it should be sent now.
  var isDue: Bool { pendingBytes >= HubLimits.sealedAhead }

  mutating func setMemory(_ bytes: Int) { memory.setLimit(bytes) }

  mutating func enter(_ connection: HubConnection, room: UInt64) { rooms[room, default: []].append(connection) }

  mutating func leave(_ connection: HubConnection, room: UInt64) {
    guard let index = rooms[room]?.firstIndex(where: { $0 === connection }) else { return }
    rooms[room]?.remove(at: index)
    if rooms[room]?.isEmpty == true { rooms[room] = nil }
  }

  mutating func removeAll() {
    rooms = [:]
    pending = []
  }

  /// Adds a frame for everybody in a room but the connection with number `sender`. `mayDrop`: left out where much waits already.
  mutating func send(_ text: RecordText, toRoom room: UInt64, except sender: UInt64?, mayDrop: Bool = false) -> Sent {
    send(text, to: rooms[room] ?? [], except: sender, mayDrop: mayDrop)
  }

  /// Adds a frame for each of `receivers`.
  mutating func send(
    _ text: RecordText, to receivers: [HubConnection], except sender: UInt64? = nil, mayDrop: Bool = false
  ) -> Sent {
    var sent = Sent()
    for receiver in receivers where receiver.number != sender {
      switch receiver.accept(text, mayDrop: mayDrop) {
      case .omitted:
        if !receiver.isClosed { sent.omitted.append(receiver) }
        continue
      case .overflow:
        sent.slow.append(receiver)
        continue
      case .first: pending.append(receiver)
      // Where it waits for the socket it counts at once; else when the socket did not take it.
      case .queued: if receiver.outboundShare > 0 { receiver.account(outbound: &memory) }
      }
      sent.count += 1
    }
    if sent.count > 0 { pendingBytes += text.recordLength }
    framesOut += UInt64(sent.count)
    bytesOut += UInt64(sent.count * text.recordLength)
    return sent
  }

  /// Those who have something to send, from now on nobody.
  mutating func removePending() -> [HubConnection] {
    pendingBytes = 0
    defer { pending = [] }
    return pending
  }

  /// Brings the memory up to date with what waits for `connection`.
  mutating func account(_ connection: HubConnection) { connection.account(outbound: &memory) }

  /// Connection to close, because what waits to be sent takes too much memory; nil: it does not.
  func largest(of connections: ConnectionTable) -> HubConnection? {
    memory.isOver ? connections.all.max { $0.outboundShare < $1.outboundShare } : nil
  }
}
