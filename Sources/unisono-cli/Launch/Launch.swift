import UnisonoCrypto

/// A program about to be started with an invite: its arguments as they are handed to the system, never to a shell.
struct Launch: Equatable {
  var arguments: [String]
  /// What its standard input says; nil: nothing.
  var input: String?

  /// Only what passed the strict parser of invites gets here.
  init(_ activity: ActivitySettings, _ invite: Invite) { self.init(activity, text: invite.text) }

  /// `text` stays one element, whatever is in it.
  init(_ activity: ActivitySettings, text: String) {
    switch activity.input {
    case .stdin:
      arguments = activity.command
      input = text + "\n"
    case .argument:
      var isPlaced = false
      arguments = activity.command.map { argument in
        guard let range = argument.firstRange(of: ActivitySettings.placeholder) else { return argument }
        isPlaced = true
        return argument.replacingCharacters(in: range, with: text)
      }
      if !isPlaced { arguments.append(text) }
    }
  }
}

extension String {
  /// Of a text that is ASCII itself; without Foundation.
  fileprivate func firstRange(of part: String) -> Range<Index>? {
    indices.first { self[$0...].hasPrefix(part) }.map { $0..<index($0, offsetBy: part.count) }
  }

  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
  }
}
