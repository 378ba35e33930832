import Synchronization
import UnisonoCrypto
import UnisonoReplica

/// Shows the invite that the plugin writes, and again when it is another one.
final class InvitePoster: Sendable {
  static let file = "invite"

  private struct Board {
    var shown = ""
    /// As the plugin wrote it last.
    var written: Invite?
    /// A hub's addresses that are others now, each with what it is.
    var moved: [String: String] = [:]
    /// An address that no invite is shown without; nil: any is.
    var needed: String?
    /// Address of the page that invites are for as well.
    var page: String?
  }

  private let board = Mutex(Board())

  /// From now on, on a thread of its own.
  func start(_ folder: PrivateFolder) throws(PrivateFolder.Failure) {
    try folder.watch { [self] name in
      if name == Self.file, let line = folder.firstLine(of: name), let invite = try? Invite(parsing: line) {
        show(
          board.withLock { board in
            board.written = invite
            return Self.next(&board)
          })
      }
    }
  }

  /// As it was shown last; nil: none was. Any thread.
  var newest: Invite? { try? Invite(parsing: board.withLock { $0.shown }) }

  /// Whether there was one.
  var isShown: Bool { board.withLock { !$0.shown.isEmpty } }

  /// Shows no invite that has not this address: until the session knows it, its invites lead nowhere else.
  func wait(for address: String?) { board.withLock { $0.needed = address } }

  /// Browsers take part by the page at this address.
  func offer(_ page: String?) { board.withLock { $0.page = page } }

  /// A hub is reached at another address now, which the session does not know yet.
  func move(_ old: String, to new: String) {
    show(
      board.withLock { board in
        // What led to the old one leads to the new one as well.
        for (from, to) in board.moved where to == old { board.moved[from] = new }
        board.moved[old] = new
        return Self.next(&board)
      })
  }

  /// The invite to show now; nil: it is shown already, or it leads nowhere yet.
  private static func next(_ board: inout Board) -> Invite? {
    guard let written = board.written else { return nil }
    let hubs = written.hubs.map { HubAddress(address: board.moved[$0.address] ?? $0.address, hub: $0.hub) }
    guard board.needed.map({ needed in written.hubs.contains { $0.address == needed } }) ?? true,
      let invite = try? Invite(origin: written.origin, door: written.door, hubs: hubs, passes: written.passes),
      invite.text != board.shown
    else { return nil }
    board.shown = invite.text
    return invite
  }

  private func show(_ invite: Invite?) {
    guard let invite else { return }
    let page = board.withLock { $0.page }
    Terminal.print(InviteCard(invite: invite, code: Self.code(invite, page), columns: Terminal.size.columns, page: page).lines)
  }

  /// Drawn by qrencode, which gets the invite through a pipe.
  private static func code(_ invite: Invite, _ page: String?) -> InviteCard.Code {
    guard Terminal.isOutput else { return .unwanted }
    guard let program = AskingOption.find("qrencode") else { return .noProgram }
    // Black on white in itself, so that it does not hang on the terminal's own colours.
    let kind = Terminal.hasColour ? "ANSIUTF8" : "UTF8"
    let arguments = [program, "-t", kind, "-l", "L", "-m", "2"]
    guard let drawing = try? Program(arguments, input: InviteCard.codeText(invite, page: page), readsOutput: true) else {
      return .noProgram
    }
    let (output, status) = drawing.finish()
    let lines = output.split(separator: "\n").map(String.init)
    return status == 0 ? .drawn(lines, columns: lines.map(InviteCard.width).max() ?? 0) : .noProgram
  }
}
