import UnisonoBase
import UnisonoWire

/// The newest words of this run's feeds, for others to ask for what they lack: those of 5 s, as far as the memory goes, the oldest of
/// all rooms leave first (hubs 7.2).
///
/// A set of one has no ring: nobody can ask.
struct FeedRing {
  static let lifetime = Nanoseconds.seconds(5)
  static let memory = 64 << 20
  static let memoryOfRoom = 256 << 10

  private struct Room {
    var words: ArraySlice<HubFeed> = []
    var bytes = 0
  }

  private let isKept: Bool
  private var rooms: [UInt64: Room] = [:]
  /// Of all rooms, oldest first; some may have left already.
  private var order: ArraySlice<(room: UInt64, number: UInt64, at: HostTime)> = []
  private(set) var bytes = 0

  init(isKept: Bool) { self.isKept = isKept }

  mutating func add(_ word: HubFeed, of room: UInt64, now: HostTime) {
    guard isKept else { return }
    rooms[room, default: Room()].words.append(word)
    rooms[room]?.bytes += word.length
    bytes += word.length
    order.append((room, word.number, now))
    while (rooms[room]?.bytes ?? 0) > Self.memoryOfRoom { removeFirst(of: room) }
    while let oldest = order.first, bytes > Self.memory || oldest.at.adding(Self.lifetime) <= now {
      order.removeFirst()
      if rooms[oldest.room]?.words.first?.number == oldest.number { removeFirst(of: oldest.room) }
    }
  }

  /// Those of the words that are still here.
  func words(of room: UInt64, from first: UInt64, through last: UInt64) -> ArraySlice<HubFeed> {
    guard let words = rooms[room]?.words, let begin = words.first?.number, let end = words.last?.number,
      first <= end, last >= begin
    else { return [] }
    // They are numbered without holes.
    let from = words.startIndex + Int(max(first, begin) - begin)
    return words[from...(words.startIndex + Int(min(last, end) - begin))]
  }

  mutating func removeAll(of room: UInt64) { bytes -= rooms.removeValue(forKey: room)?.bytes ?? 0 }

  private mutating func removeFirst(of room: UInt64) {
    guard let word = rooms[room]?.words.popFirst() else { return }
    rooms[room]?.bytes -= word.length
    bytes -= word.length
    if rooms[room]?.words.isEmpty == true { rooms[room] = nil }
  }
}
