import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

/// Five whose chats talk to each other over a network that delays, loses and parts them, by a seed.
private struct ChatGroup {
  private struct Member {
    var chat: Chat
    var side = 0
    /// Whom it takes to be there.
    var present: Set<ParticipantID> = []
    /// What its host was told, without what its host said itself.
    var told: [ChatEntry.ID] = []
    var said: UInt64 = 0
    /// Nothing runs there, and what comes waits.
    var isStopped = false
  }

  private struct Parcel {
    var due: HostTime
    var from: Int
    var to: Int
    var saying: ChatSaying
  }

  /// Not SHA-256, but different bytes have different ones.
  fileprivate static let hash: @Sendable ([UInt8]) -> [UInt8] = { bytes in
    let sum = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return (0..<32).map { UInt8(truncatingIfNeeded: (sum &* UInt64($0 + 1)) >> 24) }
  }

  fileprivate static let sign: @Sendable (ChatEntry) -> SignedStatement = { entry in
    SignedStatement(
      body: Array("\(entry.id.author) \(entry.id.number) \(entry.time) \(entry.text)".utf8),
      signature: [UInt8](repeating: 1, count: 64))
  }

  private var random: SplitMix64
  private var members: [Member] = []
  private var parcels: [Parcel] = []
  private(set) var now: HostTime = 0
  /// Share of what is lost.
  private var loss = 0.15
  let ids: [ParticipantID]

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    ids = (1...5 as ClosedRange<UInt8>).map { ParticipantID(bytes: [UInt8](repeating: $0, count: 16)) ?? .none }
    for id in ids {
      var member = Member(chat: Chat(local: id, hash: Self.hash, sign: Self.sign))
      member.present = Set(ids).subtracting([id])
      members.append(member)
    }
    for index in members.indices { members[index].chat.entered(around(index), now: now) }
  }

  /// The first two alone, of whom the first knows nothing and the second, who stands still so far, what it said before.
  static func newcomerWithSleeper() -> Self {
    var group = ChatGroup(seed: 1)
    group.loss = 0
    group.members.removeSubrange(2...)
    for index in 0...1 { group.members[index].present = [group.ids[1 - index]] }
    group.parcels = []
    group.members[1].isStopped = true
    group.members[1].chat.say(ChatEntry(id: .init(author: group.ids[1], number: 1), time: 0, text: "before"))
    _ = group.members[1].chat.settle(group.around(1), now: group.now)
    return group
  }

  mutating func goOn() { members[1].isStopped = false }

  var entries: [[ChatEntry]] { members.map(\.chat.entries) }
  /// Of each, what its host was told of others.
  var told: [[ChatEntry.ID]] { members.map(\.told) }
  var said: UInt64 { members.reduce(0) { $0 + $1.said } }

  private func around(_ index: Int) -> Chat.Surroundings {
    Chat.Surroundings(
      present: members[index].present, readers: ids, groupTime: now.adding(.seconds(1_000)), clockError: .milliseconds(1))
  }

  private mutating func carry(_ effects: [Chat.Effect], of index: Int) {
    for effect in effects {
      switch effect {
      case .send(let saying, let to):
        for other in members.indices where other != index && (to == nil || to == ids[other]) {
          guard members[other].side == members[index].side, Double.random(in: 0..<1, using: &random) >= loss else { continue }
          let delay = Int64.random(in: 5...300, using: &random)
          parcels.append(Parcel(due: now.adding(.milliseconds(delay)), from: index, to: other, saying: saying))
        }
      case .tell(let entry, _): if entry.id.author != ids[index] { members[index].told.append(entry.id) }
      case .tellReaction, .flooded, .dropped: break
      }
    }
  }

  /// Everybody on a side of its own choice; the hub says so at once.
  mutating func part() {
    for index in members.indices { members[index].side = Int.random(in: 0...1, using: &random) }
    notice()
  }

  mutating func heal() {
    for index in members.indices { members[index].side = 0 }
    loss = 0
    notice()
  }

  private mutating func notice() {
    for index in members.indices {
      let present = members.indices.filter { $0 != index && members[$0].side == members[index].side }.map { ids[$0] }
      guard Set(present) != members[index].present else { continue }
      members[index].present = Set(present)
      members[index].chat.presenceChanged(now: now)
    }
  }

  mutating func somebodySpeaks() {
    let index = Int.random(in: members.indices, using: &random)
    guard members[index].said < 40 else { return }
    members[index].said += 1
    members[index].chat.say(
      ChatEntry(id: .init(author: ids[index], number: members[index].said), time: 0, text: "line \(members[index].said)"))
  }

  mutating func run(for length: Nanoseconds) {
    let end = now.adding(length)
    while now < end {
      now = now.adding(.milliseconds(20))
      let due = parcels.filter { $0.due <= now && !members[$0.to].isStopped }
      parcels.removeAll { $0.due <= now && !members[$0.to].isStopped }
      // In any order; who went to the other side meanwhile does not get it.
      for parcel in due.shuffled(using: &random) where members[parcel.from].side == members[parcel.to].side {
        carry(members[parcel.to].chat.receive(parcel.saying, from: ids[parcel.from], around(parcel.to), now: now), of: parcel.to)
      }
      for index in members.indices where !members[index].isStopped && members[index].chat.isDue(now: now) {
        carry(members[index].chat.settle(around(index), now: now), of: index)
      }
    }
  }
}

