import UnisonoKit

/// What a person does with the player, and with the item that the group goes to: of a coordinator, or of a player.
public protocol Transport: Sendable {
  func play(at rate: Double) throws
  func pauseGroup() throws
  /// tell: gets why not, where that is known later.
  func seek(to time: ItemTime, _ tell: @escaping @Sendable (String) -> Void) throws
  func go(to item: String) throws
}

extension Coordinator: Transport {
  public func play(at rate: Double) throws { try coordinateRateChange(to: rate) }
  public func pauseGroup() throws { try coordinateRateChange(to: 0) }
  public func seek(to time: ItemTime, _ tell: @escaping @Sendable (String) -> Void) throws { try coordinateSeek(to: time) }
  public func go(to item: String) throws { try transition(toItem: item) }
}

extension Player: Transport {
  public func play(at rate: Double) throws { try setRate(rate) }
  public func pauseGroup() throws { try pause() }
  /// It waits for the player to stand or play there.
  public func seek(to time: ItemTime, _ tell: @escaping @Sendable (String) -> Void) throws {
    Task.detached { [self] in
      do { _ = try await seek(to: time) } catch { tell("seek: \(error)") }
    }
  }
  public func go(to item: String) throws { try replaceCurrentItem(with: .init(item)) }
}

/// A line that a person types to the group, with the same words as in the sample hosts in C ("say hello", "ready", "add ITEM"), and what
/// the group shares as sentences. For both samples here, whatever plays behind the coordinator.
public final class GroupLines: Sendable {
  public static let help =
    "play, pause, seek S, undo, say TEXT, react TEXT, history, who, ready, unready, start-policy none|first|every [S] [pause], "
    + "go [NAME], at +S|off, countdown, list, add ITEM, next, drop N, move N TO, select N, copy PATH, cut S, attach PATH, attachments, "
    + "load N PATH, close, open, leave, end, quit"

  /// Why a line cannot be done.
  private struct Refusal: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  private let session: Session
  private let coordinator: Coordinator
  private let transport: any Transport
  private let tell: @Sendable (String) -> Void

