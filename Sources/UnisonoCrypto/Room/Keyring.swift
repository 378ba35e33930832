import UnisonoCore

/// The generations of the content key that are kept (wire-and-security 6.1).
struct Keyring: Sendable {
  static let kept = 3
  /// After a newer generation was adopted an older one is erased.
  static let lifetime = Nanoseconds.seconds(30)
  static let advanceInterval = Nanoseconds.seconds(5)
  static let greatestAge = Nanoseconds.seconds(600)

  private(set) var newest: Epoch
  /// Older ones with the time at which they are erased, newest first.
  private var older: [(epoch: Epoch, until: HostTime)] = []
  private(set) var adopted: HostTime
  /// Since when the newest generation is in use; nil: since the key was drawn.
  private var fresh: HostTime?

  /// - Parameter isWelcome: a member handed it over, and advanced for it; else it was drawn.
  init(_ epoch: Epoch, isWelcome: Bool = false, now: HostTime) {
    newest = epoch
    adopted = now
    fresh = isWelcome ? now : nil
  }

  var id: EpochID { newest.id }

  /// The generation an envelope names: kept, or ahead and derived; nil: erased or too far.
  func epoch(_ generation: UInt32) -> Epoch? {
    if generation >= newest.generation { return newest.advanced(to: generation) }
    return older.first { $0.epoch.generation == generation }?.epoch
  }

  /// Takes over a generation that a verified frame, or a welcome, named.
  mutating func adopt(_ epoch: Epoch, now: HostTime) {
    guard epoch.id == id, epoch.generation > newest.generation else { return }
    // Those passed over are in use by whoever has not heard of this one yet.
    var passed: Epoch? = newest
    while let step = passed, step.generation < epoch.generation {
      older.insert((step, now.adding(Self.lifetime)), at: 0)
      passed = step.advanced()
    }
    older.removeAll {
      $0.until <= now || $0.epoch.generation.addingReportingOverflow(UInt32(Self.kept)).partialValue <= epoch.generation
    }
    newest = epoch
    adopted = now
    fresh = now
  }

  /// Before a welcome, at most once in `advanceInterval` whoever welcomes: a newcomer gets no key of what was said before.
  /// True: advanced.
  mutating func advanceForNewcomer(now: HostTime) -> Bool {
    if let fresh, now.subtracting(fresh) < Self.advanceInterval { return false }
    guard let next = newest.advanced() else { return false }
    adopt(next, now: now)
    return true
  }

  mutating func advanceIfOld(now: HostTime) {
    guard now.subtracting(adopted) > Self.greatestAge, let next = newest.advanced() else { return }
    adopt(next, now: now)
  }

  mutating func erase(now: HostTime) { older.removeAll { $0.until <= now } }

  var nextErasure: HostTime? { older.map(\.until).min() }
}