@Suite("A chat under loss and partitions")
struct ChatGroupTests {
  @Test(
    "G16 G17: parted and lossy for a minute, all end with the same chat, and each host is told each entry once",
    arguments: 1...60 as ClosedRange<UInt64>)
  func random(seed: UInt64) {
    var group = ChatGroup(seed: seed)
    for turn in 0..<60 {
      if turn % 7 == 3 { group.part() }
      group.somebodySpeaks()
      group.somebodySpeaks()
      group.run(for: .seconds(1))
    }
    group.heal()
    group.run(for: .seconds(70))
    let entries = group.entries
    #expect(entries.allSatisfy { $0 == entries[0] })
    #expect(entries[0].count == Int(group.said))
    for (id, told) in zip(group.ids, group.told) {
      #expect(Set(told).count == told.count)
      #expect(Set(told) == Set(entries[0].map(\.id).filter { $0.author != id }))
    }
  }
  @Test("G16: who was asked what was said before and slept answers when it wakes, and that counts", arguments: [1, 10, 60])
  func late(seconds: Int64) {
    var group = ChatGroup.newcomerWithSleeper()
    group.run(for: seconds * .seconds(1))
    #expect(group.entries[0].isEmpty)
    group.goOn()
    group.run(for: .seconds(3))
    #expect(group.entries[0].map(\.text) == ["before"])
  }

  @Test("G16: who was asked while a line waited for group time compares what it has with the most senior one", arguments: [false, true])
  func unjudged(isMostSenior: Bool) {
    let ids = [1, 2, 3].map { ParticipantID(bytes: [UInt8](repeating: $0, count: 16)) ?? .none }
    let (asker, local, author) = (ids[0], ids[1], ids[2])
    var around = Chat.Surroundings(
      present: [asker, author], readers: isMostSenior ? [local, asker, author] : ids, groupTime: nil, clockError: 0)
    var entry = ChatEntry(id: .init(author: author, number: 1), time: 5, text: "unheard")
    entry.signed = ChatGroup.sign(entry)
    var chat = Chat(local: local, hash: ChatGroup.hash, sign: ChatGroup.sign)
    let heard = chat.receive(.entry(entry), from: author, around, now: 0)
    let answered = chat.receive(.want([]), from: asker, around, now: 0)
    around.groupTime = 10
    let judged = chat.settle(around, now: 0)
    let later = chat.settle(around, now: .seconds(1))
    let sent = (judged + later).compactMap { effect in
      if case .send(let saying, let to) = effect { (saying, to) } else { nil }
    }
    #expect(heard == [] && answered == [.send(.history([]), to: asker)])
    #expect(judged.contains(.tell(entry, isHistory: false)))
    #expect(sent.count == 1 && sent.first?.1 == (isMostSenior ? nil : asker))
    switch sent.first?.0 {
    case .digest(let digest): #expect(isMostSenior && digest.count == 32)
    case .want(let names): #expect(!isMostSenior && names.count == 1)
    default: Issue.record("\(sent)")
    }
  }
}
