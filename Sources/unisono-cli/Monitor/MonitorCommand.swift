import ArgumentParser
import Glibc
import UnisonoCrypto
import UnisonoRuntime

struct MonitorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "monitor",
    abstract: "Shows everybody in a session: where each one is, how far from the others, and who is waited for.",
    discussion: """
      It takes part as one who looks on: nobody waits for it, and it plays nothing. Ctrl+C ends it. Where the output is no terminal it shows \
      one picture and ends, as with --once. See docs/watch.md.
      """)

  private enum Style { case live, once, records }

  @Argument(help: "The invite (unisono://...); @FILE: the first line of a file, -: of the input.")
  var invite: String

  @Flag(help: "A line of JSON for each change, and one a second while something plays.")
  var json = false

  @Flag(help: "One picture, once everybody was heard, and no more.")
  var once = false

  @Option(help: "What the others see.")
  var name = "monitor"

  func validate() throws {
    if json, once { throw ValidationError("--json and --once are two ways to show it: give one") }
  }

  func run() throws {
    let invite = try InviteArgument.read(invite)
    do throws(SettingsError) { _ = try WatchSettings.name(name) } catch { throw ValidationError(error.message) }
    let style: Style = json ? .records : once || !Terminal.isOutput ? .once : .live
    // Before any thread is made, so that none takes them.
    let signals = SignalWait([SIGINT, SIGTERM, SIGHUP])
    try AttendingRun.perform { () throws(Observer.Failure) in
      let observer = try Observer(invite: invite.text, name: name)
      defer { observer.close() }
      let stop = StopRequest(signals, wake: observer.wake)
      switch style {
      case .live: try showLive(observer, stop)
      case .once: try showOnce(observer, stop)
      case .records: try showRecords(observer, stop)
      }
      return observer.end
    }
  }

  private static let second: Int64 = 1_000_000_000
  /// Between two pictures at a terminal.
  private static let frame: Int64 = 200_000_000
  /// Everybody says once a second where they are.
  private static let hearing = 2 * second
  private static let patience = 20 * second

  private func isOver(_ observer: Observer, _ stop: StopRequest) -> Bool {
    stop.isWanted || observer.end != nil
  }

  private func drawing(_ picture: GroupPicture) -> [StyledLine] {
    let size = Terminal.size
    return GroupDrawing(picture: picture, columns: size.columns, rows: size.rows).lines
  }

  /// On a screen of its own, which goes at the end.
  private func showLive(_ observer: Observer, _ stop: StopRequest) throws(Observer.Failure) {
    let colour = Terminal.hasColour
    Terminal.write("\u{1B}[?1049h\u{1B}[?25l", to: 1)
    defer { Terminal.write("\u{1B}[?25h\u{1B}[?1049l", to: 1) }
    var next = observer.now
    while !isOver(observer, stop) {
      try observer.run(for: max(1, next - observer.now))
      guard observer.now >= next else { continue }
      next = observer.now + Self.frame
      let columns = Terminal.size.columns
      let lines = drawing(observer.picture()).map { $0.written(columns: columns, colour: colour) + "\u{1B}[K" }
      Terminal.write("\u{1B}[H" + lines.joined(separator: "\r\n") + "\u{1B}[J", to: 1)
    }
  }

  private func showOnce(_ observer: Observer, _ stop: StopRequest) throws(Observer.Failure) {
    let begun = observer.now
    var heard: Int64?
    while !isOver(observer, stop) {
      try observer.run(for: Self.frame)
      let picture = observer.picture()
      if heard == nil, picture.isConnected { heard = observer.now }
      if let heard, observer.now - heard >= Self.hearing {
        let columns = Terminal.size.columns
        Terminal.print(drawing(picture).map { $0.written(columns: columns, colour: Terminal.hasColour) })
        return
      }
      if heard == nil, observer.now - begun > Self.patience { throw Observer.Failure(message: picture.connection) }
    }
  }

  private func showRecords(_ observer: Observer, _ stop: StopRequest) throws(Observer.Failure) {
    var shown: GroupPicture?
    var (eventsShown, shownAt) = (0, Int64.min)
    while !isOver(observer, stop) {
      try observer.run(for: Self.frame / 2)
      let picture = observer.picture()
      let still = picture.withoutMeasures
      var isPlaying = false
      if case .playing = picture.motion { isPlaying = true }
      guard still != shown || (isPlaying && observer.now - shownAt >= Self.second) else { continue }
      let new = min(observer.eventCount - eventsShown, picture.events.count)
      Terminal.print([GroupRecord(picture: picture, events: picture.events.suffix(new)).line])
      (shown, eventsShown, shownAt) = (still, observer.eventCount, observer.now)
    }
  }
}
