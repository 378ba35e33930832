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
  private struct Gap: Sendable {
    var since: HostTime
    var isTold = false
  }

  private var reports: [ParticipantID: Report] = [:]
  private var unheard: [ParticipantID: Gap] = [:]
  private var deaf: [ParticipantID: Gap] = [:]

  mutating func forget(_ id: ParticipantID) {
    reports[id] = nil
    unheard[id] = nil
    deaf[id] = nil
  }

  // MARK: Out and in

  /// A bit for each place of the roster, the first in the lowest bit: read within `Parameters.heardLately`.
  func bits(_ facts: borrowing Facts) -> [UInt8] {
    var bits = [UInt8](repeating: 0, count: Self.length(of: facts.readers.count))
    for (place, id) in facts.readers.enumerated() where facts.isRead(id) { bits[place / 8] |= 1 << UInt8(place % 8) }
    return bits
  }

  /// Takes in whom another one hears. Bits for another roster than the own one say nothing here.
  mutating func receive(_ heard: [UInt8], from sender: ParticipantID, _ facts: borrowing Facts) {
    let count = facts.readers.count
    guard !heard.isEmpty, heard.count == Self.length(of: count), facts.readers.contains(sender) else {
      reports[sender] = nil
      return
    }
    // Beyond the last place nobody can be heard.
    if count % 8 != 0, let last = heard.last, last >> UInt8(count % 8) != 0 {
      reports[sender] = nil
      return
    }
    reports[sender] = Report(heard: heard, at: facts.now)
  }

  private static func length(of count: Int) -> Int { (count + 7) / 8 }

  private static func hears(_ report: Report, _ place: Int) -> Bool {
    place / 8 < report.heard.count && report.heard[place / 8] >> UInt8(place % 8) & 1 == 1
  }

  // MARK: Judging

  /// Judges by what was said until now. What is worth telling, once each.
  mutating func judge(_ facts: borrowing Facts) -> [Intent] {
    let now = facts.now
    let readers = Set(facts.readers)
    reports = reports.filter { now.subtracting($0.value.at) <= Parameters.heardLately && readers.contains($0.key) }
    var intents: [Intent] = []
    var (isUnheard, isDeaf): (Set<ParticipantID>, Set<ParticipantID>) = ([], [])
    let ownPlace = facts.readers.firstIndex(of: facts.local)
    let witnesses = reports.filter { facts.isRead($0.key) }
    let audible = facts.readers.count { $0 != facts.local && facts.isRead($0) }
    for (place, id) in facts.readers.enumerated() where id != facts.local && !facts.hasGone(id) {
      if facts.isRead(id) {
        guard let ownPlace, let report = witnesses[id], !Self.hears(report, ownPlace) else { continue }
        let others = facts.readers.enumerated().filter { $0.element != id && $0.element != facts.local && facts.isRead($0.element) }
        let heard = others.count { Self.hears(report, $0.offset) }
        guard heard >= min(2, max(1, others.count)) else { continue }
        isDeaf.insert(id)
        intents += Self.tell(&deaf, id, newest: report.at, facts) { "\(facts.called(id)) hears others, but not this participant" }
      } else {
        let times = witnesses.filter { $0.key != id && Self.hears($0.value, place) }.map { $0.value.at }.sorted(by: >)
        // The only other one needs no second.
        let needed = audible > 1 ? 2 : 1
        guard times.count >= needed else { continue }
        isUnheard.insert(id)
        intents += Self.tell(&unheard, id, newest: times[needed - 1], facts) {
          "others hear \(facts.called(id)), but this participant does not"
        }
      }
    }
    intents += Self.end(&unheard, except: isUnheard) { "\(facts.called($0)) is heard here again, or by nobody any more" }
    intents += Self.end(&deaf, except: isDeaf) { "\(facts.called($0)) hears this participant again, or nobody any more" }
    return intents
  }

  /// `newest`: until when others said so. Who went is heard for a while yet in what they said before.
  private static func tell(
    _ gaps: inout [ParticipantID: Gap], _ id: ParticipantID, newest: HostTime, _ facts: borrowing Facts, _ text: () -> String
  ) -> [Intent] {
    var gap = gaps[id] ?? Gap(since: facts.now)
    defer { gaps[id] = gap }
    guard !gap.isTold, newest.subtracting(gap.since) >= Parameters.unheard else { return [] }
    gap.isTold = true
    let seconds = facts.now.subtracting(gap.since) / .seconds(1)
    return [.log(.warning, "\(text()), for \(seconds) s: the hub may keep them apart")]
  }

  private static func end(
    _ gaps: inout [ParticipantID: Gap], except found: Set<ParticipantID>, _ text: (ParticipantID) -> String
  ) -> [Intent] {
    var intents: [Intent] = []
    for id in gaps.keys.sorted() where !found.contains(id) {
      if gaps[id]?.isTold == true { intents.append(.log(.info, text(id))) }
      gaps[id] = nil
    }
    return intents
  }
}

extension Facts {
  /// It was read lately; the own id always.
  func isRead(_ id: ParticipantID) -> Bool {
    id == local || presence.hasSpoken(id) && presence.isHeard(id, within: Parameters.heardLately, now: now)
  }

  /// It said goodbye, or may not be here.
  fileprivate func hasGone(_ id: ParticipantID) -> Bool { presence.entries[id]?.left ?? false || policies.isRemoved(id) }

  fileprivate func called(_ id: ParticipantID) -> String {
    let name = registers.participant(id)?.displayName ?? ""
    return name.isEmpty ? "participant \(id)" : "\(name) (\(id))"
  }
}
