import UnisonoBase

/// One generation of a random content key. No invite leads to it; a member hands it to a newcomer.
package struct Epoch: Equatable, Sendable {
  /// A member whose generation lies further ahead is not followed: ask for a welcome.
  package static let greatestJump: UInt32 = 64

  /// The same in all generations.
  package let id: EpochID
  package let generation: UInt32
  /// C[generation]. Overwritten when the last copy of this value is let go.
  package let chain: Secret

  /// Begins an epoch: generation 0 of `chain`, 32 fresh random bytes.
  package init(first chain: Secret, in scope: Scope) {
    let id = EpochID(bytes: Array(chain.expand(.epochID, scope.bytes).bytes.prefix(8)))
    self.init(id: id ?? .none, generation: 0, chain: chain)
  }

  /// A generation as a welcome tells it.
  package init(id: EpochID, generation: UInt32, chain: Secret) {
    self.id = id
    self.generation = generation
    self.chain = chain
  }

  /// C[g+1], from which C[g] cannot be computed; nil at the end of the counter.
  package func advanced() -> Epoch? {
    let (next, overflow) = generation.addingReportingOverflow(1)
    return overflow ? nil : Epoch(id: id, generation: next, chain: chain.expand(.next))
  }

  /// The generation numbered `target`; nil if it lies behind, or over `steps` ahead. A step costs one keyed hash.
  package func advanced(to target: UInt32, atMost steps: UInt32 = Epoch.greatestJump) -> Epoch? {
    guard target >= generation, target - generation <= steps else { return nil }
    var epoch = self
    while epoch.generation < target, let next = epoch.advanced() { epoch = next }
    return epoch
  }
}
