/// How mpv is started with the plugin: what its command line says, which everybody on this machine can read, what only a private
/// file says, and what it is asked for once it runs. Films, names and invites are in the latter two.
struct MpvStart: Equatable {
  enum Part: Equatable {
    /// Of a new session, or of the one that the kept file is of, whose invite the plugin writes into a file; the films are opened.
    case host(hub: String?)
    /// Of a session whose invite is in the file. `brings`: the films are what the group watches from now on; else the first is one's own
    /// copy of what it watches.
    case join(brings: Bool)
    /// Of the session that the kept file is of, whose invite the plugin writes into a file; the first film is one's own copy.
    case goOn(hub: String?)
  }

  /// What this person goes on from on another day: files for their owner alone.
  struct Kept: Equatable {
    var file: String
    var key: String
  }

  var part: Part
  /// mpv, as it was found.
  var program: String
  var plugin: String
  /// Files and addresses, as they were given.
  var films: [String]
  /// A file for its owner alone: the plugin writes the invite into it, or reads it there.
  var inviteFile: String
  /// A file for its owner alone, which `configuration` is written into.
  var configurationFile: String
  /// nil: nothing is kept.
  var kept: Kept?
  var name: String?
  var folders: [String] = []
  var trustedHosts: [String] = []
  /// It shows its window also while there is nothing to see.
  var hasWindow = false
  /// It ends where there is nothing to play.
  var endsWithoutFilm = true
  /// The person's own options of mpv.
  var options: [String] = []

  /// What is ours comes last, so that it holds.
  var arguments: [String] {
    [program] + options + ["--script=\(plugin)", "--include=\(configurationFile)", "--input-ipc-client=fd://3"]
  }

  /// It plays its own copies, and goes on to the group's next film; who brought a film has seen it then.
  private var isGuest: Bool {
    switch part {
    case .host, .join(brings: true): false
    case .goOn, .join(brings: false): true
    }
  }

  var configuration: String {
    var lines = ["idle=\(isGuest ? "yes" : "once")", "quiet=yes"]
    if hasWindow { lines.append("force-window=yes") }
    var given: [(String, String)] = []
    switch part {
    case .host(let hub), .goOn(let hub):
      given += [("host", "yes"), ("invite-file", inviteFile)]
      if let hub { given.append(("hub", hub)) }
      if isGuest {
        if let copy = films.first { given.append(("copy", copy)) }
      } else if kept != nil {
        given.append(("brings", "yes"))
      }
    case .join(let brings):
      given.append(("invite", "@" + inviteFile))
      if brings { given.append(("brings", "yes")) } else if let copy = films.first { given.append(("copy", copy)) }
    }
    if let kept { given += [("continue", kept.file), ("continue-key", kept.key)] }
    if let name { given.append(("name", name)) }
    if !folders.isEmpty { given.append(("folders", folders.joined(separator: ":"))) }
    if !trustedHosts.isEmpty { given.append(("trusted-hosts", trustedHosts.joined(separator: ":"))) }
    if endsWithoutFilm { given.append(("quit", "yes")) }
    for (key, value) in given {
      // With its length in front, which mpv takes as it is, whatever is in it.
      let pair = "unisono-\(key)=\(value)"
      lines.append("script-opts-append=%\(pair.utf8.count)%\(pair)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// One line each, for descriptor 3. A guest's copy is opened by the plugin, once it is known of what it is one.
  var requests: [String] { isGuest ? [] : films.map { Self.request("loadfile", $0, "append-play") } }

  static let quit = request("quit")

  static func request(_ words: String...) -> String {
    JSONText.object([("command", JSONText.list(words.map { JSONText.quoted($0) }))]) + "\n"
  }
}
