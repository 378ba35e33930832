import UnisonoBase
import UnisonoReplica

/// Who hears whom, by what heartbeats say of it: whether a hub hides somebody from this participant, or this one from somebody
/// (wire 8.9). What one says of others counts only if a second one says it too, unless there is no second one.
struct Hearing: Sendable {
  /// What somebody's newest heartbeat says.
  private struct Report: Sendable {
    /// Bits by place on the roster.
    var heard: [UInt8]
    var at: HostTime
  }

  /// A participant that others hear and this one does not, or that hears others and not this one.
  fileprivate struct Gap: Sendable {
    var since: HostTime
    /// For so long that the host is to know.
    var isDue = false
    var isTold = false
  }

  private var reports: [ParticipantID: Report] = [:]
  /// Host times at which the newest heartbeats that were read here were sent, where that is known.
  private var sent: [ParticipantID: HostTime] = [:]
  private var unheard: [ParticipantID: Gap] = [:]
  private var deaf: [ParticipantID: Gap] = [:]
  /// Gaps that are not told one by one: how many the log spoke of last.
  private var untold = 0

  /// What the host was told of is kept until it is told that it is over.
  mutating func forget(_ id: ParticipantID) {
    reports[id] = nil
    sent[id] = nil
    if unheard[id]?.isTold == false { unheard[id] = nil }
    if deaf[id]?.isTold == false { deaf[id] = nil }
  }

  // MARK: Out and in

  /// Whom this participant read within `Parameters.heardLately`, but for those whose last heartbeat was on its way for as long, or lay
  /// before a machine that stood still: they may have died since.
  func bits(_ facts: borrowing Facts) -> [UInt8] {
    var read: Set<ParticipantID> = []
    for id in facts.readers where facts.isRead(id) {
      if let sent = sent[id], facts.now.subtracting(sent) > Parameters.heardLately { continue }
      read.insert(id)
    }
    return HearingBits.make(facts.readers) { read.contains($0) }
  }

  /// Takes in whom another one hears, and when it said so. Bits that do not fit the own roster say nothing here.
  mutating func receive(_ beat: Beat, from sender: ParticipantID, _ facts: borrowing Facts) {
    let heard = beat.heard
    sent[sender] = beat.timing.flatMap { Self.sent($0, facts) }
    guard HearingBits.fit(heard, count: facts.readers.count), facts.readers.contains(sender) else {
      reports[sender] = nil
      return
    }
    reports[sender] = Report(heard: heard, at: facts.now)
  }

  /// nil: it is not known, or so far off that the sender's clock is another one.
  private static func sent(_ timing: Beat.Timing, _ facts: borrowing Facts) -> HostTime? {
    guard facts.clock.isKnown else { return nil }
    let time = facts.clock.host(at: timing.sent)
    return facts.now.subtracting(time).absolute <= Parameters.longestWay ? time : nil
  }

  // MARK: Judging

  /// Judges by what was said until now. What is worth telling, once each.
  mutating func judge(_ facts: borrowing Facts) -> [Intent] {
    let now = facts.now
    let readers = Set(facts.readers)
    reports = reports.filter { now.subtracting($0.value.at) <= Parameters.heardLately && readers.contains($0.key) }
    var (isUnheard, isDeaf): (Set<ParticipantID>, Set<ParticipantID>) = ([], [])
    let ownPlace = facts.readers.firstIndex(of: facts.local)
    let witnesses = reports.filter { facts.isRead($0.key) }
    let audible = facts.readers.count { $0 != facts.local && facts.isRead($0) }
    for (place, id) in facts.readers.enumerated() where id != facts.local && !facts.hasGone(id) {
      if facts.isRead(id) {
        guard let ownPlace, let report = witnesses[id], !HearingBits.has(report.heard, ownPlace) else { continue }
        // Who hears nobody at all is cut off, and not kept from this one.
        let hearsOthers = facts.readers.enumerated().contains { place, other in
          other != id && other != facts.local && facts.isRead(other) && HearingBits.has(report.heard, place)
        }
        guard hearsOthers else { continue }
        isDeaf.insert(id)
        deaf[id] = Self.gap(deaf[id], newest: report.at, facts)
      } else {
        let times = witnesses.filter { $0.key != id && HearingBits.has($0.value.heard, place) }.map { $0.value.at }.sorted(by: >)
        // The only other one needs no second.
        let needed = audible > 1 ? 2 : 1
        guard times.count >= needed else { continue }
        isUnheard.insert(id)
        unheard[id] = Self.gap(unheard[id], newest: times[needed - 1], facts)
      }
    }
    let ended = Self.end(&unheard, .unheard, except: isUnheard) + Self.end(&deaf, .deaf, except: isDeaf)
    return ended + Self.tell(&unheard, .unheard) + Self.tell(&deaf, .deaf) + tellOfMany()
  }

  /// `newest`: until when others said so. Who went is heard for a while yet in what they said before.
  private static func gap(_ known: Gap?, newest: HostTime, _ facts: borrowing Facts) -> Gap {
    var gap = known ?? Gap(since: facts.now)
    // Whoever went right after this one began to listen had yet to say something.
    let patience = Parameters.unheard.adding(facts.heartbeatInterval * 6 / 5)
    gap.isDue = newest.subtracting(gap.since) >= patience
    return gap
  }

  /// Two members could say of everybody who was ever here that they hear it: of so many at once the host is told.
  private static func tell(_ gaps: inout [ParticipantID: Gap], _ kind: SplitChange.Kind) -> [Intent] {
    var told = gaps.values.count { $0.isTold }
    var intents: [Intent] = []
    for id in gaps.keys.sorted() where told < Parameters.splitsTold {
      guard let gap = gaps[id], gap.isDue, !gap.isTold else { continue }
      gaps[id]?.isTold = true
      told += 1
      intents.append(.split(id, kind, gap, isOver: false))
    }
    return intents
  }

  private static func end(
    _ gaps: inout [ParticipantID: Gap], _ kind: SplitChange.Kind, except found: Set<ParticipantID>
  ) -> [Intent] {
    var intents: [Intent] = []
    for id in gaps.keys.sorted() where !found.contains(id) {
      if let gap = gaps.removeValue(forKey: id), gap.isTold { intents.append(.split(id, kind, gap, isOver: true)) }
    }
    return intents
  }

  /// Of those beyond the limit the log has the number, whenever it rises.
  private mutating func tellOfMany() -> [Intent] {
    let count = [unheard, deaf].reduce(0) { $0 + $1.values.count { $0.isDue && !$0.isTold } }
    defer { untold = count }
    return count > untold ? [.log(.warning, "\(count) more do not hear this participant, or are not heard here")] : []
  }
}

extension Intent {
  fileprivate static func split(_ id: ParticipantID, _ kind: SplitChange.Kind, _ gap: Hearing.Gap, isOver: Bool) -> Intent {
    .notify(.session(.split(SplitChange(participant: id, kind: kind, since: gap.since, isOver: isOver))))
  }
}

extension Facts {
  /// It was read lately; the own id always.
  func isRead(_ id: ParticipantID) -> Bool {
    id == local || presence.entries[id].map { $0.hasSpoken && $0.isHeard(within: Parameters.heardLately, now: now) } ?? false
  }

  /// It said goodbye, or may not be here.
  fileprivate func hasGone(_ id: ParticipantID) -> Bool { presence.entries[id]?.left ?? false || policies.isRemoved(id) }
}
