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

  private struct Person: Equatable {
    var name: String
    var item: ItemID
  }

  private struct Other {
    var since: HostTime
    var isTold = false
  }

  private var own: ItemID?
  /// Of those who have a name and are at an item.
  private var people: [ParticipantID: Person] = [:]
  /// By the items that are not the own one.
  private var others: [ItemID: Other] = [:]

  /// Takes in a change of the list of participants. Most changes are of something else, and cost nothing here.
  mutating func update(_ change: ParticipantsChange, now: HostTime) {
    var isNews = false
    for one in change.joined + change.updated {
      if one.isLocal {
        guard one.item != own else { continue }
        own = one.item
        others = [:]
        isNews = true
      } else {
        isNews = set(one.id, one.displayName.isEmpty ? nil : one.item.map { Person(name: one.displayName, item: $0) }) || isNews
      }
    }
    for one in change.left { isNews = set(one.id, nil) || isNews }
    guard isNews else { return }
    let items = own.map { own in Set(people.values.map { $0.item }).subtracting([own]) } ?? []
    others = others.filter { items.contains($0.key) }
    for item in items where others[item] == nil { others[item] = Other(since: now) }
  }

  /// Whether that is another than before.
  private mutating func set(_ id: ParticipantID, _ person: Person?) -> Bool {
    guard people[id] != person else { return false }
    people[id] = person
    return true
  }

  /// What is to be told by now.
  mutating func news(now: HostTime) -> [PersonNotice] {
    guard let due = nextWake, due <= now else { return [] }
    var news: [PersonNotice] = []
    for (item, other) in others.sorted(by: { $0.key < $1.key }) where !other.isTold && other.since.adding(Self.patience) <= now {
      others[item]?.isTold = true
      guard others.values.count(where: { $0.isTold }) <= Self.most,
        let (id, one) = people.filter({ $0.value.item == item }).min(by: { $0.key < $1.key })
      else { continue }
      news.append(PersonNotice(kind: .elsewhere(item), participant: id, name: one.name))
    }
    return news
  }

  /// Host time at which there may be news; nil: only after a change.
  var nextWake: HostTime? {
    others.values.lazy.filter { !$0.isTold }.map { $0.since.adding(Self.patience) }.min()
  }
}
