import UnisonoBase
import UnisonoCoordination
import UnisonoPlayer

/// Something that a person does at the library's player, or that befalls its renderer, beside what every host knows.
package enum PlayerAction: Sendable {
  /// "What did they say": back by so much, ns.
  case replay(back: Nanoseconds)
  case interrupt(length: Nanoseconds, resumes: Bool)
  case interstitial(length: Nanoseconds)
  /// Nothing of it is shown; the system stops the renderer meanwhile.
  case hide(length: Nanoseconds)
  case hearOthers(length: Nanoseconds)
  /// The slider moves to these places, ten times a second.
  case scrub([ItemTime], commit: Bool)
  /// The renderer has no data.
  case starve(length: Nanoseconds)
  /// The renderer stops by itself, and goes on if it was told nothing meanwhile.
  case stopByItself(length: Nanoseconds)

  private static let slider = Nanoseconds.milliseconds(100)

  var length: Nanoseconds {
    switch self {
    case .replay(let back): back
    case .interrupt(let length, _), .interstitial(let length), .hide(let length), .hearOthers(let length),
      .starve(let length), .stopByItself(let length):
      length
    case .scrub(let places, _): Self.slider * Nanoseconds(places.count + 1)
    }
  }

  /// The world does it, no person.
  var isFault: Bool {
    switch self {
    case .starve, .stopByItself: true
    default: false
    }
  }

  func happen(to person: Person, in room: SimulatedSession) {
    switch self {
    case .replay(let back): person.does(.replay(back: back, rate: 0))
    case .interrupt(let length, let resumes):
      person.does(.interruptionBegin)
      room.after(length) { _ in person.does(.interruptionEnd(resume: resumes)) }
    case .interstitial(let length):
      person.does(.interstitialBegin)
      room.after(length) { _ in person.does(.interstitialEnd) }
    case .hide(let length):
      person.does(.shown(false))
      room.after(min(length / 2, .milliseconds(100))) { _ in person.rendererStopsByItself() }
      room.after(length) { _ in person.does(.shown(true)) }
    case .hearOthers(let length):
      person.does(.othersSpeak(true))
      room.after(length) { _ in person.does(.othersSpeak(false)) }
    case .scrub(let places, let commit):
      person.does(.scrubBegin)
      for (index, place) in places.enumerated() {
        room.after(Self.slider * Nanoseconds(index + 1)) { _ in person.does(.scrubTo(place)) }
      }
      room.after(length) { _ in person.does(.scrubEnd(commit: commit)) }
    case .starve(let length):
      room.noteAction()
      person.rendererStarves(for: length)
      room.after(length) { $0.noteAction() }
    case .stopByItself(let length):
      room.noteAction()
      let goOn = person.rendererStopsByItself()
      room.after(length) { room in
        room.noteAction()
        goOn()
      }
    }
  }
}

extension PlayerAction: CustomStringConvertible {
  package var description: String {
    switch self {
    case .replay(let back): "asks for the last \(seconds(back)) again"
    case .interrupt(let length, let resumes):
      "is interrupted for \(seconds(length))\(resumes ? "" : ", and does not resume")"
    case .interstitial(let length): "sees an interstitial for \(seconds(length))"
    case .hide(let length): "hides the player for \(seconds(length))"
    case .hearOthers(let length): "hears others speak for \(seconds(length))"
    case .scrub(let places, let commit):
      "drags the slider to \(places.map { seconds($0) })\(commit ? "" : ", and back")"
    case .starve(let length): "has no data for \(seconds(length))"
    case .stopByItself(let length): "has its renderer stop by itself for \(seconds(length))"
    }
  }
}

extension Person {
  /// What everybody does, done at the player; false: it is no matter of the player's.
  func actsAtPlayer(_ action: ScriptAction) -> Bool {
    switch action {
    case .play(let rate, false): does(.setRate(rate))
    case .play(let rate, true): does(.playImmediately(rate: rate))
    case .pause: does(.pause)
    case .seek(let position, _): seeks(to: position)
    case .move(let item, let proposal): does(.replaceCurrent(PlayerItem(id: item, startTime: proposal?.itemTime ?? 0)))
    case .suspend(_, let length, let local, let proposal):
      let places = [local, proposal].compactMap { $0 }
      does(.scrubBegin)
      for place in places { room.after(length / 2) { _ in does(.scrubTo(place)) } }
      room.after(length) { _ in does(.scrubEnd(commit: proposal != nil)) }
    case .stallPlayer(let length): PlayerAction.starve(length: length).happen(to: self, in: room)
    default: return false
    }
    return true
  }
}
