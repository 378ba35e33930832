import UnisonoBase
import UnisonoCoordination

/// Lines of the log about participants who come and go, each by name once.
struct ParticipantLog {
  /// Participants whose coming was logged.
  private var named: Set<ParticipantID> = []

  /// Lines of a change. A participant that is first seen may have no name yet: its line comes with a later change.
  mutating func lines(of change: ParticipantsChange) -> [String] {
    let arrived = (change.joined + change.updated).filter {
      !$0.isLocal && !$0.displayName.isEmpty && named.insert($0.id).inserted
    }
    var lines: [String] = []
    if change.isComplete, !arrived.isEmpty {
      lines.append("here: \(arrived.map(\.displayName).joined(separator: ", "))")
    } else {
      lines = arrived.map { "\($0.displayName) came" }
    }
    for participant in change.left where named.remove(participant.id) != nil {
      lines.append("\(participant.displayName) is gone")
    }
    return lines
  }
}
