import Glibc
import UnisonoBase
import UnisonoCrypto
import UnisonoNearby
import UnisonoRuntime

/// Looks for friends nearby who show a film, lets the person at the terminal choose one, and asks there for the invite. All of it on one
/// thread; what is typed and the network are waited for together, so that nothing reads the terminal afterwards.
final class NearbySearch {
  struct Failure: Error { var message: String }

  private enum Phase: Equatable {
    case choosing
    case asking(UInt64)
    case comparing(UInt64)
  }

  /// Whoever is nearby was heard by then.
  private static let patience = Nanoseconds.seconds(4)

  private let loop: UVLoop
  private var browser: NearbyBrowser?
  private var menu = NearbyMenu()
  private var phase = Phase.choosing
  private var invite: Invite?
  private var typed: [UInt8] = []

  init(_ name: String) throws(NetworkError) {
    loop = try UVLoop.polled()
    browser = NearbyBrowser(environment: loop, service: WatchService.named(name)) { [weak self] in self?.take($0) }
  }

  deinit {
    browser?.close()
    loop.close()
  }

  /// The invite of who was chosen.
  func run() throws(Failure) -> Invite {
    Terminal.print(["friends nearby who show a film (their number joins them, Ctrl+C ends this):"])
    let late = loop.now.adding(Self.patience)
    var isLateSaid = false
    while true {
      if let invite { return invite }
      if menu.isEmpty, !isLateSaid, loop.now >= late {
        isLateSaid = true
        Terminal.print([
          "nobody yet. They show themselves with: unisono watch --nearby FILM; else ask them for the invite"
        ])
      }
      guard let line = try wait(until: isLateSaid ? .max : late) else { continue }
      take(line.lowercased().filter { $0 != " " })
    }
  }

  private func take(_ line: String) {
    switch phase {
    case .choosing:
      guard let device = menu.device(typed: line) else { return Terminal.print(["there is no number \(line)"]) }
      do throws(NearbyBrowser.Refusal) {
        try browser?.ask(device)
        phase = .asking(device)
        Terminal.print(["asked; the other screen asks as well"])
      } catch {
        Terminal.print(["that one is gone"])
      }
    case .asking: Terminal.print(["it was asked, and has not answered yet"])
    case .comparing(let device):
      guard line == "y" || line == "yes" || line == "n" || line == "no" else { return Terminal.print(["y or n?"]) }
      try? browser?.confirm(device, digitsMatch: line.hasPrefix("y"))
      if line.hasPrefix("y") { Terminal.print(["and now the other one says so, too"]) }
    }
  }

  private func take(_ event: NearbyBrowserEvent) {
    switch event {
    case .devices(let change):
      if let line = menu.take(change) { Terminal.print([line]) }
    case .digits(let device, let name, _, let digits):
      guard phase == .asking(device) else { return }
      phase = .comparing(device)
      let question = Question(title: "", text: "", digits: digits.text)
      Terminal.print(["\"\(name)\": both screens must show \(question.spacedDigits ?? ""). Are they the same, y or n?"])
    case .agreed(_, _, let invite): self.invite = invite
    case .failed(let device, _, let failure):
      guard phase == .asking(device) || phase == .comparing(device) else { return }
      phase = .choosing
      Terminal.print([Self.words(failure)])
    case .reach(""): Terminal.print(["devices nearby can be found again"])
    case .reach(let problem): Terminal.print(["devices nearby cannot be found: \(problem)"])
    case .log: break
    }
  }

  private static func words(_ failure: AskAttempt.Failure) -> String {
    switch failure {
    case .unreachable: "it cannot be reached"
    case .busy: "it is asked by others just now: try again"
    case .timedOut: "nobody there said yes"
    case .canceled: "not joined"
    default: "it does not do what it should; if the digits were the same, somebody is between you"
    }
  }

  /// A line that was typed; nil: something else happened, or the time came.
  private func wait(until time: HostTime) throws(Failure) -> String? {
    _ = loop.poll(maxWait: 0)
    if let end = typed.firstIndex(of: UInt8(ascii: "\n")) {
      defer { typed.removeSubrange(...end) }
      return VisibleText.plain(String(decoding: typed[..<end], as: UTF8.self))
    }
    if invite != nil { return nil }
    let due = min(loop.timeout ?? .max, max(0, time.subtracting(loop.now)))
    var entries = [
      pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
      pollfd(fd: loop.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    _ = poll(&entries, 2, Int32(clamping: due / .milliseconds(1) + 1))
    if entries[0].revents != 0 {
      var buffer = [UInt8](repeating: 0, count: 1_024)
      let count = read(0, &buffer, buffer.count)
      if count == 0 { throw Failure(message: "the input is over, and nobody was chosen") }
      // A line that is longer is none.
      if count > 0 { typed = Array((typed + buffer[..<count]).suffix(4_096)) }
    }
    return nil
  }
}
