import UnisonoBase
import UnisonoWire

/// Inbox of reliable messages: each comes out once, those of one sender in order (wire 4.3).
///
/// A message to all names the one before it. Where that did not come, it is on its way again: what follows waits for it a
/// moment.
struct MessageInbox {
  struct Message: Equatable {
    var sender: ParticipantID
    var number: UInt64
    var bytes: [UInt8]
    /// What the bytes are.
    var label: MessageLabel?
    /// Where in an item it is delivered; nil: at once.
    var cue: MessageCue?
  }

  static let patience = Nanoseconds.seconds(2)
  static let waitingMost = 64
  /// Numbers remembered of one sender.
  static let window = 4_096
  /// Senders that are remembered: all who are there, and as many who are not. Nobody says anything again that is older than
  /// a minute.
  static let sendersMost = 512

  private struct Sender {
    var lastToAll: UInt64?
    var seen: Set<UInt64> = []
    var newest: UInt64 = 0
    var waiting: [(previous: UInt64, message: Message)] = []
    var waitingSince: HostTime?
    var heard: HostTime = .min
  }

  private var senders: [ParticipantID: Sender] = [:]

  /// Messages that may be given to the application now, in order.
  mutating func receive(_ message: Message, previous: UInt64?, now: HostTime) -> [Message] {
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
    if let last = sender.lastToAll, previous > last, sender.waiting.count < Self.waitingMost {
      sender.waiting.append((previous, message))
      sender.waiting.sort { $0.message.number < $1.message.number }
      sender.waitingSince = sender.waitingSince ?? now
      return []
    }
    sender.lastToAll = max(sender.lastToAll ?? 0, message.number)
    return [message] + Self.release(&sender)
  }

  /// Releases messages that waited long enough. `lost`: senders of the missing ones.
  mutating func tick(now: HostTime) -> (messages: [Message], lost: [ParticipantID]) {
    var messages: [Message] = []
    var lost: [ParticipantID] = []
    for id in senders.keys.sorted() {
      guard var sender = senders[id], let since = sender.waitingSince, now >= since.adding(Self.patience) else { continue }
      lost.append(id)
      if let first = sender.waiting.first {
        sender.lastToAll = first.previous
        messages += Self.release(&sender)
        sender.waitingSince = sender.waiting.isEmpty ? nil : now
      }
      senders[id] = sender
    }
    return (messages, lost)
  }

  var nextWake: HostTime? { senders.values.compactMap { $0.waitingSince }.min()?.adding(Self.patience) }

  /// Makes room for one more: the sender that was not heard for longest goes, unless something of it waits.
  private mutating func makeRoom() {
    guard senders.count >= Self.sendersMost else { return }
    let idle = senders.filter { $0.value.waitingSince == nil }
    let oldest = (idle.isEmpty ? senders : idle).min { ($0.value.heard, $0.key) < ($1.value.heard, $1.key) }
    if let oldest { senders[oldest.key] = nil }
  }

  /// Number of remembered senders.
  var count: Int { senders.count }

  /// Forgets the order of a sender that was away too long: what was said meanwhile is not awaited.
  mutating func forgetOrder(of id: ParticipantID) { senders[id]?.lastToAll = nil }
  mutating func forgetOrder() { for id in senders.keys { senders[id]?.lastToAll = nil } }

  private static func release(_ sender: inout Sender) -> [Message] {
    var released: [Message] = []
    while let first = sender.waiting.first, first.previous <= sender.lastToAll ?? 0 {
      sender.waiting.removeFirst()
      sender.lastToAll = max(sender.lastToAll ?? 0, first.message.number)
      released.append(first.message)
    }
    if sender.waiting.isEmpty { sender.waitingSince = nil }
    return released
  }
}
