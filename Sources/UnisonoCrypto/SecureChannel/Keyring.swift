import UnisonoBase

/// Generations of one epoch's content key that are kept: the one to speak in, and those that others use (wire 6.1).
struct Keyring: Sendable {
  /// An older generation is erased so long after a newer one was adopted, or after somebody was read in it.
  static let lifetime = Nanoseconds.seconds(30)
  static let advanceInterval = Nanoseconds.seconds(5)
  static let greatestAge = Nanoseconds.seconds(600)
  /// Between a generation that is handed over and ours no more are derived: nearly three hours of newcomers without a pause, or
  /// two weeks of talk without any.
  static let welcomeSteps: UInt32 = 2_048
  /// More than others can make of it within `lifetime`.
  private static let most = 256

  private(set) var newest: Epoch
  /// Former newest generations, and those that others use far from it, with the time at which they are erased. Up to `greatestJump`
  /// that follow are derived from each.
  private var kept: [(epoch: Epoch, until: HostTime)] = []
  private(set) var adopted: HostTime
  /// Time from which on the newest generation is in use; nil: since the key was drawn.
  private var fresh: HostTime?
  private var pace = GenerationPace()

  /// - Parameter isWelcome: a member handed it over, and advanced for it; else it was drawn.
  init(_ epoch: Epoch, isWelcome: Bool = false, now: HostTime) {
    newest = epoch
    adopted = now
    fresh = isWelcome ? now : nil
  }

  var id: EpochID { newest.id }

  /// The generation an envelope names; nil: erased, or too far.
  func epoch(_ generation: UInt32) -> Epoch? {
    var nearest = generation >= newest.generation ? newest : nil
    for (epoch, _) in kept
    where epoch.generation <= generation && nearest.map({ $0.generation < epoch.generation }) ?? true {
      nearest = epoch
    }
    return nearest?.advanced(to: generation)
  }

  /// Relation of a generation that a member handed over to those that are kept.
  enum Handed: Equatable {
    /// One that we have.
    case known
    /// It follows from ours, or ours from it.
    case ahead, behind
    case tooFar
    /// A key that ours has nothing to do with.
    case foreign
  }

  /// Costs `welcomeSteps` hashes at most.
  func judge(_ handed: Epoch) -> Handed {
    if handed.generation <= newest.generation, let own = epoch(handed.generation) {
      return own.chain == handed.chain ? .known : .foreign
    }
    let isAhead = handed.generation > newest.generation
    let (first, last) = isAhead ? (newest, handed) : (handed, newest)
    guard let derived = first.advanced(to: last.generation, atMost: Self.welcomeSteps) else { return .tooFar }
    guard derived.chain == last.chain else { return .foreign }
    return isAhead ? .ahead : .behind
  }

  /// Keeps a generation that was judged, as others speak in it.
  mutating func keepReadable(_ handed: Epoch, now: HostTime) { keep(handed, now: now) }

  /// Speaks in a later generation that was judged, as nobody is with us in ours.
  mutating func advance(to handed: Epoch, now: HostTime) {
    guard handed.generation > newest.generation else { return }
    adopt(handed, now: now)
  }

  /// Follows a member that was read in a later generation.
  mutating func follow(_ epoch: Epoch, now: HostTime) -> GenerationPace.Verdict {
    guard epoch.id == id, epoch.generation > newest.generation else {
      // Who is on its way to ours goes on from there.
      if !kept.contains(where: { $0.epoch.generation == epoch.generation }), epoch.generation < newest.generation {
        keep(epoch, now: now)
      }
      return .all
    }
    let ahead = epoch.generation - newest.generation
    let (steps, verdict) = pace.admit(ahead, now: now)
    if steps == ahead {
      adopt(epoch, now: now)
    } else if steps > 0, let step = newest.advanced(to: newest.generation + steps) {
      adopt(step, now: now)
    }
    return verdict
  }

  private mutating func adopt(_ epoch: Epoch, now: HostTime) {
    // In use by whoever has not heard of the new one yet.
    keep(newest, now: now)
    newest = epoch
    adopted = now
    fresh = now
  }

  private mutating func keep(_ epoch: Epoch, now: HostTime) {
    kept.removeAll { $0.until <= now }
    kept = [(epoch, now.adding(Self.lifetime))] + kept.prefix(Self.most - 1)
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

  mutating func erase(now: HostTime) { kept.removeAll { $0.until <= now } }

  var nextErasure: HostTime? { kept.map(\.until).min() }
}
