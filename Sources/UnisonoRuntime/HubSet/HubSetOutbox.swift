import UnisonoBase
import UnisonoCrypto
import UnisonoWire

/// What a set of hubs has to do, in order, and the way out to other hubs: it seals, numbers and names subjects.
///
/// A set of one has no way out: what it would publish nobody could hear.
final class HubSetOutbox {
  enum Receiver {
    case all
    case run(HubRunID)
    /// The first of a room's subjects.
    case subject(String)
  }

  private let keys: HubSetKeys?
  private var sealer: HubSetSealer?
  private var effects: [HubSetEffect] = []
  private(set) var isConnected = false
  /// Since when there is no connection, host time.
  private(set) var disconnected: HostTime
  private(set) var published: UInt64 = 0

  init(_ options: HubSetOptions, now: HostTime) {
    keys = options.keys
    sealer = options.keys.map { HubSetSealer($0, run: options.run) }
    disconnected = now
  }

  /// There are, or may be, other hubs.
  var isOpen: Bool { keys != nil }
  var isEmpty: Bool { effects.isEmpty }

  func takeEffects() -> [HubSetEffect] {
    defer { effects = [] }
    return effects
  }

  func add(_ effect: HubSetEffect) { effects.append(effect) }

  func connect() { isConnected = true }

  func disconnect(now: HostTime) {
    if isConnected { disconnected = now }
    isConnected = false
  }

  /// Subjects of a room; none without keys.
  func subjects(of topic: [UInt8]) -> [String] { keys?.room(topic) ?? [] }

  func publish(_ message: HubSetMessage, to receiver: Receiver) {
    guard isConnected, let keys else { return }
    let subject: String
    switch receiver {
    case .all: subject = keys.hubs[0]
    case .run(let run): subject = keys.hub(run)[0]
    case .subject(let room): subject = room
    }
    guard let sealed = sealer?.seal(message.bytes, on: subject) else {
      add(.log(.warning, "a message of over \(HubSetLimits.message) bytes for other hubs is not sent"))
      return
    }
    published += 1
    add(.publish(sealed, subject: subject))
  }
}