  /// Make it before the session is joined: it hears what happens from then on.
  /// transport: nil: the coordinator's own. tell: gets each sentence, without what controls a terminal.
  public init(
    _ session: Session, _ coordinator: Coordinator, transport: (any Transport)? = nil, tell: @escaping @Sendable (String) -> Void
  ) {
    (self.session, self.coordinator, self.transport) = (session, coordinator, transport ?? coordinator)
    self.tell = { sentence in
      tell(String(String.UnicodeScalarView(sentence.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 })))
    }
    let (happenings, timings) = (session.events, coordinator.events)
    Task.detached { [self] in
      var isClosed = false
      for await event in happenings {
        hear(event)
        guard case .state(let change) = event, change.state == .joined, change.isClosed != isClosed else { continue }
        isClosed = change.isClosed
        self.tell(isClosed ? "The group is closed: nobody new is let in" : "The group is open again")
      }
    }
    Task.detached { [self] in
      for await event in timings {
        switch event {
        case .timing(let change): self.tell("\(Self.name(of: change.state)) at \(Self.fixed(change.itemTime.seconds, 3))")
        case .error(let late): self.tell("refused: \(late.error)")
        default: break
        }
      }
    }
  }

  /// Does what a line says; what is refused is told. False: the person wants to quit.
  public func run(_ line: String) -> Bool {
    let parts = line.split(separator: " ", maxSplits: 1)
    guard let first = parts.first else { return true }
    let (word, argument) = (String(first), parts.count > 1 ? String(parts[1]) : "")
    if word == "quit" { return false }
    do { try act(word, argument) } catch { tell("\(word): \(error)") }
    return true
  }

  private func act(_ word: String, _ argument: String) throws {
    switch word {
    case "play": try transport.play(at: argument.isEmpty ? 1 : number(argument))
    case "pause": try transport.pauseGroup()
    case "seek": try transport.seek(to: .seconds(number(argument)), tell)
    case "undo": try coordinator.undoJump()
    case "say": try session.chat(argument)
    case "react": try session.react(argument)
    case "history": for message in try session.chatHistory { tell("  " + Self.sentence(message)) }
    case "who": try tellWho()
    case "ready": try coordinator.setReady(.ready)
    case "unready": try coordinator.setReady(.notReady)
    case "start-policy": try setStartPolicy(argument)
    case "go": try goOn(without: argument)
    case "at": try schedule(argument)
    case "countdown": try tellCountdown()
    case "list": try tellPlaylist()
    case "add": try session.addEntry(PlaylistEntry(item: argument))
    case "next": try session.nextEntry()
    case "drop": try session.removeEntry(entry(argument))
    case "move": try move(argument)
    case "select": try session.selectEntry(entry(argument))
    case "copy": try setCopy(argument)
    case "cut": try session.setCutOffset(.seconds(number(argument)))
    case "attach": try session.attach(path: argument)
    case "attachments":
      for (index, one) in try session.attachments.enumerated() {
        tell("\(index + 1) \(Self.sized(one))\(one.isAvailable ? ", here" : "")")
      }
    case "load": try load(argument)
    case "close": try session.setClosed(true)
    case "open": try session.setClosed(false)
    case "leave": try session.leave()
    case "end": try session.end()
    case "help": tell(Self.help)
    default: throw Refusal("not a command; try help")
    }
  }

  // MARK: What the group tells

  private func hear(_ event: SessionEvent) {
    switch event {
    case .notice(let notice): tell("\(notice)")
    case .chat(let message, _, _): tell(Self.sentence(message))
    case .copy(let comparison): if !comparison.differences.isEmpty { tell(comparison.message) }
    case .attachment(let change): tell(Self.sentence(change))
    case .schedule(let change): if let sentence = Self.sentence(change) { tell(sentence) }
    case .playlist(let change):
      guard change.currentChanged, let item = change.item else { return }
      do { try transport.go(to: item) } catch { tell("refused: \(error)") }
      tell("The group is at \(item)")
    case .state(let change): if let reason = change.reason { tell("\(reason)") }
    case .error(let late): tell("refused: \(late.error)")
    case .overflow(let count): tell("\(count) events were missed")
    default: break
    }
  }

  private static func name(of state: Timing.State) -> String {
    switch state {
    case .paused: "paused"
    case .waiting: "waiting"
    case .playing: "playing"
    default: "none"
    }
  }

  private static func sentence(_ message: ChatMessage) -> String { "\(message.name ?? "Somebody"): \(message.text)" }

  private static func sized(_ one: Attachment) -> String { "\(one.name), \(fixed(Double(one.length) / 1e6, 1)) MB" }

  private static func sentence(_ change: AttachmentChange) -> String {
    let name = change.attachment.name
    return switch change.kind {
    case .added: "Offered: \(sized(change.attachment))"
    case .removed: "Not offered any more: \(name)"
    case .progress: "Loading \(name): \(100 * change.transferred / max(1, change.attachment.length)) %"
    case .loaded: "Loaded: \(name)"
    default: "\(name): \(change.message)"
    }
  }

  private static func sentence(_ change: ScheduleChange) -> String? {
    let left = Int64((change.remaining / .seconds(1)).rounded())
    return switch change.kind {
    case .set, .remaining: "\(change.start.item) begins in \(left) s"
    case .canceled: "The start of \(change.start.item) was called off"
    case .due: "\(change.start.item) begins"
    default: nil
    }
  }

  // MARK: What a person asks

  private func number(_ text: String) throws -> Double {
    guard let number = Double(text), number.isFinite else { throw Refusal("\"\(text)\" is no number") }
    return number
  }

  /// The Nth of a list, from 1.
  private func nth<Element>(_ all: [Element], _ text: some StringProtocol, _ what: String) throws -> Element {
    guard let number = Int(text), all.indices.contains(number &- 1) else { throw Refusal("\(what) has nothing of this number") }
    return all[number - 1]
  }

  private func entry(_ text: some StringProtocol) throws -> EntryID {
    guard let id = try nth(session.playlist().entries, text, "the playlist").id else { throw Refusal("it is not there yet") }
    return id
  }

  /// Persons rather than devices, whether they say that they are ready, and who has another cut.
  private func tellWho() throws {
    let all = try session.activeParticipants
    var persons: [ParticipantID] = []
    for one in all where !persons.contains(one.person) { persons.append(one.person) }
    for person in persons {
      let devices = all.filter { $0.person == person }
      var line = devices[0].displayName
      if devices.count > 1 { line += " (\(devices.map(\.deviceName).sorted().joined(separator: ", ")))" }
      if devices.contains(where: { $0.readiness == .notReady }) {
        line += ", not ready"
      } else if devices.contains(where: { $0.readiness == .ready }) {
        line += ", ready"
      }
      if let cut = devices.map(\.cutOffset).first(where: { $0 != .zero }) { line += ", cut \(Self.fixed(cut / .seconds(1), 1)) s" }
      tell(line)
    }
  }

  private func setStartPolicy(_ argument: String) throws {
    let given = argument.split(separator: " ")
    let rules: [Substring: Coordinator.StartPolicy.Rule] = ["none": .atOnce, "first": .firstWhenReady, "every": .whenReady]
    guard let first = given.first, let rule = rules[first] else {
      throw Refusal("none, first or every; then seconds, if you like; then pause, if leaving is to pause")
    }
    let limit = try given.dropFirst().first { $0 != "pause" }.map { try number(String($0)) }
    try coordinator.setStartPolicy(.init(start: rule, limit: .seconds(limit ?? 0), pausesWhenSomebodyLeaves: given.contains("pause")))
  }

  /// Whoever is not ready is waited for no more; with a name, that one is not.
  private func goOn(without name: String) throws {
    if name.isEmpty { return try coordinator.start() }
    guard let one = try session.activeParticipants.first(where: { $0.displayName == name }) else {
      throw Refusal("nobody here is called \(name)")
    }
    try coordinator.start(without: [one.id])
  }

  /// Everybody who is where this player is begins in so many seconds.
  private func schedule(_ argument: String) throws {
    if argument == "off" { return try session.cancelStart() }
    guard argument.hasPrefix("+"), let ahead = Double(argument.dropFirst()), ahead > 0, ahead < 7 * 86_400 else {
      throw Refusal("give + and seconds, or off")
    }
    guard let item = try session.activeParticipants.first(where: \.isLocal)?.item else { throw Refusal("there is no item") }
    try session.scheduleStart(of: item, at: session.context.hostTime + .seconds(ahead))
  }

  private func tellCountdown() throws {
    guard let start = try session.scheduledStart() else { return tell("nothing is scheduled") }
    let left = try session.context.hostTime.duration(to: start.hostTime) / .seconds(1)
    tell("\(Int64(left.rounded())) s until \(start.item) begins")
  }

  private func tellPlaylist() throws {
    let list = try session.playlist()
    for (index, one) in list.entries.enumerated() {
      tell("\(one.id == list.current ? ">" : " ") \(index + 1) \(one.title ?? one.item)")
    }
    if list.entries.isEmpty { tell("the playlist is empty") }
  }

  /// To where the entry of the second number stands now; without one, to the end.
  private func move(_ argument: String) throws {
    let numbers = argument.split(separator: " ")
    guard let first = numbers.first else { throw Refusal("give a number of the list") }
    try session.moveEntry(entry(first), before: numbers.count > 1 ? entry(numbers[1]) : nil)
  }

  private func setCopy(_ path: String) throws {
    guard let current = try session.playlist().current else { throw Refusal("the group is at no entry of the playlist") }
    try session.setCopy(ItemCopy(ofFile: path), of: current)
  }

  private func load(_ argument: String) throws {
    let parts = argument.split(separator: " ", maxSplits: 1)
    guard parts.count == 2 else { throw Refusal("give a number of the list that `attachments` prints, and a path") }
    try session.load(nth(session.attachments, parts[0], "the list"), to: String(parts[1]))
  }

  /// With so many digits behind the point: Swift without Foundation does not have it.
  private static func fixed(_ value: Double, _ digits: Int) -> String {
    let (minus, power) = (value < 0 ? "-" : "", (0..<digits).reduce(Int64(1)) { power, _ in power * 10 })
    guard let whole = Int64(exactly: (value.magnitude * Double(power)).rounded()) else { return "\(value)" }
    let behind = String(whole % power)
    return "\(minus)\(whole / power).\(String(repeating: "0", count: digits - behind.count))\(behind)"
  }
}
