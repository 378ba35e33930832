import UnisonoCore

/// Reliable messages as they come in: each once, those of one sender in order (wire 4.3).
///
/// A message to all names the one before it. Where that did not come, it is on its way again: what follows waits for it a
/// moment.
struct MessageInbox {
  struct Message: Equatable {
    var sender: ParticipantID
    var number: UInt64
    var bytes: [UInt8]
  }

  static let patience = Nanoseconds.seconds(2)
  static let heldMost = 64
  /// Numbers remembered of one sender.
  static let window = 4_096
  /// Senders that are remembered: all who are there, and as many who are not. Nobody says anything again that is older than
  /// a minute.
  static let sendersMost = 512

  private struct Sender {
    var lastToAll: UInt64?
    var seen: Set<UInt64> = []
    var newest: UInt64 = 0
    var held: [(previous: UInt64, message: Message)] = []
    var heldSince: HostTime?
    var heard: HostTime = .min
  }

  private var senders: [ParticipantID: Sender] = [:]

  /// Those that may be given to the application now, in order.
  mutating func take(_ message: Message, previous: UInt64?, now: HostTime) -> [Message] {
    var sender = senders[message.sender] ?? Sender()
    sender.heard = now
    if senders[message.sender] == nil { makeRoom() }
    defer { senders[message.sender] = sender }
    guard message.number.addingReportingOverflow(UInt64(Self.window)).partialValue > sender.newest,
      sender.seen.insert(message.number).inserted
    else { return [] }
    sender.newest = max(sender.newest, message.number)
    if sender.seen.count > Self.window {
      let newest = sender.newest
      sender.seen = sender.seen.filter { $0 > newest &- UInt64(Self.window) }
    }
    guard let previous else { return [message] }
    if let last = sender.lastToAll, previous > last, sender.held.count < Self.heldMost {
      sender.held.append((previous, message))
      sender.held.sort { $0.message.number < $1.message.number }
      sender.heldSince = sender.heldSince ?? now
      return []
    }
    sender.lastToAll = max(sender.lastToAll ?? 0, message.number)
    return [message] + Self.release(&sender)
  }

  /// What waited long enough comes without what it waited for. `lost`: whose messages are missing.
  mutating func tick(now: HostTime) -> (messages: [Message], lost: [ParticipantID]) {
    var messages: [Message] = []
    var lost: [ParticipantID] = []
    for id in senders.keys.sorted() {
      guard var sender = senders[id], let since = sender.heldSince, now >= since.adding(Self.patience) else { continue }
      lost.append(id)
      if let first = sender.held.first {
        sender.lastToAll = first.previous
        messages += Self.release(&sender)
        sender.heldSince = sender.held.isEmpty ? nil : now
      }
      senders[id] = sender
    }
    return (messages, lost)
  }

  var nextWake: HostTime? { senders.values.compactMap(\.heldSince).min()?.adding(Self.patience) }

  /// For one more: who was not heard for longest goes, unless it has something that waits.
  private mutating func makeRoom() {
    guard senders.count >= Self.sendersMost else { return }
    let idle = senders.filter { $0.value.heldSince == nil }
    let oldest = (idle.isEmpty ? senders : idle).min { ($0.value.heard, $0.key) < ($1.value.heard, $1.key) }
    if let oldest { senders[oldest.key] = nil }
  }

  /// How many senders are remembered.
  var count: Int { senders.count }

  /// It was away too long to be the same one, or we were: what was said meanwhile was not for us.
  mutating func forgetOrder(of id: ParticipantID) { senders[id]?.lastToAll = nil }
  mutating func forgetOrder() { for id in senders.keys { senders[id]?.lastToAll = nil } }

  private static func release(_ sender: inout Sender) -> [Message] {
    var released: [Message] = []
    while let first = sender.held.first, first.previous <= sender.lastToAll ?? 0 {
      sender.held.removeFirst()
      sender.lastToAll = max(sender.lastToAll ?? 0, first.message.number)
      released.append(first.message)
    }
    if sender.held.isEmpty { sender.heldSince = nil }
    return released
  }
}
