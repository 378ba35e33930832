import UnisonoCrypto
import UnisonoRuntime

/// An invite as it is shown to who passes it on: as a link, as a QR code where there is one, and who can use it.
struct InviteCard {
  enum Code: Equatable {
    /// Lines of a QR code, this many columns wide.
    case drawn([String], columns: Int)
    /// There is no program that draws one.
    case noProgram
    /// None is wanted: this is no terminal.
    case unwanted
  }

  var invite: Invite
  var code: Code
  /// Of the terminal.
  var columns: Int
  /// Address of the page for browsers; nil: there is none.
  var page: String?

  /// What a QR code is of. An invite in the letters that there is a short form for; readers take both. Behind a page's address it is told
  /// to no server.
  static func codeText(_ invite: Invite, page: String?) -> String { (page.map { $0 + "#" } ?? "") + invite.text.uppercased() }

  /// Drawn with two dots a character; whatever sets colours in it takes no column.
  static func width(of line: String) -> Int {
    var isControl = false
    return line.unicodeScalars.reduce(into: 0) { columns, scalar in
      if scalar == "\u{1B}" {
        isControl = true
      } else if isControl {
        isControl = scalar != "m"
      } else {
        columns += 1
      }
    }
  }

  var lines: [String] {
    var lines = ["invite \(invite.text)"]
    switch invite.hubs.map({ AddressReach(of: $0.address) }).max() ?? .machine {
    case .machine: lines.append("(it leads to this machine alone: only programs here can join)")
    case .network: lines.append("(its addresses are private: who is in the same network can join; for the internet give --internet or --hub)")
    case .anywhere: break
    }
    if let page {
      lines.append("for browsers here, without an installation: \(page)#\(invite.text)")
      lines.append("(over plain http: whoever is on the way in this network can see the film, and can change the page)")
    }
    switch code {
    case .drawn(let drawn, let width) where width <= columns: lines += drawn
    case .drawn(_, let width): lines.append("(a QR code of it needs a terminal of \(width) columns; this one has \(columns))")
    case .noProgram: lines.append("(a QR code stands here where qrencode is installed; on Debian: apt install qrencode)")
    case .unwanted: break
    }
    if code != .unwanted { lines.append("Friends join with: unisono join INVITE [THEIR FILE]") }
    return lines
  }
}
