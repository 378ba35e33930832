import UnisonoCore

/// One generation of a random content key. No invite leads to it; a member hands it to a newcomer.
public struct Epoch: Equatable, Sendable {
  /// A member whose generation lies further ahead is not followed: ask for a welcome.
  public static let greatestJump: UInt32 = 64

  /// The same in all generations.
  public let id: EpochID
  public let generation: UInt32
  /// C[generation]. Overwritten when the last copy of this value is let go.
  public let chain: Secret

  /// Begins an epoch: generation 0 of `chain`, 32 fresh random bytes.
  public init(first chain: Secret, in scope: Scope) {
    let id = EpochID(bytes: Array(chain.expand(.epochID, scope.bytes).bytes.prefix(8)))
    self.init(id: id ?? .none, generation: 0, chain: chain)
  }

  /// A generation as a welcome tells it.
  public init(id: EpochID, generation: UInt32, chain: Secret) {
    self.id = id
    self.generation = generation
    self.chain = chain
  }

  /// C[g+1], from which C[g] cannot be computed; nil at the end of the counter.
  public func advanced() -> Epoch? {
    let (next, overflow) = generation.addingReportingOverflow(1)
    return overflow ? nil : Epoch(id: id, generation: next, chain: chain.expand(.next))
  }

  /// The generation numbered `target`; nil if it lies behind, or over `steps` ahead. A step costs one keyed hash.
  public func advanced(to target: UInt32, atMost steps: UInt32 = Epoch.greatestJump) -> Epoch? {
    guard target >= generation, target - generation <= steps else { return nil }
    var epoch = self
    while epoch.generation < target, let next = epoch.advanced() { epoch = next }
    return epoch
  }
}
