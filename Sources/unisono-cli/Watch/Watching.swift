import ArgumentParser
import Glibc
import UnisonoCrypto
import UnisonoRuntime

/// Watching with mpv, from a command's options to the end of mpv. Nothing that it started runs on afterwards.
struct Watching {
  /// Seconds after which it is said that there is no invite.
  private static let inviteIsLate: UInt32 = 15
  private static let configuration = "mpv.conf"

  var part: MpvStart.Part
  /// Of the session to join; nil: a new one.
  var invite: Invite?
  var films: [String]
  var settings: WatchSettings
  var options: [String]
  /// Where what to go on from on another day is kept; nil: nothing is.
  var kept: MpvStart.Kept?
  /// The router is asked for a port, for friends elsewhere; of a new session.
  var isForInternet = false
  /// Devices nearby see that a film is shown here, and may ask to join; of a new session.
  var isNearby = false

  func run() throws {
    // Before any thread is made, so that none takes them.
    let signals = SignalWait(RunningMpv.signals)
    let place: MpvPlace
    let folder: PrivateFolder
    do {
      place = try MpvPlace.find()
      folder = try PrivateFolder()
    } catch let failure as MpvPlace.Failure {
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

  private func run(_ place: MpvPlace, _ folder: PrivateFolder, _ signals: SignalWait) throws {
    let poster = InvitePoster()
    let host = isForInternet ? try InternetHost(say: Terminal.complain, moved: poster.move) : nil
    defer { host?.close() }
    poster.wait(for: host?.address)
    let person = MpvPerson(say: Terminal.complain)
    let name = settings.name ?? DeviceName.standard
    let nearby = isNearby ? try NearbyHost(name, person: person, invite: { poster.newest }, say: Terminal.complain) : nil
    defer { nearby?.close() }
    if let invite {
      try folder.write(invite.text + "\n", to: InvitePoster.file)
    } else {
      try poster.start(folder)
    }
    var films = films
    while true {
      var start = start(place, folder, films)
      if let host { start.part = .host(hub: host.line.text) }
      try folder.write(start.configuration, to: Self.configuration)
      let mpv = try RunningMpv(start, heard: person.take)
      person.attach(mpv.send)
      let (end, wasAsked) = mpv.wait(signals, reminder: invite == nil ? Self.inviteIsLate : 0) {
        if !poster.isShown { Terminal.complain("there is no invite yet: mpv or its plugin says above why") }
      }
      switch MpvEnding(end, wasAsked: wasAsked) {
      case .done: return
      case .failed(let status, let message):
        Terminal.complain(message)
        throw ExitCode(status)
      case .filmMissing:
        // What is wanted was said by the plugin.
        guard films.isEmpty, Terminal.isInput, let copy = Self.askForCopy(signals) else {
          throw ExitCode(MpvEnding.filmMissingStatus)
        }
        films = [copy]
      }
    }
  }

  private func start(_ place: MpvPlace, _ folder: PrivateFolder, _ films: [String]) -> MpvStart {
    var start = MpvStart(
      part: part, program: place.program, plugin: place.plugin, films: films, inviteFile: folder.file(InvitePoster.file),
      configurationFile: folder.file(Self.configuration))
    start.kept = kept
    start.name = settings.name
    start.folders = settings.folders
    start.trustedHosts = settings.trustedHosts
    start.options = options
    // Who came by a link on a desktop gives the film to the window; who has a terminal is asked there.
    start.hasWindow = invite != nil && Terminal.hasDesktop
    start.endsWithoutFilm = Terminal.isInput || !start.hasWindow
    return start
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
