import UnisonoBase
import UnisonoCoordination

/// Items at which others are and this participant is not: people who were to watch together and do not find out why.
///
/// Going to another item together takes a moment, so that only what lasts for `patience` is told: of each item once, by the name
/// of one who is there, until nobody is there any more or this participant went to another item itself.
struct OtherItems {
  static let patience = Nanoseconds.seconds(3)
  /// More different ones are not told of: a group that watches so many does not watch together.
  private static let most = 4

  private struct Other {
    var since: HostTime
    var isTold = false
  }

  private var own: ItemID?
  private var others: [ItemID: Other] = [:]

  /// Takes in the list of participants.
  mutating func update(_ participants: [ParticipantView], now: HostTime) {
    let item = participants.first(where: \.isLocal)?.item
    if item != own { others = [:] }
    own = item
    var found: [ItemID: Other] = [:]
    if item != nil {
      for case let (id?) in Set(participants.filter { !$0.isLocal && !$0.displayName.isEmpty }.map(\.item)) where id != item {
        found[id] = others[id] ?? Other(since: now)
      }
    }
    others = found
  }

  /// What is to be told by now.
  mutating func news(_ participants: @autoclosure () -> [ParticipantView], now: HostTime) -> [PersonNotice] {
    guard let due = nextWake, due <= now else { return [] }
    let participants = participants().filter { !$0.isLocal && !$0.displayName.isEmpty }
    var news: [PersonNotice] = []
    for (item, other) in others.sorted(by: { $0.key < $1.key }) where !other.isTold && other.since.adding(Self.patience) <= now {
      others[item]?.isTold = true
      guard others.values.count(where: \.isTold) <= Self.most, let one = participants.first(where: { $0.item == item }) else {
        continue
      }
      news.append(PersonNotice(kind: .elsewhere(item), participant: one.id, name: one.displayName))
    }
    return news
  }

  /// Host time at which there may be news; nil: only after a change.
  var nextWake: HostTime? {
    others.values.lazy.filter { !$0.isTold }.map { $0.since.adding(Self.patience) }.min()
  }
}
