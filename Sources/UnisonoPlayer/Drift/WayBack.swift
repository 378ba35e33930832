import UnisonoBase
import UnisonoCoordination

/// The shorter way back to the group: a changed speed, or a seek.
///
/// Either is right as long as it brings the player to within a film frame soon. Beyond what a nudge mends in that time the renderer
/// does what is over first: one that seeks for long, or that lands anywhere, is nudged for longer.
struct WayBack: Sendable {
  /// Greatest change of speed that the renderer does, parts of 1; 0: none.
  let nudgeLimit: Double
  /// Learnt cost of a seek, ns.
  let seekCost: Nanoseconds
  /// How far from its aim it is expected to land, ns.
  let seekMiss: Nanoseconds

  /// Distance that is left to nudges, ns.
  var tolerance: Nanoseconds {
    let nudged = max(DriftParameters.soon, seekCost.adding(DriftParameters.judgement)).scaled(by: nudgeLimit)
    let landing = max(0, seekMiss.adding(seekMiss).subtracting(PlayerParameters.sameFrame))
    return PlayerParameters.sameFrame.adding(nudged).adding(landing)
  }
}
