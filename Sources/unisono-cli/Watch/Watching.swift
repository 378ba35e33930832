import ArgumentParser
import Glibc
import UnisonoCrypto
import UnisonoRuntime

/// Watching, from a command's options to the end of the player. Nothing that it started runs on afterwards.
struct Watching {
  /// Seconds after which it is said that there is no invite.
  private static let inviteIsLate: UInt32 = 15
  private static let configuration = "player.conf"

  /// The player, as it was found.
  private enum Place {
    case mpv(MpvPlace), vlc(VlcPlace)

    static func find(_ player: WatchPlayer) throws(PlayerMissing) -> Place {
      switch player {
      case .mpv: .mpv(try MpvPlace.find())
      case .vlc: .vlc(try VlcPlace.find())
      }
    }
  }

  var part: Participation.Part
  /// Of the session to join; nil: a new one.
  var invite: Invite?
  var films: [String]
  var settings: WatchSettings
  var options: [String]
  /// Where what to go on from on another day is kept; nil: nothing is.
  var kept: Participation.Kept?
  /// The router is asked for a port, for friends elsewhere; of a new session.
  var isForInternet = false
  /// Browsers of this network are served the page, and the films that are files; of a new session.
  var isForBrowsers = false
  /// Devices nearby see that a film is shown here, and may ask to join; of a new session.
  var isNearby = false

  func run() throws {
    // Before any thread is made, so that none takes them.
    let signals = SignalWait(RunningPlayer.signals)
    let place: Place
    let folder: PrivateFolder
    do {
      place = try Place.find(settings.player)
      folder = try PrivateFolder()
    } catch let failure as PlayerMissing {
      throw failed(failure.message)
    } catch let failure as PrivateFolder.Failure {
      throw failed(failure.message)
    }
    defer { folder.remove([InvitePoster.file, InvitePoster.file + ".part", Self.configuration]) }
    do {
      try run(place, folder, signals)
    } catch let failure as PrivateFolder.Failure {
      throw failed(failure.message)
    } catch let failure as Program.Failure {
      throw failed(failure.message)
    } catch let failure as NetworkError {
      throw failed(failure.message)
    }
  }

  private func run(_ place: Place, _ folder: PrivateFolder, _ signals: SignalWait) throws {
    let poster = InvitePoster()
    let site = isForBrowsers ? try FilmSite(films) : nil
    let hub = isForInternet || isForBrowsers ? try HomeHub(site: site?.site) : nil
    let router = isForInternet ? hub.map { InternetHost($0, say: Terminal.complain, moved: poster.move) } : nil
    defer {
      // Others need the port until they have turned elsewhere.
      hub?.close()
      router?.close()
    }
    poster.wait(for: router?.address ?? hub?.addresses.first)
    poster.offer(hub.flatMap { hub in site.map { $0.page(at: hub.addressHere) } })
    // VLC has no keys to answer with.
    let overFilm = settings.player == .mpv ? MpvPerson(say: Terminal.complain) : nil
    let name = settings.name ?? DeviceName.standard
    let nearby = isNearby ? try NearbyHost(
        name, person: overFilm ?? TerminalPerson(), asks: overFilm == nil ? "here" : "over the film", invite: { poster.newest },
        say: Terminal.complain) : nil
    defer { nearby?.close() }
    if let invite {
      try folder.write(invite.text + "\n", to: InvitePoster.file)
    } else {
      try poster.start(folder)
    }
    var films = films
    while true {
      var participation = participation(folder, films)
      if let hub { participation.part = .host(hub: hub.line.text) }
      let launch = launch(place, folder, participation)
      try folder.write(launch.configuration, to: Self.configuration)
      let player = try RunningPlayer(launch) { overFilm?.take($0) }
      overFilm?.attach(player.send)
      let (end, wasAsked) = player.wait(signals, reminder: invite == nil ? Self.inviteIsLate : 0) {
        if !poster.isShown { Terminal.complain("there is no invite yet: \(settings.player.title), or what is beside it, says above why") }
      }
      switch PlayerEnding(end, of: settings.player, wasAsked: wasAsked) {
      case .done: return
      case .failed(let status, let message):
        Terminal.complain(message)
        throw ExitCode(status)
      case .filmMissing:
        // What is wanted was said by what is in the player.
        guard films.isEmpty, Terminal.isInput, let copy = Self.askForCopy(signals) else {
          throw ExitCode(PlayerEnding.filmMissingStatus)
        }
        films = [copy]
      }
    }
  }

  private func participation(_ folder: PrivateFolder, _ films: [String]) -> Participation {
    var participation = Participation(part: part, films: films, inviteFile: folder.file(InvitePoster.file))
    participation.kept = kept
    participation.name = settings.name
    participation.folders = settings.folders
    participation.trustedHosts = settings.trustedHosts
    participation.endsWithoutFilm = Terminal.isInput || !hasWindow
    return participation
  }

  /// Who came by a link on a desktop gives the film to the window; who has a terminal is asked there.
  private var hasWindow: Bool { invite != nil && Terminal.hasDesktop }

  private func launch(_ place: Place, _ folder: PrivateFolder, _ participation: Participation) -> PlayerLaunch {
    let file = folder.file(Self.configuration)
    switch place {
    case .mpv(let place):
      var start = MpvStart(participation: participation, program: place.program, plugin: place.plugin, configurationFile: file)
      start.hasWindow = hasWindow
      start.options = options
      return start.launch
    case .vlc(let place):
      return VlcStart(participation: participation, place: place, configurationFile: file, options: options).launch
    }
  }

  private static func askForCopy(_ signals: SignalWait) -> String? {
    while true {
      let question = "The path of your copy of it, typed or dragged here (nothing: not now):"
      guard let line = TypedLine.read(question, signals),
        let pasted = PastedPath(line, home: SettingsFile.environment("HOME") ?? "")
      else { return nil }
      guard let fault = FilmArgument.fault(pasted.path) else { return pasted.path }
      Terminal.print([fault])
    }
  }

  private func failed(_ message: String) -> ExitCode {
    Terminal.complain(message)
    return .failure
  }
}
