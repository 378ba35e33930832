/// How mpv is started with the plugin: what its command line says, which everybody on this machine can read, what only a private
/// file says, and what it is asked for once it runs. Films, names and invites are in the latter two.
struct MpvStart: Equatable {
  var participation: Participation
  /// mpv, as it was found.
  var program: String
  var plugin: String
  /// A file for its owner alone, which `configuration` is written into.
  var configurationFile: String
  /// It shows its window also while there is nothing to see.
  var hasWindow = false
  /// The person's own options of mpv.
  var options: [String] = []

  var launch: PlayerLaunch {
    PlayerLaunch(player: .mpv, arguments: arguments, configuration: configuration, requests: requests, quit: Self.quit)
  }

  /// What is ours comes last, so that it holds.
  var arguments: [String] {
    [program] + options + ["--script=\(plugin)", "--include=\(configurationFile)", "--input-ipc-client=fd://3"]
  }

  var configuration: String {
    var lines = ["idle=\(participation.isGuest ? "yes" : "once")", "quiet=yes"]
    if hasWindow { lines.append("force-window=yes") }
    for (key, value) in participation.options {
      // With its length in front, which mpv takes as it is, whatever is in it.
      let pair = "unisono-\(key)=\(value)"
      lines.append("script-opts-append=%\(pair.utf8.count)%\(pair)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// One line each, for descriptor 3. A guest's copy is opened by the plugin, once it is known of what it is one.
  var requests: [String] { participation.filmsToOpen.map { Self.request("loadfile", $0, "append-play") } }

  static let quit = request("quit")

  static func request(_ words: String...) -> String {
    JSONText.object([("command", JSONText.list(words.map { JSONText.quoted($0) }))]) + "\n"
  }
}
