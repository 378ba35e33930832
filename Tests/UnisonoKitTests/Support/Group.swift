import Testing
import UnisonoKit

/// A participant with a player that is only a line.
final class Member: Sendable {
  let context: Context
  let session: Session
  let deck = Deck()
  let coordinator: Coordinator

  /// Hosts on the loopback or on a hub, or opens an invite. simulated: of a simulation; nil: one of its own.
  init(_ name: String, on simulated: Context? = nil, invite: String? = nil, hub: String? = nil) throws {
    context = try simulated ?? Context(.init(deviceName: name))
    var options = Session.Options(displayName: name)
    if let invite {
      session = try Session(on: context, invite: invite, options)
    } else {
      if let hub {
        options.hub = hub
      } else if simulated == nil {
        options.hubOptions.listen = ["127.0.0.1:0"]
      }
      session = try Session.host(on: context, options)
    }
    coordinator = try Coordinator(on: context, delegate: deck)
    try coordinator.coordinate(with: session)
  }

  func join() async throws {
    let events = session.events
    try session.join()
    _ = try await events.first { if case .state(let change) = $0 { change.state == .joined } else { false } }
  }

  /// Waits until somebody of this name is connected, and says of it what is so then.
  func sees(_ name: String, _ isSo: (Participant) -> Bool = { _ in true }) async throws -> Participant {
    let events = coordinator.events
    func isIt(_ one: Participant) -> Bool { one.displayName == name && one.connection == .connected && isSo(one) }
    if let found = try coordinator.otherParticipants.first(where: isIt) { return found }
    for await case .participants(let change) in events {
      if let found = (change.joined + change.updated).first(where: isIt) { return found }
    }
    throw StreamEnded()
  }

  /// Two that are in one session, on one item.
  static func pair() async throws -> (Member, Member) {
    let ann = try Member("Ann")
    try await ann.join()
    let ben = try Member("Ben", invite: ann.session.invite)
    try await ben.join()
    _ = try await ann.sees("Ben")
    _ = try await ben.sees("Ann")
    for member in [ann, ben] {
      let events = member.coordinator.events
      try member.coordinator.transition(toItem: "film")
      _ = try await events.first { if case .timing(let change) = $0 { change.item == "film" } else { false } }
    }
    return (ann, ben)
  }

  func close() async { await context.close() }
}

struct StreamEnded: Error {}

extension Events {
  /// The first that is so; fails when there is none any more.
  func first(_ isSo: (Element) -> Bool) async throws -> Element {
    for await event in self where isSo(event) { return event }
    throw StreamEnded()
  }
}

/// What a delegate was asked, and what it does about it.
actor Deck: PlaybackCoordinatorDelegate {
  enum Manner: Sendable {
    case works
    case fails(any Error)
    /// Works until it is cancelled.
    case hangs
  }

  private(set) var atWork = 0
  private(set) var mostAtWork = 0
  private(set) var cancelled = 0
  private(set) var plays: [PlayCommand] = []
  private var manners: [String: Manner] = [:]
  private var heard: [String] = []
  private var waiting: [(String, CheckedContinuation<Void, Never>)] = []

  private var farewell: AsyncStream<Void>.Continuation?

  deinit { farewell?.finish() }

  /// What ends with this one.
  func says(_ farewell: AsyncStream<Void>.Continuation) { self.farewell = farewell }

  func set(_ manner: Manner, for word: String) { manners[word] = manner }

  /// Returns when a command was begun, or has been.
  func hears(_ word: String) async {
    if heard.contains(word) { return }
    await withCheckedContinuation { waiting.append((word, $0)) }
  }

  func play(_ command: PlayCommand) async throws {
    plays.append(command)
    try await work("play")
  }
  func pause(_ command: PauseCommand) async throws { try await work("pause") }
  func seek(_ command: SeekCommand) async throws { try await work("seek to \(command.itemTime.seconds)") }
  func buffer(_ command: BufferingCommand) async throws { try await work("buffer") }

  private func work(_ word: String) async throws {
    atWork += 1
    mostAtWork = max(mostAtWork, atWork)
    defer { atWork -= 1 }
    heard.append(word)
    for (wanted, continuation) in waiting where wanted == word { continuation.resume() }
    waiting.removeAll { $0.0 == word }
    switch manners[word] ?? .works {
    case .works: return
    case .fails(let error): throw error
    case .hangs:
      // Nothing ever comes here: it ends as it is cancelled.
      let (nothing, source) = AsyncStream<Never>.makeStream()
      for await _ in nothing {}
      withExtendedLifetime(source) {}
      cancelled += 1
      throw CancellationError()
    }
  }
}

func distance(_ one: ItemTime, _ other: ItemTime) -> Duration { max(one - other, other - one) }
