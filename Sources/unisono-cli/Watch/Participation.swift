/// What one who watches takes part in, and with which films and names: what this command tells the part of Unisono that is in the player, or
/// beside it (bindings/watch). Nothing of it is in a command line.
struct Participation: Equatable {
  enum Part: Equatable {
    /// Of a new session, or of the one that the kept file is of, whose invite is written into a file; the films are opened.
    case host(hub: String?)
    /// Of a session whose invite is in the file. `brings`: the films are what the group watches from now on; else the first is one's own
    /// copy of what it watches.
    case join(brings: Bool)
    /// Of the session that the kept file is of, whose invite is written into a file; the first film is one's own copy.
    case goOn(hub: String?)
  }

  /// What this person goes on from on another day: files for their owner alone.
  struct Kept: Equatable {
    var file: String
    var key: String
  }

  var part: Part
  /// Files and addresses, as they were given.
  var films: [String]
  /// A file for its owner alone: the invite is written into it, or read there.
  var inviteFile: String
  /// nil: nothing is kept.
  var kept: Kept?
  var name: String?
  var folders: [String] = []
  var trustedHosts: [String] = []
  /// The player ends where there is nothing to play.
  var endsWithoutFilm = true

  /// One plays one's own copies, and goes on to the group's next film; who brought a film has seen it then.
  var isGuest: Bool {
    switch part {
    case .host, .join(brings: true): false
    case .goOn, .join(brings: false): true
    }
  }

  /// Films that are brought are opened in the player.
  var filmsToOpen: [String] { isGuest ? [] : films }

  /// Options by their names, as bindings/watch has them.
  var options: [(name: String, value: String)] {
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
    return given
  }
}
