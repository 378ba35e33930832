import CUnisono
import Synchronization

/// What happens at one source, from the moment it was asked for. Each has a buffer of its own, so any number of tasks may iterate,
/// each over a sequence that it asked for itself. It ends with its source, or when the task that iterates is cancelled.
///
/// A reader that does not keep up loses what happens while 1,024 are unread; it is told how many (`Element.overflow`) at the place
/// where they are missing. What is so now is read from the source itself.
public struct Events<Element: LossyEvent>: AsyncSequence, Sendable {
  public typealias Failure = Never
  let inbox: Inbox<Element>

  public struct Iterator: AsyncIteratorProtocol {
    let inbox: Inbox<Element>
    public mutating func next() async -> Element? { await inbox.next() }
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? { await inbox.next() }
  }

  public func makeAsyncIterator() -> Iterator { Iterator(inbox: inbox) }
}

/// An event that can stand for others that were lost.
public protocol LossyEvent: Sendable {
  static func overflow(_ count: Int) -> Self
}

/// The unread events of one reader.
final class Inbox<Element: LossyEvent>: Sendable {
  static var limit: Int { 1024 }

  private struct State {
    var unread: [Element] = []
    var read = 0  // of `unread`, which is compacted now and then
    var lost = 0  // after the last of `unread`
    var isOver = false
    var waiter: CheckedContinuation<Element?, Never>?

    mutating func first() -> Element? {
      guard read < unread.count else {
        (unread, read) = ([], 0)
        guard lost > 0 else { return nil }
        defer { lost = 0 }
        return .overflow(lost)
      }
      defer {
        read += 1
        if read == Inbox.limit {
          unread.removeFirst(read)
          read = 0
        }
      }
      return unread[read]
    }

    mutating func put(_ event: Element) {
      guard unread.count - read < Inbox.limit else { return lost += 1 }
      if lost > 0 {
        unread.append(.overflow(lost))
        lost = 0
      }
      unread.append(event)
    }
  }

  private let state = Mutex(State())

  func put(_ event: Element) {
    let waiter = state.withLock { state -> CheckedContinuation<Element?, Never>? in
      guard !state.isOver else { return nil }
      defer { state.waiter = nil }
      if state.waiter == nil { state.put(event) }
      return state.waiter
    }
    waiter?.resume(returning: event)
  }

  /// No more come; those unread can still be read.
  func finish() {
    let waiter = state.withLock { state in
      defer { state.waiter = nil }
      state.isOver = true
      return state.waiter
    }
    waiter?.resume(returning: nil)
  }

  /// nil when it is over, or the task was cancelled.
  func next() async -> Element? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Element?? = state.withLock { state in
          if Task.isCancelled { return .some(nil) }
          if let first = state.first() { return first }
          if state.isOver { return .some(nil) }
          precondition(state.waiter == nil, "two tasks iterate one sequence of events; ask for one each")
          state.waiter = continuation
          return .none
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume(returning: nil)
    }
  }
}

/// All readers of one source.
final class Broadcast<Element: LossyEvent>: Sendable {
  private struct Reader { weak var inbox: Inbox<Element>? }
  private struct State {
    var readers: [Reader] = []
    var isOver = false
  }

  private let state = Mutex(State())

  func events() -> Events<Element> {
    let inbox = Inbox<Element>()
    let isOver = state.withLock { state in
      if !state.isOver { state.readers.append(Reader(inbox: inbox)) }
      return state.isOver
    }
    if isOver { inbox.finish() }
    return Events(inbox: inbox)
  }

  func put(_ event: Element) {
    for inbox in inboxes() { inbox.put(event) }
  }

  func finish() {
    let inboxes = inboxes()
    state.withLock { state in (state.readers, state.isOver) = ([], true) }
    for inbox in inboxes { inbox.finish() }
  }

  /// Who has gone is forgotten.
  private func inboxes() -> [Inbox<Element>] {
    state.withLock { state in
      let inboxes = state.readers.compactMap(\.inbox)
      if inboxes.count < state.readers.count { state.readers.removeAll { $0.inbox == nil } }
      return inboxes
    }
  }
}

/// Broadcasts what the context's thread delivers.
final class Listeners<Element: LossyEvent>: EventTarget {
  let broadcast = Broadcast<Element>()
  private let read: @Sendable (UnsafePointer<unisono_context_event>) -> Element?

  init(_ read: @escaping @Sendable (UnsafePointer<unisono_context_event>) -> Element?) { self.read = read }

  func deliver(_ event: UnsafePointer<unisono_context_event>) {
    if let event = read(event) { broadcast.put(event) }
  }

  func finish() { broadcast.finish() }
}
