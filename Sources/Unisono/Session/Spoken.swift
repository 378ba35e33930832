import CUnisono
import Synchronization
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoRuntime

/// What the own participant says, as far as calls of any thread have to know; and what is kept.
struct Spoken {
  private var entries = ChatPace(limit: ChatPace.entries)
  private var reactions = ChatPace(limit: ChatPace.reactions)
  private var lastNumber: UInt64
  /// In the order of the conversation, with their authors' names.
  var kept: [SaidEntry] = []

  /// - Parameter number: others may know those up to this one, of another day.
  init(numbersAfter number: UInt64 = 0) { lastNumber = number }

  /// The number of one more entry.
  mutating func entry(now: HostTime) throws(Failure) -> UInt64 {
    try Self.check(entries.spend(now: now), ChatPace.entries, now)
    lastNumber += 1
    return lastNumber
  }

  mutating func reaction(now: HostTime) throws(Failure) { try Self.check(reactions.spend(now: now), ChatPace.reactions, now) }

  private static func check(_ until: HostTime?, _ limit: Int, _ now: HostTime) throws(Failure) {
    guard let until else { return }
    throw Failure(.UNISONO_EBUSY, PaceRefusal(most: limit, in: ChatPace.window, until: until, now: now).sentence)
  }
}

/// An entry as a host is told of it.
struct SaidEntry: Sendable {
  var news: ChatNews
  /// nil: the author has none.
  var name: String?
}

/// Chat and reactions.
extension SessionObject {
  func say(_ pointer: UnsafePointer<CChar>?) throws(Failure) -> UInt64 {
    let text = try InputText.lines(pointer, atMost: WireLimits.chatText, "text")
    try requireJoined()
    let number = try spoken.withLock { (spoken) throws(Failure) in try spoken.entry(now: context.now) }
    try submit { $0.say(text, number: number) }
    return number
  }

  func react(_ pointer: UnsafePointer<CChar>?) throws(Failure) {
    let visible = try InputText.visible(pointer, atMost: WireLimits.reaction, "text", tooLong: .UNISONO_ETOOBIG)
    guard let text = visible, !text.isEmpty else {
      throw Failure(.UNISONO_EINVAL, "text is missing; give 1...\(WireLimits.reaction) bytes of UTF-8")
    }
    try requireJoined()
    try spoken.withLock { (spoken) throws(Failure) in try spoken.reaction(now: context.now) }
    try submit { $0.react(text) }
  }

  func chatHistory() -> UnsafePointer<unisono_chat> { ownedChat(spoken.withLock { $0.kept }) }

  /// On the loop.
  func deliverChat(_ news: ChatNews, kept: [ChatNews]) {
    let said = named(news)
    if !news.isReaction {
      let all = kept.map(named)
      spoken.withLock { $0.kept = all }
    }
    deliver(
      .chat(origin, said, isOwn: news.entry.id.author == localID), .message, to: bound(callbacks?.chat))
  }

  private func named(_ news: ChatNews) -> SaidEntry {
    let said = news.entry.name
    return SaidEntry(news: news, name: displayName(of: news.entry.id.author) ?? (said.isEmpty ? nil : said))
  }
}
