import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoWire

/// Policies in and out: levels are believed only by their authors' signatures (wire 8).
extension SecureChannel {
  /// Sets the policy in force: newcomers are handed it, and participants whom it removed are ignored.
  package mutating func setPolicy(_ stack: PolicyStack) { setPolicy(levels: stack.levels) }

  mutating func setPolicy(levels: [PolicyLevel]) {
    self.levels = levels
    removed = levels.last?.terms.removed ?? []
    speaking.learned()
  }

  /// Whether the policy in force put a participant out.
  package func isRemoved(_ id: ParticipantID) -> Bool { removed.contains(id) }

  mutating func receiveLevels(_ bytes: [[UInt8]], from sender: ParticipantID, now: HostTime) -> [ChannelEffect] {
    let (proven, effects) = proven(bytes, from: sender, now: now)
    return proven.isEmpty ? effects : effects + [.deliver(.levels(proven), from: sender)]
  }

  /// Levels that their authors signed, and effects of those that are not. Relaying a level includes introducing its author.
  mutating func proven(_ bytes: [[UInt8]], from sender: ParticipantID, now: HostTime) -> ([PolicyLevel], [ChannelEffect]) {
    var proven: [PolicyLevel] = []
    var effects: [ChannelEffect] = []
    for one in bytes {
      guard let level = try? PolicyLevel(reading: one, hash: Hash.sha256) else {
        effects += refuse(sender, .malformed, now: now)
        continue
      }
      guard let author = introductions[level.author] else {
        effects += refuse(sender, .unknownSender, now: now)
        continue
      }
      guard PolicySignature.verifies(level, session: door.scope.session, author: author.signingKey) else {
        effects += refuse(sender, .signature, now: now)
        continue
      }
      proven.append(level)
    }
    return (proven, effects)
  }

  /// Levels in messages that each fit, with the introductions of their authors.
  mutating func send(_ levels: [PolicyLevel], to: [ParticipantID]?, now: HostTime) -> [ChannelEffect] {
    var effects: [ChannelEffect] = []
    var rest = levels[...]
    while !rest.isEmpty {
      var part: [PolicyLevel] = []
      var size = 0
      while let next = rest.first, part.isEmpty || size + next.bytes.count <= Self.levelPartSize {
        part.append(rest.removeFirst())
        size += next.bytes.count
      }
      let intros = Set(part.map { $0.author }).subtracting([local]).sorted().compactMap { introductions[$0]?.bytes }
      effects += send(.update(statements: [], intros: intros, levels: part.map { $0.bytes }), to: to, now: now)
    }
    return effects
  }

  private static let levelPartSize = 160_000
}
