import UnisonoBase
import UnisonoReplica

/// The border between the group's item time and that of the own copy, which may be another cut (coordination 2.18).
///
/// Behind it everything is the group's item time; before it, to and from the own host, everything is the own copy's. They differ by the
/// offset that this participant has stated for the entry that the group is at, while its own item is that entry's.
struct CutBorder: Sendable {
  /// What the host was told by last.
  private(set) var offset: Nanoseconds = 0
  private var item: ItemID?

  /// What the host says, in the group's item time. Its next item has another offset from the moment on that it goes there.
  mutating func inward(_ event: CoordinationEvent, _ facts: borrowing Facts) -> CoordinationEvent {
    if case .transition(let next, _) = event {
      item = next
      offset = facts.cutOffset(of: next)
    }
    guard offset != 0 else { return event }
    switch event {
    case .transition(let item, let proposal):
      guard var proposal else { return event }
      proposal.itemTime = inward(proposal.itemTime)
      return .transition(to: item, proposal: proposal)
    case .rateChange(let rate, let immediately, let from):
      return .rateChange(rate: rate, immediately: immediately, from: from.map { inward($0) })
    case .seek(let target, let immediately): return .seek(to: inward(target), resumeImmediately: immediately)
    case .endSuspension(let id, let proposing): return .endSuspension(id: id, proposing: proposing.map { inward($0) })
    case .report(var report):
      if let position = report.position {
        report.position = PlaybackReport.Position(itemTime: inward(position.itemTime), hostTime: position.hostTime)
      }
      report.range = report.range.map { inward($0.lowerBound)...inward($0.upperBound) }
      return .report(report)
    default: return event
    }
  }

  /// Takes up what was stated meanwhile. By how much later in the group's item time everything in the own copy is from now on, ns; 0: it
  /// is the same cut. Else the host is to stand elsewhere in its copy, and is told anew.
  mutating func follow(_ facts: borrowing Facts) -> Nanoseconds {
    let present = facts.cutOffset(of: facts.own.item)
    defer { (item, offset) = (facts.own.item, present) }
    return item == facts.own.item ? offset.subtracting(present) : 0
  }

  /// What the host is told, in the item time of its own copy.
  func outward(_ effects: [CoordinationEffect]) -> [CoordinationEffect] {
    guard offset != 0 else { return effects }
    return effects.map { effect in
      switch effect {
      case .playback(.command(var command)):
        command.itemTime = outward(command.itemTime)
        return .playback(.command(command))
      case .playback(.timingChanged(var change)):
        if change.item == item { change.itemTime = outward(change.itemTime) }
        return .playback(.timingChanged(change))
      case .session(.participantsChanged(var change)):
        change.joined = outward(change.joined)
        change.updated = outward(change.updated)
        change.left = outward(change.left)
        return .session(.participantsChanged(change))
      case .session(.notice(var notice, let originator)):
        notice.itemTime = notice.itemTime.map { outward($0) }
        return .session(.notice(notice, originator: originator))
      default: return effect
      }
    }
  }

  func outward(_ view: CoordinationView) -> CoordinationView {
    guard offset != 0 else { return view }
    var view = view
    view.timing.line.at = outward(view.timing.line.at)
    view.timing.prior = view.timing.prior.map { Line(at: outward($0.at), rate: $0.rate, since: $0.since) }
    view.timing.reach = view.timing.reach.map { outward($0.lowerBound)...outward($0.upperBound) }
    view.participants = outward(view.participants)
    return view
  }

  /// In the own copy; ends of the range stay what they are, as they say that there is no end, or no time.
  func outward(_ time: ItemTime) -> ItemTime { time == .min || time == .max ? time : time.adding(offset) }

  /// In the group's item time.
  func inward(_ time: ItemTime) -> ItemTime { time == .min || time == .max ? time : time.subtracting(offset) }

  private func outward(_ participants: [ParticipantView]) -> [ParticipantView] {
    participants.map { participant in
      guard participant.item == item, let position = participant.position else { return participant }
      var participant = participant
      participant.position = PlaybackReport.Position(itemTime: outward(position.itemTime), hostTime: position.hostTime)
      return participant
    }
  }
}

extension Facts {
  /// What this participant has stated of the entry that the group is at, while that is of this item; 0: nothing.
  func cutOffset(of item: ItemID?) -> Nanoseconds { item == nil ? 0 : cutOffset(of: own, at: item) }

  /// The same of anybody.
  func cutOffset(of participant: ParticipantValue, at item: ItemID?) -> Nanoseconds {
    guard !participant.cuts.isEmpty, let entry = registers.playlistCurrent?.value.entry,
      let stated = participant.cuts.first(where: { $0.entry == entry }),
      case .playlistEntry(let value)? = registers[.playlistEntry(entry)]?.value, value.item == item
    else { return 0 }
    return stated.offset
  }
}
