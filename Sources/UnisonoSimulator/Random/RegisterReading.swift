import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// All registers of a participant, read as a newcomer would: by asking a copy of its coordination for a snapshot.
struct RegisterReading {
  private var statements: [RegisterKey: Statement] = [:]

  /// Nobody's id. Somebody who returns is not told everything by one who is apart.
  private static let newcomer = ParticipantID(high: .max, low: .max)

  init(of participant: Participant, in room: SimulatedSession) {
    var copy = participant.coordination
    let host = participant.clock.host(at: room.now)
    let effects = copy.handle(.message(.want([]), from: Self.newcomer), now: host) + copy.settle(now: host)
    for case .send(.snapshot(let snapshot?), _) in effects {
      for statement in snapshot { statements[statement.key] = statement }
    }
    // A continuation of cells that are no longer in force is of no interest to anybody.
    for (key, statement) in statements {
      if case .continuation = key, copy.isStale(statement) { statements[key] = nil }
    }
  }

  private func cellKey(_ key: RegisterKey) -> CellKey? {
    guard let statement = statements[key] else { return nil }
    switch statement.value {
    case .rate(let value):
      return CellKey(policy: statement.policy, rank: value.rank, stamp: value.original ?? statement.stamp)
    case .position(let value):
      return CellKey(policy: statement.policy, rank: value.rank, stamp: value.original ?? statement.stamp)
    default: return nil
    }
  }

  var count: Int { statements.count }

  /// What a participant says of its copy.
  func copy(of id: ParticipantID) -> StatedCopy? {
    guard case .participant(let value)? = statements[.participant(id)]?.value else { return nil }
    return value.copy
  }

  /// What an item's two cells command, whatever the library made of it; nil: it has no state.
  func cells(of item: ItemID) -> (rate: Double, at: ItemTime, isEnded: Bool)? {
    guard case .rate(let rate)? = statements[.rate(item)]?.value,
      case .position(let position)? = statements[.position(item)]?.value
    else {
      return nil
    }
    let at = rate.basePosition?.command == cellKey(.position(item))?.command ? rate.at : position.position
    guard case .continuation(let value)? = statements[.continuation(item)]?.value, case .ended = value.kind else {
      return (rate.rate, at, false)
    }
    return (rate.rate, at, true)
  }

  /// Where an item is held, or went on from; nil: it has no state.
  func place(on item: ItemID) -> ItemTime? {
    guard case .continuation(let value)? = statements[.continuation(item)]?.value else { return cells(of: item)?.at }
    switch value.kind {
    case .line(_, _, let at, _): return at ?? cells(of: item)?.at
    case .hold(let at, _), .skip(_, let at, _), .ended(let at): return at
    }
  }

  /// Until when those who are not at the end of a range that is left out are waited for; nil: none is being left out.
  func skipDeadline(on item: ItemID) -> GroupTime? {
    guard case .continuation(let value)? = statements[.continuation(item)]?.value, case .skip(_, _, let deadline) = value.kind else {
      return nil
    }
    return deadline
  }

  /// An item's two commands; nil: it has no state.
  func pair(of item: ItemID) -> Pair? {
    guard let rate = cellKey(.rate(item)), let position = cellKey(.position(item)) else { return nil }
    return Pair(rate: rate, position: position)
  }

  /// How many steps the library has made of an item's two commands: starts and holds.
  func step(on item: ItemID) -> UInt32 {
    guard case .continuation(let value)? = statements[.continuation(item)]?.value else { return 0 }
    return value.sequence
  }

  /// The newer one of an item's two commands is the position.
  func endsInSeek(on item: ItemID) -> Bool {
    guard let position = commandStamp(of: .position(item)) else { return false }
    return commandStamp(of: .rate(item)).map { $0 < position } ?? true
  }

  /// The stamp of the command that a cell holds; nil: it holds a proposal or nothing.
  func commandStamp(of key: RegisterKey) -> Stamp? {
    guard let cell = cellKey(key), cell.rank == .command else { return nil }
    return cell.stamp
  }

  func differences(from other: Self) -> [RegisterKey] {
    let keys = Set(statements.keys).union(other.statements.keys)
    return keys.filter { key in
      let mine = statements[key]
      let theirs = other.statements[key]
      if let mine = settled(mine), let theirs = settled(theirs) { return mine != theirs }
      return mine?.stamp != theirs?.stamp || mine?.value != theirs?.value
    }.sorted { "\($0)" < "\($1)" }
  }

  /// A participant's value without what its player keeps reporting, which may just be on its way.
  private func settled(_ statement: Statement?) -> ParticipantValue? {
    guard case .participant(var value)? = statement?.value else { return nil }
    value.rate = 0
    value.position = nil
    value.positionAt = nil
    return value
  }

  func describe(_ key: RegisterKey) -> String {
    guard let statement = statements[key] else { return "nothing" }
    return "\(statement.value) of \(statement.author) at \(statement.time)"
  }
}
