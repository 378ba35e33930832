import Testing
import UnisonoBase
import UnisonoCrypto
import UnisonoReplica

@testable import unisono_cli

@Suite struct WatchTests {
  private func participation(_ part: Participation.Part) -> Participation {
    Participation(part: part, films: ["/films/a \"b\"\\\u{1}.mkv", "--help"], inviteFile: "/run/u/invite")
  }

  private func start(_ part: Participation.Part) -> MpvStart { start(participation(part)) }

  private func start(_ participation: Participation) -> MpvStart {
    MpvStart(
      participation: participation, program: "/usr/bin/mpv", plugin: "/usr/lib/unisono/unisono.so", configurationFile: "/run/u/mpv.conf")
  }

  private var vlc: VlcPlace { VlcPlace(program: "/usr/bin/vlc", driver: "/usr/lib/unisono/unisono-vlc", version: "3.0.18") }

  @Test("F121: nothing of a session is in a command line of VLC's; its private file has all, with a zero byte behind each")
  func vlcStart() {
    let start = VlcStart(
      participation: participation(.host(hub: nil)), place: vlc, configurationFile: "/run/u/player.conf",
      options: ["--fullscreen", "--unisono-start=every", "--unisono-odd"])
    #expect(start.launch.arguments == ["/usr/lib/unisono/unisono-vlc", "/run/u/player.conf"])
    #expect(start.launch.requests.isEmpty && start.launch.quit == "quit\n")
    #expect(
      start.configuration.split(separator: "\0") == [
        "vlc=/usr/bin/vlc", "script=/usr/lib/unisono/unisono", "option=--fullscreen", "start=every", "option=--unisono-odd", "host=yes",
        "invite-file=/run/u/invite", "quit=yes", "film=/films/a \"b\"\\\u{1}.mkv", "film=--help",
      ])
    let guest = VlcStart(participation: participation(.join(brings: false)), place: vlc, configurationFile: "/c").configuration
    #expect(guest.contains("\0copy=/films/a \"b\"") && !guest.contains("\0film=") && guest.hasSuffix("\0"))
  }

  @Test(
    "F121: VLC's version is read from what it prints; only VLC 3 is driven, and one that says none is let through",
    arguments: [
      ("VLC media player 3.0.24 Vetinari (revision 3.0.24-0-g)", "3.0.24", true), ("VLC media player 4.0.0-dev Otto", "4.0.0-dev", false),
      ("VLC media player 2.2.8 Weatherwax", "2.2.8", false), ("", "", true), ("VLC media player x", "", true), ("mpv 0.35.1 a b", "", true),
    ] as [(String, String, Bool)])
  func vlcVersion(_ printed: String, _ version: String, _ isFine: Bool) {
    #expect(VlcPlace.version(printed: printed) == version)
    #expect((VlcPlace.fault(of: version, "/usr/bin/vlc") == nil) == isFine)
  }

  @Test("F121: the doctor says which players are here, and judges the one that is opened")
  func playersHere() {
    let missing = PlayerView.Sight.missing(PlayerMissing("mpv was not found", "apt install mpv"))
    let vlc = PlayerView.Sight.here("VLC, version 3.0.24")
    let other = PlayerView(usual: .mpv, mpv: missing, vlc: vlc).finding
    #expect(other.verdict == .bad && other.fact.contains("VLC, version 3.0.24 is here") && other.advice?.contains("--player vlc") == true)
    #expect(PlayerView(usual: .vlc, mpv: missing, vlc: vlc).finding == Finding(subject: .player, verdict: .good, fact: "VLC, version 3.0.24"))
    let both = PlayerView(usual: .vlc, mpv: .here("mpv"), vlc: vlc).finding
    #expect(both.verdict == .good && both.fact == "VLC, version 3.0.24; and mpv (--player mpv)")
  }

  @Test("F75: mpv's command line has the person's own options first, and neither film, name, folder nor invite")
  func commandLine() {
    var start = start(.host(hub: "unisono-hub://h:1/secret"))
    start.participation.name = "Ann"
    start.participation.folders = ["/films"]
    start.options = ["--fs", "--script-opts=a=b"]
    #expect(
      start.arguments == [
        "/usr/bin/mpv", "--fs", "--script-opts=a=b", "--script=/usr/lib/unisono/unisono.so", "--include=/run/u/mpv.conf",
        "--input-ipc-client=fd://3",
      ])
  }

  @Test("F75: options of the plugin have their length in bytes in front, so that nothing in them ends them")
  func configuration() {
    var host = start(.host(hub: nil))
    host.participation.name = "Ä, \"n\"=%5%"
    #expect(
      host.configuration == """
        idle=once
        quiet=yes
        script-opts-append=%16%unisono-host=yes
        script-opts-append=%33%unisono-invite-file=/run/u/invite
        script-opts-append=%24%unisono-name=Ä, "n"=%5%
        script-opts-append=%16%unisono-quit=yes

        """)
    var join = start(.join(brings: false))
    join.participation.folders = ["/a b", "/c,d"]
    join.participation.trustedHosts = ["a.example", "b.example"]
    join.hasWindow = true
    join.participation.endsWithoutFilm = false
    join.participation.films = ["/c, \"d\""]
    #expect(
      join.configuration == """
        idle=yes
        quiet=yes
        force-window=yes
        script-opts-append=%29%unisono-invite=@/run/u/invite
        script-opts-append=%20%unisono-copy=/c, "d"
        script-opts-append=%25%unisono-folders=/a b:/c,d
        script-opts-append=%41%unisono-trusted-hosts=a.example:b.example

        """)
    let brings = start(.join(brings: true)).configuration
    #expect(brings.hasPrefix("idle=once\n") && brings.contains("%18%unisono-brings=yes\n"))
    let hub = start(.host(hub: "unisono-hub://h:1/i/t")).configuration
    #expect(hub.contains("%33%unisono-hub=unisono-hub://h:1/i/t\n"))
  }

  @Test("F94: who goes on gives the copy to the plugin, and who brings a film opens it; the file and its key are named to it")
  func goingOn() {
    let kept = Participation.Kept(file: "/home/a/next", key: "/home/a/key")
    var goesOn = start(.goOn(hub: nil))
    goesOn.participation.kept = kept
    goesOn.participation.films = ["/a.mkv"]
    #expect(
      goesOn.configuration == """
        idle=yes
        quiet=yes
        script-opts-append=%16%unisono-host=yes
        script-opts-append=%33%unisono-invite-file=/run/u/invite
        script-opts-append=%19%unisono-copy=/a.mkv
        script-opts-append=%29%unisono-continue=/home/a/next
        script-opts-append=%32%unisono-continue-key=/home/a/key
        script-opts-append=%16%unisono-quit=yes

        """)
    #expect(goesOn.requests.isEmpty)
    var host = start(.host(hub: nil))
    host.participation.kept = kept
    #expect(host.configuration.contains("%18%unisono-brings=yes\n") && host.configuration.contains("%29%unisono-continue=/home/a/next\n"))
    #expect(host.requests.count == 2)
  }

  @Test("F75: films are asked for as JSON strings, in their order, also where they look like options")
  func requests() {
    #expect(
      start(.host(hub: nil)).requests == [
        #"{"command":["loadfile","/films/a \"b\"\\\u0001.mkv","append-play"]}"# + "\n",
        #"{"command":["loadfile","--help","append-play"]}"# + "\n",
      ])
    #expect(start(.join(brings: false)).requests.isEmpty, "the plugin opens a copy once it is known of what it is one")
    #expect(MpvStart.quit == "{\"command\":[\"quit\"]}\n")
  }

  @Test(
    "F75: mpv's version is read from what it prints; a build from a commit has none, and is let through",
    arguments: [
      ("mpv 0.35.1 Copyright © 2000-2023", 35), ("mpv v0.38.0-12-g1234567 Copyright", 38), ("mpv 0.33.0\n", 33),
      ("mpv git-2024-01-01-abcdef Copyright", nil), ("", nil), ("vlc 3.0", nil), ("mpv x.y", nil),
    ] as [(String, Int?)])
  func version(_ printed: String, _ minor: Int?) {
    #expect(MpvVersion(printed: printed)?.minor == minor)
    #expect(MpvVersion(printed: printed).flatMap { MpvPlace.fault(of: $0, "mpv") } == nil)
  }

  @Test("F75: an mpv that is too old is told which one is needed")
  func tooOld() throws {
    let fault = try #require(MpvVersion(printed: "mpv 0.32.0 Copyright").flatMap { MpvPlace.fault(of: $0, "/usr/bin/mpv") })
    #expect(fault.message.contains("version 0.32") && fault.message.contains("0.33"))
    #expect(MpvVersion(major: 1, minor: 0) > .oldest)
  }

  @Test("F75: the plugin is looked for beside the command, in the folders of libraries, or where the environment says alone")
  func plugin() {
    let search = PartSearch(part: "unisono.so", folder: "/usr/bin", kinds: ["x86_64-linux-gnu", "i386-linux-gnu"], given: nil)
    #expect(
      search.places == [
        "/usr/bin/unisono.so", "/usr/lib/unisono/unisono.so", "/usr/lib/i386-linux-gnu/unisono/unisono.so",
        "/usr/lib/x86_64-linux-gnu/unisono/unisono.so",
      ])
    #expect(PartSearch(part: "unisono.so", folder: "/usr/bin", kinds: [], given: "/a.so").places == ["/a.so"])
    #expect(PartSearch(part: "unisono.so", folder: "/bin", kinds: [], given: nil).places == ["/bin/unisono.so", "/lib/unisono/unisono.so"])
  }

  @Test(
    "F75: how mpv ended is told, but for what it says when it was asked to end",
    arguments: [
      (.exited(0), false, .done), (.exited(4), true, .done), (.exited(66), false, .filmMissing), (.exited(66), true, .done),
      (.exited(2), false, .failed(status: 2, "mpv ended with status 2: the file could not be played")),
      (.exited(77), false, .failed(status: 77, "mpv ended with status 77")),
      (.signalled(11), false, .failed(status: 139, "mpv was ended by signal 11")),
      (.signalled(9), true, .failed(status: 137, "mpv did not end when it was asked to, and was ended")),
    ] as [(Program.End, Bool, PlayerEnding)])
  func endings(_ end: Program.End, _ wasAsked: Bool, _ ending: PlayerEnding) {
    #expect(PlayerEnding(end, of: .mpv, wasAsked: wasAsked) == ending)
  }

  @Test("F121: how VLC ended is told with its name, and without what mpv means by its numbers")
  func endingsOfVlc() {
    #expect(PlayerEnding(.exited(1), of: .vlc, wasAsked: false) == .failed(status: 1, "VLC ended with status 1: it could not be set up; it says above why"))
    #expect(PlayerEnding(.exited(2), of: .vlc, wasAsked: false) == .failed(status: 2, "VLC ended with status 2"))
    #expect(PlayerEnding(.exited(66), of: .vlc, wasAsked: false) == .filmMissing)
  }

  @Test(
    "F75: a path is taken as people type it, paste it and drag it into a terminal",
    arguments: [
      ("/a b.mkv", "/a b.mkv"), ("  '/a b.mkv' ", "/a b.mkv"), ("\"/a'b\"", "/a'b"), ("/a\\ b\\\\c", "/a b\\c"), ("~/x", "/home/ann/x"),
      ("file:///a", "/a"), ("/a\\ ", "/a "), ("", nil), ("  \t", nil), ("''", nil), ("'", "'"),
    ] as [(String, String?)])
  func paths(_ typed: String, _ path: String?) {
    #expect(PastedPath(typed, home: "/home/ann")?.path == path)
  }

  private func invite(_ addresses: String...) throws -> Invite {
    let door = Secret { [UInt8](repeating: 7, count: $0) }
    let origin = Origin(root: ParticipantID(high: 1, low: 2), controlPolicy: 0, joinerRole: 2)
    return try Invite(origin: origin, door: door, hubs: addresses.map { HubAddress(address: $0, hub: [UInt8](repeating: 7, count: 16)) })
  }

  @Test("F75: an invite is shown with who can use it, and with a QR code where one fits")
  func card() throws {
    let near = try invite("192.168.1.5:7400")
    let drawn = InviteCard.Code.drawn(["##", "##"], columns: 2)
    let lines = InviteCard(invite: near, code: drawn, columns: 80).lines
    #expect(lines.first == "invite \(near.text)")
    #expect(lines.contains { $0.contains("same network") } && lines.filter { $0 == "##" }.count == 2)
    let narrow = InviteCard(invite: near, code: .drawn(["##"], columns: 81), columns: 80).lines
    #expect(narrow.contains { $0.contains("needs a terminal of 81 columns; this one has 80") } && !narrow.contains("##"))
    let machine = InviteCard(invite: try invite("127.0.0.1:7400"), code: .unwanted, columns: 80).lines
    #expect(machine.count == 2 && machine[1].contains("this machine alone"))
    let world = InviteCard(invite: try invite("10.0.0.1:1", "hub.example:7400"), code: .noProgram, columns: 80).lines
    #expect(world.count == 3 && world[1].contains("apt install qrencode"))
  }

  @Test("F75: a QR code's letters are those that it has a short form for, and mean the same invite")
  func codeText() throws {
    let invite = try invite("192.168.1.5:7400", "[fe80::1]:7400", "hub.example:7400")
    let text = InviteCard.codeText(invite, page: nil)
    #expect(text.utf8.allSatisfy { "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8.contains($0) })
    // Names of hosts in capitals are other texts for the same hosts.
    #expect(try Invite(parsing: text).text.lowercased() == invite.text)
    #expect(InviteCard.width(of: "\u{1B}[40;37;1m██▀▄\u{1B}[0m") == 4)
  }

  @Test("F107: with a page its link is shown with the invite behind the #, and is what the QR code is of")
  func pageCard() throws {
    let invite = try invite("192.168.1.5:7400")
    let page = "http://192.168.1.5:7400/page/?key=0a1b"
    let lines = InviteCard(invite: invite, code: .unwanted, columns: 80, page: page).lines
    #expect(lines.first == "invite \(invite.text)")
    #expect(lines.contains { $0.hasSuffix(" \(page)#\(invite.text)") } && lines.contains { $0.contains("can change the page") })
    let parts = InviteCard.codeText(invite, page: page).split(separator: "#")
    #expect(parts.count == 2 && parts[0] == page)
    #expect(try Invite(parsing: String(parts[1])) == invite)
  }

  @Test("F107: --web is for a session that meets here")
  func webPlace() throws {
    for elsewhere in [["--hub", "unisono-hub://a:1/x"], ["--session", "@x"]] {
      #expect(throws: (any Error).self) { try UnisonoCommand.parseAsRoot(["watch", "--web", "/dev/null"] + elsewhere) }
    }
    let command = try #require(try UnisonoCommand.parseAsRoot(["watch", "--web", "/dev/null"]) as? WatchCommand)
    #expect(command.web && !command.internet)
  }

  private func settings(_ text: String) throws(SettingsError) -> WatchSettings {
    try AgentSettings(parsing: text, file: "agent.toml", home: "/home/ann").watch
  }

  @Test("F75: a table [watch] says name, folders, trusted hosts and hub")
  func settingsAreRead() throws {
    let watch = try settings(
      """
      [watch]
      name = "Ann"
      folders = ["~/Videos", "/media/films"]
      trusted_hosts = ["films.example"]
      hub = "unisono-hub://h:1/i"
      player = "vlc"
      """)
    #expect((watch.name, watch.folders, watch.trustedHosts) == ("Ann", ["/home/ann/Videos", "/media/films"], ["films.example"]))
    #expect(watch.hub == "unisono-hub://h:1/i" && watch.player == .vlc)
    #expect(try settings("") == WatchSettings())
  }

  @Test(
    "F75: what is wrong in [watch] is said with its line",
    arguments: [
      ("folders = \"/a\"", "list of strings"), ("folders = [\"films\"]", "begins neither with / nor with ~/"),
      ("folders = [\"/a:b\"]", "colon"), ("trusted_hosts = [\"http://a\"]", "no host"), ("trusted_hosts = [\"\"]", "no host"),
      ("name = \"\"", "name is 1"), ("hub = [\"a\"]", "is a string"), ("theme = \"dark\"", "there is no setting \"theme\""), ("player = \"totem\"", "player is \"mpv\" or \"vlc\""),
    ])
  func settingsThatAreWrong(_ line: String, _ words: String) throws {
    do throws(SettingsError) {
      _ = try settings("\n[watch]\n" + line)
      Issue.record("was taken")
    } catch {
      #expect(error.message.contains(words) && error.message.hasPrefix("agent.toml, line 2"), "\(error.message)")
    }
  }
}
