import CUnisono
import DequeModule
import Synchronization
import UnisonoBase
import UnisonoRuntime

/// Events that wait for `unisono_context_next_event`. Filled on the loop, read by one thread.
final class EventQueue: Sendable {
  static let commandLimit = 64
  static let byteLimit = 16 << 20

  fileprivate struct Entry {
    var source: HandleToken?
    var kind: QueueClass
    var payload: Payload
  }

  fileprivate struct State {
    var entries: Deque<Entry> = []
    var messages = 0
    var messageBytes = 0
    var others = 0
    var droppedMessages: UInt64 = 0
    var droppedOthers: UInt64 = 0
    /// What the host looks at until it asks for the next.
    var current: Payload?
  }

  /// What a push asks the caller to do.
  enum Pushed: Equatable {
    case kept
    case dropped
    /// More commands are unread than a host could want: the source's were taken out; command it the present state.
    case commandsReplaced
  }

  /// Readable while something is here.
  let signal: WakeDescriptor
  private let limit: Int
  fileprivate let state = Mutex(State())

  /// `limit`: messages, and other droppable events, kept unread.
  init(limit: Int) throws(NetworkError) {
    self.limit = limit
    signal = try WakeDescriptor()
  }

  var isEmpty: Bool { state.withLock { $0.entries.isEmpty && !$0.hasOverflow } }

  /// `complete` makes the event that replaces an unread one of the same source and type where the new one is a delta.
  func push(
    _ payload: Payload, from source: HandleToken?, _ kind: QueueClass, complete: (() -> Payload)? = nil
  ) -> Pushed {
    state.withLock { state in
      defer { if !state.entries.isEmpty || state.hasOverflow { signal.signal() } }
      var payload = payload
      switch kind {
      case .state:
        let type = payload.type
        let count = state.entries.count
        state.entries.removeAll { $0.source == source && $0.kind == .state && $0.payload.type == type }
        if state.entries.count < count, let complete { payload = complete() }
      case .command:
        let unread = state.entries.count { $0.source == source && $0.isCommand }
        if unread >= Self.commandLimit {
          state.entries.removeAll { $0.source == source && $0.isCommand }
          return .commandsReplaced
        }
      case .message:
        guard state.messages < limit, state.messageBytes + payload.arena.used <= Self.byteLimit else {
          state.droppedMessages += 1
          return .dropped
        }
        state.messages += 1
        state.messageBytes += payload.arena.used
      case .other:
        guard state.others < limit else {
          state.droppedOthers += 1
          return .dropped
        }
        state.others += 1
      case .kept: break
      }
      state.entries.append(Entry(source: source, kind: kind, payload: payload))
      return .kept
    }
  }

  /// The next event; it lives until the next call. nil: none.
  func next(now: HostTime) -> UnsafePointer<unisono_context_event>? {
    state.withLock { state in
      state.current = nil
      if let entry = state.entries.popFirst() {
        state.forget(entry)
        state.current = entry.payload
      } else if state.hasOverflow {
        // What was dropped came after everything that is here.
        state.current = .overflow(
          EventOrigin(source: nil, user: nil, hostTime: now), messages: state.droppedMessages,
          others: state.droppedOthers)
        state.droppedMessages = 0
        state.droppedOthers = 0
      }
      if state.entries.isEmpty && !state.hasOverflow { signal.clear() }
      return state.current.map { UnsafePointer($0.head) }
    }
  }

  /// The source's item changed: commands for another are pointless now.
  func dropCommands(of source: HandleToken, exceptFor item: ItemID?) {
    remove { entry in
      guard entry.source == source, case .command(let commanded) = entry.kind else { return false }
      return commanded != item
    }
  }

  /// The source was destroyed: its user pointer may be gone.
  func dropAll(of source: HandleToken) { remove { $0.source == source } }

  private func remove(where unwanted: (Entry) -> Bool) {
    state.withLock { state in
      state.entries.removeAll { entry in
        guard unwanted(entry) else { return false }
        return true
      }
      state.recount()
      if state.entries.isEmpty && !state.hasOverflow { signal.clear() }
    }
  }
}

extension EventQueue.Entry {
  fileprivate var isCommand: Bool {
    if case .command = kind { return true }
    return false
  }
}

extension EventQueue.State {
  fileprivate var hasOverflow: Bool { droppedMessages > 0 || droppedOthers > 0 }

  fileprivate mutating func forget(_ entry: EventQueue.Entry) {
    switch entry.kind {
    case .message:
      messages -= 1
      messageBytes -= entry.payload.arena.used
    case .other: others -= 1
    case .state, .command, .kept: break
    }
  }

  fileprivate mutating func recount() {
    messages = 0
    messageBytes = 0
    others = 0
    for entry in entries {
      if entry.kind == .message {
        messages += 1
        messageBytes += entry.payload.arena.used
      } else if entry.kind == .other {
        others += 1
      }
    }
  }
}
