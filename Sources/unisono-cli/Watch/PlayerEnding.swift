import Glibc

/// What a player's end means for who started it.
enum PlayerEnding: Equatable {
  /// In order, or because it was asked to.
  case done
  /// The group's film is not among what this person has.
  case filmMissing
  case failed(status: Int32, String)

  /// The status for a film that is not here: EX_NOINPUT of sysexits.h, which no player ends with by itself.
  static let filmMissingStatus: Int32 = 66

  /// - Parameter wasAsked: a signal to this command asked it to end. Its status says then how, which nobody wants to know.
  init(_ end: Program.End, of player: WatchPlayer, wasAsked: Bool) {
    switch end {
    case .exited(0): self = .done
    case .exited where wasAsked: self = .done
    case .exited(Self.filmMissingStatus): self = .filmMissing
    case .exited(let status): self = .failed(status: status, "\(player.title) ended with status \(status)\(Self.meaning(status, of: player))")
    case .signalled(let signal):
      self = .failed(
        status: 128 + signal,
        wasAsked && signal == SIGKILL
          ? "\(player.title) did not end when it was asked to, and was ended" : "\(player.title) was ended by signal \(signal)")
    }
  }

  /// As mpv's manual has it.
  private static func meaning(_ status: Int32, of player: WatchPlayer) -> String {
    guard player == .mpv || status == 1 else { return "" }
    return switch status {
    case 1: ": it could not be set up; it says above why"
    case 2: ": the file could not be played"
    case 3: ": some of the files could not be played"
    case 4: ": it was ended by a signal, or by Ctrl+c in its window"
    default: ""
    }
  }
}
