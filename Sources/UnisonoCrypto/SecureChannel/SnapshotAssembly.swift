import UnisonoBase
import UnisonoReplica

/// Puts the parts of one member's snapshot together; bounded in size and time (wire 10).
struct SnapshotAssembly: Sendable {
  static let bytes = 4_194_304
  static let lifetime = Nanoseconds.seconds(10)

  private var sender: ParticipantID?
  private var of: UInt16 = 0
  private var parts: [UInt16: [Statement]] = [:]
  private var size = 0
  private var until: HostTime = .min

  /// Of what came so far.
  var authors: Set<ParticipantID> { Set(parts.values.lazy.flatMap { $0 }.map { $0.author }) }

  /// All statements once the last part came.
  mutating func add(_ statements: [Statement], number: UInt16, of: UInt16, from sender: ParticipantID, now: HostTime)
    -> [Statement]?
  {
    if sender != self.sender || of != self.of || now >= until || number == 0 {
      self = SnapshotAssembly()
      self.sender = sender
      self.of = of
      until = now.adding(Self.lifetime)
    }
    size += statements.reduce(0) { $0 + ($1.signed?.body.count ?? 0) }
    guard size <= Self.bytes else {
      self = SnapshotAssembly()
      return nil
    }
    parts[number] = statements
    guard parts.count == Int(of) else { return nil }
    defer { self = SnapshotAssembly() }
    return (0..<of).flatMap { parts[$0] ?? [] }
  }
}
