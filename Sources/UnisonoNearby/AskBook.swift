import UnisonoBase

/// The asks that an advertiser has open, and the rules that keep them from pestering anybody.
///
/// A denied ask is told nothing: it stays open until its time is over, exactly like one that nobody looked at.
package struct AskBook: Sendable {
  package enum Event: Equatable, Sendable {
    case connected(UInt64, from: String)
    /// ASK made sense; OFFER leaves now, and the one timer begins.
    case asked(UInt64)
    /// REVEAL fits ASK.
    case proven(UInt64)
    case accepted(UInt64)
    case denied(UInt64)
    /// All that was to be said was said.
    case finished(UInt64)
    /// The asker cancelled, or its connection is lost.
    case gone(UInt64)
    /// What came makes no sense.
    case broken(UInt64)
    /// Time passed.
    case tick
  }

  package enum Effect: Equatable, Sendable {
    case offer(UInt64)
    /// Ask the application.
    case show(UInt64)
    /// What was shown is void.
    case withdraw(UInt64)
    case grant(UInt64)
    /// Close the connection without a word.
    case close(UInt64)
  }

  package static let openLimit = 8
  package static let openPerAddress = 1
  package static let shownLimit = 3
  /// From OFFER until the ask is over.
  package static let patience: Nanoseconds = .seconds(60)
  /// From the connection until ASK.
  package static let introduction: Nanoseconds = .seconds(10)
  /// So many that were shown in vain within the window, and nothing is shown for a while.
  package static let quietAfter = 5
  package static let quietWindow: Nanoseconds = .seconds(300)
  package static let quiet: Nanoseconds = .seconds(60)

  private enum Stage {
    case silent
    case offered
    /// The application is asked.
    case shown
    /// Denied, or never shown.
    case ignored
    case granted
  }

  private struct Ask {
    var address: String
    var stage = Stage.silent
    var until: HostTime
  }

  private var asks: [UInt64: Ask] = [:]
  /// When shown asks came to nothing.
  private var vain: [HostTime] = []
  private var quietUntil: HostTime?

  package init() {}

  /// When a tick has something to do; nil: no ask is open.
  package var deadline: HostTime? { asks.values.map { $0.until }.min() }

  package func isShown(_ id: UInt64) -> Bool { asks[id]?.stage == .shown }

  package mutating func handle(_ event: Event, now: HostTime) -> [Effect] {
    switch event {
    case .connected(let id, let address): return connect(id, address, now)
    case .asked(let id):
      guard asks[id]?.stage == .silent else { return end(id, now) }
      guard asks.values.count(where: { $0.stage == .offered || $0.stage == .shown }) < Self.shownLimit else {
        return end(id, now)
      }
      asks[id]?.stage = .offered
      asks[id]?.until = now.adding(Self.patience)
      return [.offer(id)]
    case .proven(let id):
      guard asks[id]?.stage == .offered else { return end(id, now) }
      let isQuiet = now < quietUntil ?? .min
      asks[id]?.stage = isQuiet ? .ignored : .shown
      return isQuiet ? [] : [.show(id)]
    case .accepted(let id):
      guard asks[id]?.stage == .shown else { return [] }
      asks[id]?.stage = .granted
      return [.grant(id)]
    case .denied(let id):
      guard asks[id]?.stage == .shown else { return [] }
      asks[id]?.stage = .ignored
      noteVain(now)
      return []
    case .finished(let id): return asks.removeValue(forKey: id) == nil ? [] : [.close(id)]
    case .gone(let id), .broken(let id): return end(id, now)
    case .tick:
      let over = asks.filter { $0.value.until <= now }.keys.sorted()
      return over.flatMap { end($0, now) }
    }
  }

  private mutating func connect(_ id: UInt64, _ address: String, _ now: HostTime) -> [Effect] {
    guard asks.count < Self.openLimit, asks.values.count(where: { $0.address == address }) < Self.openPerAddress else {
      return [.close(id)]
    }
    asks[id] = Ask(address: address, until: now.adding(Self.introduction))
    return []
  }

  /// Ends an ask that did not come to its end.
  private mutating func end(_ id: UInt64, _ now: HostTime) -> [Effect] {
    guard let ask = asks.removeValue(forKey: id) else { return [] }
    switch ask.stage {
    case .shown:
      // Whoever asks and cancels again and again pesters like one who waits for the denial.
      noteVain(now)
      return [.withdraw(id), .close(id)]
    case .granted: return [.withdraw(id), .close(id)]
    case .silent, .offered, .ignored: return [.close(id)]
    }
  }

  private mutating func noteVain(_ now: HostTime) {
    vain = vain.filter { $0.adding(Self.quietWindow) > now }.suffix(Self.quietAfter - 1) + [now]
    if vain.count >= Self.quietAfter { quietUntil = now.adding(Self.quiet) }
  }
}
