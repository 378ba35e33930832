import Synchronization
import UnisonoCrypto

/// Shows the invite that the plugin writes, and again when it is another one.
final class InvitePoster: Sendable {
  static let file = "invite"

  private let shown = Mutex("")

  /// From now on, on a thread of its own.
  func start(_ folder: PrivateFolder) throws(PrivateFolder.Failure) {
    try folder.watch { [self] name in
      if name == Self.file, let line = folder.firstLine(of: name) { show(line) }
    }
  }

  /// Whether there was one.
  var isShown: Bool { shown.withLock { !$0.isEmpty } }

  private func show(_ text: String) {
    guard shown.withLock({ old in
      defer { old = text }
      return old != text
    }), let invite = try? Invite(parsing: text) else { return }
    Terminal.print(InviteCard(invite: invite, code: Self.code(invite), columns: Terminal.size.columns).lines)
  }

  /// Drawn by qrencode, which gets the invite through a pipe.
  private static func code(_ invite: Invite) -> InviteCard.Code {
    guard Terminal.isOutput else { return .unwanted }
    guard let program = AskingOption.find("qrencode") else { return .noProgram }
    // Black on white in itself, so that it does not hang on the terminal's own colours.
    let kind = Terminal.hasColour ? "ANSIUTF8" : "UTF8"
    let arguments = [program, "-t", kind, "-l", "L", "-m", "2"]
    guard let drawing = try? Program(arguments, input: InviteCard.codeText(invite), readsOutput: true) else { return .noProgram }
    let (output, status) = drawing.finish()
    let lines = output.split(separator: "\n").map(String.init)
    return status == 0 ? .drawn(lines, columns: lines.map(InviteCard.width).max() ?? 0) : .noProgram
  }
}
