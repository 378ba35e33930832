import UnisonoBase
import UnisonoCoordination
import UnisonoPlayer
import UnisonoReplica

/// The player of what JavaScript takes part in, and the suspensions of that; at most one at a time.
final class PlayerPlace {
  static let suspensionLimit = 64

  private let environment: DrivenEnvironment
  private let report: Report
  private let coordinate: (CoordinationEvent) -> Void
  private var player: WebPlayer?
  private var suspensions: Set<UInt64> = []
  /// Why nothing is taken any more; nil: it is.
  private var end: String?

  init(environment: DrivenEnvironment, report: Report, coordinate: @escaping (CoordinationEvent) -> Void) {
    (self.environment, self.report, self.coordinate) = (environment, report, coordinate)
  }

  func requireLife() throws(Failure) {
    if let end { throw Failure(.state, end) }
  }

  func requirePlayer() throws(Failure) -> WebPlayer {
    try requireLife()
    guard let player else { throw Failure(.state, "there is no player; attach one first") }
    return player
  }

  func attach(_ abilities: RendererAbilities) throws(Failure) {
    try requireLife()
    guard player == nil else { throw Failure(.busy, "there is a player; detach it first") }
    player = WebPlayer(abilities, environment: environment, report: report, coordinate: coordinate)
  }

  /// What was said of playing here is taken back: the group goes on without this player.
  func detach() throws(Failure) {
    try requirePlayer().close()
    player = nil
    coordinate(.transition(to: nil, proposal: nil))
  }

  func suspend(_ number: UInt64, _ reason: String) throws(Failure) {
    try requireLife()
    guard suspensions.count < Self.suspensionLimit else {
      throw Failure(.full, "\(Self.suspensionLimit) suspensions are open; end some")
    }
    guard suspensions.insert(number).inserted else { throw Failure(.state, "a suspension of this number is open") }
    coordinate(.beginSuspension(id: number, reason: reason))
  }

  func resume(_ number: UInt64) throws(Failure) {
    try requireLife()
    guard suspensions.remove(number) != nil else { throw Failure(.state, "no suspension of this number is open") }
    coordinate(.endSuspension(id: number, proposing: nil))
  }

  /// Looks at the coordination after a turn of it.
  func follow(_ view: CoordinationView, othersSpeak: Bool) { player?.follow(view, othersSpeak: othersSpeak) }

  /// What the coordination says beside its timing. A refusal is its owner's to tell.
  func receive(_ effect: PlaybackEffect) {
    player?.receive(effect)
    switch effect {
    case .timingChanged(let change): report.add("timing") { $0.add(change) }
    case .suspensionsChanged(let reasons): report.add("suspensions") { $0.add("reasons", texts: reasons) }
    case .refused, .command, .commandOverdue: break
    }
  }

  /// Nothing is played any more, and calls are refused with this sentence.
  func close(_ why: String) {
    guard end == nil else { return }
    player?.close()
    player = nil
    end = why
  }
}
