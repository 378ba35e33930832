import ArgumentParser

/// A player that a film is watched in.
enum WatchPlayer: String, ExpressibleByArgument, CaseIterable {
  case mpv, vlc

  /// As people call it.
  var title: String {
    switch self {
    case .mpv: "mpv"
    case .vlc: "VLC"
    }
  }
}
