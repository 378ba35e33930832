/// How VLC is started: by a program of ours that drives it (bindings/vlc), with a private file that says everything else.
struct VlcStart: Equatable {
  var participation: Participation
  /// VLC and what drives it, as they were found.
  var place: VlcPlace
  /// A file for its owner alone, which `configuration` is written into.
  var configurationFile: String
  /// The person's own options of VLC, and "--unisono-NAME=VALUE" for what they have no option of this command for.
  var options: [String] = []

  private static let own = "--unisono-"

  var launch: PlayerLaunch {
    PlayerLaunch(player: .vlc, arguments: [place.driver, configurationFile], configuration: configuration, quit: "quit\n")
  }

  /// Names and values with a zero byte behind each: there is none in what people give.
  var configuration: String {
    var given = [("vlc", place.program), ("script", place.script)]
    for option in options {
      if option.hasPrefix(Self.own), let sign = option.firstIndex(of: "=") {
        given.append((String(option[..<sign].dropFirst(Self.own.count)), String(option[option.index(after: sign)...])))
      } else {
        given.append(("option", option))
      }
    }
    given += participation.options.map { ($0.name, $0.value) } + participation.filmsToOpen.map { ("film", $0) }
    return given.map { "\($0.0)=\($0.1)\0" }.joined()
  }
}
