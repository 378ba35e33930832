import UnisonoBase
import UnisonoCoordination

/// What is measured of a run rather than demanded.
extension SimulatedSession {
  /// Records how many can hear each other now.
  func recordConnectedGroup() {
    let largest =
      hubs.map { hub in hub.members.values.count { hub.carries($0.connection) } }.max() ?? 0
    if connectedGroups.last?.value != largest { connectedGroups.append(Dated(at: now, value: largest)) }
    recordConnectedGroups()
  }

  /// The least that the largest connected group was in a span of true time.
  func leastConnectedGroup(of coordinator: CoordinatorName? = nil, during span: ClosedRange<Nanoseconds>) -> Int {
    let connectedGroups = coordinator.map { coordinators[$0]?.connectedGroups ?? [] } ?? self.connectedGroups
    let before = connectedGroups.last { $0.at <= span.lowerBound }?.value ?? 0
    return connectedGroups.filter { span.contains($0.at) }.map { $0.value }.reduce(before, min)
  }

  /// The largest distance between two players of one item that play in the group's time, ns; nil: no two do. What output
  /// offsets are for is taken off, and what another cut is ahead; who cannot be everywhere in its item is left out.
  var skew: Nanoseconds? {
    var positions: [ItemID: [ItemTime]] = [:]
    for participant in participants where participant.isRunning {
      guard let item = participant.player.item else { continue }
      let view = participant.read { $0.view }
      let player = player(of: participant)
      guard view.timing.status == .playing, view.suspensionReasons.isEmpty, player.rate == view.timing.line.rate,
        participant.player.commands.last?.completedAt != nil, participant.player.reach == nil
      else {
        continue
      }
      let own = player.position - view.timing.outputOffset.scaled(by: player.rate)
      positions[item, default: []].append(participant.read { $0.sharedTime(of: own, in: view.item) })
    }
    return positions.values.filter { $0.count > 1 }.map { ($0.max() ?? 0) - ($0.min() ?? 0) }.max()
  }
}
