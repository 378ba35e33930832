import UnisonoBase

/// Outbound side of a hub: who gets an envelope, whether there is room for it, and how much memory what waits takes.
///
/// Nothing waits for a slow reader. Where much waits already, what may be dropped is (`omit`); where too much waits the
/// receiver has to go (`overflow`), and when all together take too much memory, the largest has to.
struct Forwarding {
  enum Verdict: Equatable {
    case send
    /// Left out for a receiver that has much waiting.
    case omit
    /// The receiver does not read.
    case overflow
  }

  private(set) var framesOut: UInt64 = 0
  /// Over TCP, with length fields.
  private(set) var bytesOut: UInt64 = 0
  private var memory: ByteBudget

  init(memory: Int) { self.memory = ByteBudget(limit: memory) }

  /// Memory that what waits takes, bytes.
  var memoryUsed: Int { memory.used }

  mutating func setMemory(_ bytes: Int) { memory.setLimit(bytes) }

  /// Numbers of those who get an envelope of `sender`'s; `to` nil: all others in the room.
  func receivers(of to: [ParticipantID]?, in room: HubRoom, except sender: UInt64) -> [UInt64] {
    var numbers = to?.compactMap { room.connection(of: $0) } ?? room.members.map(\.connection)
    numbers.removeAll { $0 == sender }
    return numbers
  }

  /// Whether a frame of `length` bytes goes to `connection`.
  func judge(_ length: Int, to connection: HubConnection, mayDrop: Bool) -> Verdict {
    if connection.isClosed { return .omit }
    let queued = connection.queuedBytes
    if mayDrop && queued > HubLimits.unorderedBytes { return .omit }
    return queued + length > HubLimits.outboundBytes ? .overflow : .send
  }

  /// A frame of `length` bytes was written to `connection`; true: memory is used up.
  mutating func wrote(_ length: Int, to connection: HubConnection) -> Bool {
    framesOut += 1
    bytesOut += UInt64(length)
    connection.account(outbound: &memory)
    return memory.isOver
  }

  /// Brings the memory up to date with what waits for `connection`.
  mutating func account(_ connection: HubConnection) { connection.account(outbound: &memory) }

  /// Connection to close, because what waits to be sent takes too much memory; nil: it does not.
  func largest(of connections: ConnectionTable) -> HubConnection? {
    memory.isOver ? connections.all.max { $0.outboundShare < $1.outboundShare } : nil
  }
}
