import UnisonoBase

/// One ask from the asking side: what is waited for, how long, and what comes next.
package struct AskAttempt: Sendable {
  package enum Event: Equatable, Sendable {
    case connected
    /// OFFER makes sense.
    case offered
    /// GRANT came and opens.
    case granted
    /// This side's person: the digits are the same.
    case confirmed
    /// This side's person: they are not, or never mind.
    case declined
    case lost
    /// The other side does not keep the protocol.
    case broken
    /// GRANT does not open.
    case forged
    /// Time passed.
    case tick
  }

  package enum Effect: Equatable, Sendable {
    case ask
    /// Send REVEAL and show the digits.
    case compare
    case cancel
    /// Both people said yes: use the invite, or send it.
    case finish
    case fail(Failure)
  }

  package enum Failure: Equatable, Sendable {
    case unreachable
    /// Closed before anything was offered.
    case busy
    /// Nobody said yes in time, or somebody said no: it looks the same.
    case timedOut
    case canceled
    /// The other side went away before its time.
    case vanished
    case malformed
    case forged
  }

  /// For the connection, and for the answer to ASK.
  package static let introduction: Nanoseconds = .seconds(10)
  /// From OFFER; the other side closes at 60 s, and its word counts.
  package static let patience: Nanoseconds = .seconds(62)
  /// A connection that closes this long after OFFER ended because the time was over.
  static let certainly: Nanoseconds = .seconds(59)

  private enum Stage {
    case connecting
    case asked
    case comparing(since: HostTime)
    case over
  }

  private var stage = Stage.connecting
  private var isGranted = false
  private var isConfirmed = false
  /// When a tick has something to do; nil: it is over.
  package private(set) var deadline: HostTime?

  private let intent: NearbyIntent

  package init(_ intent: NearbyIntent, now: HostTime) {
    self.intent = intent
    deadline = now.adding(Self.introduction)
  }

  package var isOver: Bool {
    if case .over = stage { return true }
    return false
  }

  package mutating func handle(_ event: Event, now: HostTime) -> [Effect] {
    switch (stage, event) {
    case (.over, _): return []
    case (.connecting, .connected):
      stage = .asked
      deadline = now.adding(Self.introduction)
      return [.ask]
    case (.asked, .offered):
      stage = .comparing(since: now)
      deadline = now.adding(Self.patience)
      return [.compare]
    case (.comparing, .granted):
      isGranted = true
      return finishedIfAgreed()
    case (.comparing, .confirmed):
      isConfirmed = true
      return finishedIfAgreed()
    case (_, .confirmed): return []
    case (_, .declined):
      let mayStillCancel = !isGranted
      return end(.canceled, before: mayStillCancel ? [.cancel] : [])
    case (.connecting, .lost): return end(.unreachable)
    case (.asked, .lost): return end(.busy)
    case (.comparing(let since), .lost):
      // Granted and not confirmed yet: all that was to come is here.
      if isGranted, intent == .join { return [] }
      return end(now.subtracting(since) >= Self.certainly ? .timedOut : .vanished)
    case (_, .forged): return end(.forged)
    case (_, .tick):
      guard let deadline, deadline <= now else { return [] }
      if case .connecting = stage { return end(.unreachable) }
      return end(.timedOut)
    case (_, .connected), (_, .offered), (_, .granted), (_, .broken): return end(.malformed)
    }
  }

  private mutating func finishedIfAgreed() -> [Effect] {
    guard isGranted, isConfirmed else { return [] }
    stage = .over
    deadline = nil
    return [.finish]
  }

  private mutating func end(_ failure: Failure, before: [Effect] = []) -> [Effect] {
    stage = .over
    deadline = nil
    return before + [.fail(failure)]
  }
}
