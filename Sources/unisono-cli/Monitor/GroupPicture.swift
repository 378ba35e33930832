/// What is known of a group at one instant, as one who watches it sees it. Times in ns; texts as they are shown.
struct GroupPicture: Equatable {
  enum Doing: Equatable {
    case notConnected
    case nothingOpen
    case elsewhere(item: String)
    /// With the text of its status.
    case failed(String)
    /// Suspended; why.
    case apart(reason: String)
    /// A start waits for this one; why, "": it is still preparing.
    case waitedFor(reason: String)
    case playing(rate: Double)
    case ready
    case preparing
  }

  struct Person: Equatable {
    var name: String
    var doing: Doing
    /// Now, from what it said last; nil: not known.
    var position: Int64?
    /// Its position less the group's, where both are known and it takes part.
    var skew: Int64?
    /// Its clock's stated bound.
    var clockError: Int64?
    /// To the hub.
    var roundTrip: Int64?
  }

  struct Event: Equatable {
    /// Of the day, "20:15:00".
    var time: String
    var text: String
  }

  enum Motion: Equatable {
    /// Nobody has anything open, or it is not known yet.
    case none
    case paused
    /// A start is prepared.
    case waiting
    case playing(rate: Double)
  }

  /// What most of the others have open; nil: nothing.
  var item: String?
  var duration: Int64?
  var motion = Motion.none
  /// The group's, now.
  var position: Int64?
  /// How the session is, for people: "connected".
  var connection: String
  var isConnected: Bool
  /// "host:port"; "": none.
  var hub: String
  /// Of the one who watches: how far session time may be off here, and to the hub.
  var clockError: Int64?
  var roundTrip: Int64?
  /// In the order in which they were first seen.
  var people: [Person] = []
  /// The newest last; at most `events`.
  var events: [Event] = []

  static let eventsKept = 10

  /// Names of those for whom a start waits, with why.
  var waitedFor: [(name: String, reason: String)] {
    people.compactMap { person in
      if case .waitedFor(let reason) = person.doing { (person.name, reason) } else { nil }
    }
  }

  /// The same without what changes all the time by itself: positions, skews and measures; of the clock's it stays whether there is one.
  var withoutMeasures: GroupPicture {
    var still = self
    (still.position, still.clockError, still.roundTrip) = (nil, clockError.map { _ in 0 }, nil)
    for place in still.people.indices {
      still.people[place] = Person(name: people[place].name, doing: people[place].doing)
    }
    return still
  }

  /// What most have open: of several the first in the order of letters.
  static func commonItem(_ items: [String]) -> String? {
    let counts = items.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }
}
