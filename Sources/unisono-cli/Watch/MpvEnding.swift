import Glibc

/// What mpv's end means for who started it.
enum MpvEnding: Equatable {
  /// In order, or because it was asked to.
  case done
  /// The group's film is not among what this person has.
  case filmMissing
  case failed(status: Int32, String)

  /// The plugin's status for a film that is not here: EX_NOINPUT of sysexits.h, which mpv itself never ends with.
  static let filmMissingStatus: Int32 = 66

  /// - Parameter wasAsked: a signal to this command asked it to end. mpv's status says then how, which nobody wants to know.
  init(_ end: Program.End, wasAsked: Bool) {
    switch end {
    case .exited(0): self = .done
    case .exited where wasAsked: self = .done
    case .exited(Self.filmMissingStatus): self = .filmMissing
    case .exited(let status): self = .failed(status: status, "mpv ended with status \(status)\(Self.meaning(status))")
    case .signalled(let signal):
      self = .failed(
        status: 128 + signal,
        wasAsked && signal == SIGKILL
          ? "mpv did not end when it was asked to, and was ended" : "mpv was ended by signal \(signal)")
    }
  }

  /// As mpv's manual has it.
  private static func meaning(_ status: Int32) -> String {
    switch status {
    case 1: ": it could not be set up; it says above why"
    case 2: ": the file could not be played"
    case 3: ": some of the files could not be played"
    case 4: ": it was ended by a signal, or by Ctrl+c in its window"
    default: ""
    }
  }
}
