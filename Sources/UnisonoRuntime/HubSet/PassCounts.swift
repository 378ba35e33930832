import UnisonoBase
import UnisonoWire

/// How many rooms groups of strangers have open with their passes: at this hub, as the others are told, and at the others, as they said
/// (hubs 4.1).
///
/// A change is said in three ALIVE, and everything every 30 s and to who is new, as any may be lost. What a run did not say again for 75 s
/// is forgotten: that it is over was lost then.
struct PassCounts {
  private static let repetitions = 3
  private static let round = Nanoseconds.seconds(30)
  private static let memory = Nanoseconds.seconds(75)
  /// Groups of one run that are told, and that are counted.
  static let capacity = 8_192

  private struct Said {
    /// By serial and group.
    var groups: [UInt64: [UInt64: (rooms: Int, heard: HostTime)]] = [:]
    var count = 0
    var swept: HostTime
  }

  private var own: [PassGroup: UInt16] = [:]
  /// In how many ALIVE each is still to be said.
  private var left: [PassGroup: Int] = [:]
  /// Those, the next one first.
  private var queue: ArraySlice<PassGroup> = []
  private var nextRound: HostTime
  private var others: [HubRunID: Said] = [:]

  init(now: HostTime) { nextRound = now.adding(Self.round) }

  /// A group has so many rooms open here.
  mutating func set(_ group: PassGroup, rooms: Int) {
    let rooms = UInt16(clamping: rooms)
    guard rooms != own[group] ?? 0, own[group] != nil || own.count < Self.capacity else { return }
    own[group] = rooms == 0 ? nil : rooms
    say(group)
  }

  /// All is to be said again: somebody may not have heard it.
  mutating func sayAll() { for group in own.keys.sorted() { say(group) } }

  /// Removes what is to be said in the next ALIVE, ascending.
  mutating func takeWords(now: HostTime) -> [HubAlive.Opened] {
    if nextRound <= now {
      nextRound = now.adding(Self.round)
      sayAll()
    }
    var words: [HubAlive.Opened] = []
    for _ in 0..<min(queue.count, HubSetLimits.opened) {
      let group = queue.removeFirst()
      words.append(HubAlive.Opened(group: group, rooms: own[group] ?? 0))
      guard let times = left[group], times > 1 else {
        left[group] = nil
        continue
      }
      left[group] = times - 1
      queue.append(group)
    }
    return words.sorted { $0.group < $1.group }
  }

  /// A known run says what groups have open there.
  mutating func hear(_ words: [HubAlive.Opened], from run: HubRunID, now: HostTime) {
    var said = others.removeValue(forKey: run) ?? Said(swept: now)
    if now.subtracting(said.swept) >= Self.round {
      said.groups = said.groups.compactMapValues { groups in
        let recent = groups.filter { Self.isRecent($0.value.heard, now: now) }
        return recent.isEmpty ? nil : recent
      }
      said.count = said.groups.values.reduce(0) { $0 + $1.count }
      said.swept = now
    }
    for word in words {
      let isKnown = said.groups[word.group.serial]?[word.group.group] != nil
      if word.rooms > 0 {
        guard isKnown || said.count < Self.capacity else { continue }
        said.groups[word.group.serial, default: [:]][word.group.group] = (Int(word.rooms), now)
        if !isKnown { said.count += 1 }
      } else if isKnown {
        said.groups[word.group.serial]?[word.group.group] = nil
        if said.groups[word.group.serial]?.isEmpty == true { said.groups[word.group.serial] = nil }
        said.count -= 1
      }
    }
    others[run] = said
  }

  /// A run is gone, and its rooms with it.
  mutating func forget(_ run: HubRunID) { others[run] = nil }

  /// Rooms that each group of a serial has open at other hubs.
  func elsewhere(_ serial: UInt64, now: HostTime) -> [UInt64: Int] {
    var sum: [UInt64: Int] = [:]
    for said in others.values {
      for (group, word) in said.groups[serial] ?? [:] where Self.isRecent(word.heard, now: now) { sum[group, default: 0] += word.rooms }
    }
    return sum
  }

  private mutating func say(_ group: PassGroup) {
    if left.updateValue(Self.repetitions, forKey: group) == nil { queue.append(group) }
  }

  private static func isRecent(_ heard: HostTime, now: HostTime) -> Bool { now.subtracting(heard) < memory }
}
