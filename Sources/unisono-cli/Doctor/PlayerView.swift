/// Which players are on this machine, each with what it takes, or what is wrong with it.
struct PlayerView {
  enum Sight: Equatable {
    /// A sentence without its end: name, version, and what belongs to it.
    case here(String)
    case missing(PlayerMissing)
  }

  /// The one that is opened unless another is asked for.
  var usual: WatchPlayer
  var mpv: Sight
  var vlc: Sight

  init(usual: WatchPlayer, mpv: Sight, vlc: Sight) {
    self.usual = usual
    self.mpv = mpv
    self.vlc = vlc
  }

  /// As this machine has them.
  init(usual: WatchPlayer) {
    self.init(usual: usual, mpv: Self.mpv(), vlc: Self.vlc())
  }

  var finding: Finding {
    let (sight, other, others) = usual == .mpv ? (mpv, vlc, WatchPlayer.vlc) : (vlc, mpv, WatchPlayer.mpv)
    switch (sight, other) {
    case (.here(let fact), .here(let second)):
      return Finding(subject: .player, verdict: .good, fact: "\(fact); and \(second) (--player \(others.rawValue))")
    case (.here(let fact), .missing): return Finding(subject: .player, verdict: .good, fact: fact)
    case (.missing(let why), .here(let second)):
      return Finding(
        subject: .player, verdict: .bad, fact: "\(why.fact); \(second) is here", advice: "\(why.advice); or give --player \(others.rawValue)")
    case (.missing(let why), .missing): return Finding(subject: .player, verdict: .bad, fact: why.fact, advice: why.advice)
    }
  }

  private static func mpv() -> Sight {
    do throws(PlayerMissing) {
      let place = try MpvPlace.find()
      let version = place.version.map { "version \($0.major).\($0.minor)" } ?? "a version that it does not name"
      return .here("mpv, \(version), with its plugin \(place.plugin)")
    } catch {
      return .missing(error)
    }
  }

  private static func vlc() -> Sight {
    do throws(PlayerMissing) {
      let place = try VlcPlace.find()
      let version = place.version.isEmpty ? "a version that it does not name" : "version \(place.version)"
      return .here("VLC, \(version), with what drives it, \(place.driver)")
    } catch {
      return .missing(error)
    }
  }
}
