import UnisonoBase

/// Puts lists together that come in parts, as taken piece by piece they would seem to lack the rest: each sender's by itself, so that
/// nobody's parts end another's list. Bounded in number, size and time (wire 10).
struct PartAssembly<Element: Sendable>: Sendable {
  private struct List: Sendable {
    let sender: ParticipantID
    let count: Int
    var until: HostTime
    var elements: [Element] = []
    var size = 0
    /// Number of the part that comes next.
    var next = 0
  }

  private static var atOnce: Int { 4 }
  /// Since its last part came: a long one takes as long as its sender's link.
  private static var lifetime: Nanoseconds { .seconds(10) }

  private let most: Int
  /// Who began first comes first.
  private var lists: [List] = []

  /// - Parameter most: size of all lists together, in the unit of `add`.
  init(most: Int) { self.most = most }

  /// Of what came so far.
  var elements: [Element] { lists.flatMap { $0.elements } }

  /// A sender's whole list once its last part came. They come in order; the first one begins the list anew.
  mutating func add(_ part: [Element], size: Int, number: Int, of count: Int, from sender: ParticipantID, now: HostTime) -> [Element]? {
    guard count > 1 else { return part }
    lists.removeAll { $0.until <= now }
    if number == 0 {
      forget(sender)
      if lists.count >= Self.atOnce { lists.removeFirst() }
      lists.append(List(sender: sender, count: count, until: now.adding(Self.lifetime)))
    }
    guard let place = lists.firstIndex(where: { $0.sender == sender }) else { return nil }
    guard lists[place].count == count, lists[place].next == number else {
      lists.remove(at: place)
      return nil
    }
    lists[place].elements += part
    lists[place].size += size
    lists[place].next += 1
    lists[place].until = now.adding(Self.lifetime)
    makeRoom()
    guard let whole = lists.firstIndex(where: { $0.sender == sender && $0.next == count }) else { return nil }
    return lists.remove(at: whole).elements
  }

  mutating func forget(_ sender: ParticipantID) { lists.removeAll { $0.sender == sender } }

  /// Whoever has most makes room for the others.
  private mutating func makeRoom() {
    while lists.reduce(0, { $0 + $1.size }) > most {
      let greatest = lists.reduce(0) { max($0, $1.size) }
      guard let place = lists.firstIndex(where: { $0.size == greatest }) else { return }
      lists.remove(at: place)
    }
  }
}
