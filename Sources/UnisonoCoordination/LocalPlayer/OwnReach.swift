import UnisonoBase
import UnisonoReplica

/// What the own player can reach of its item, in the group's item time: from where its copy begins to where that ends, or the window of a
/// live item (coordination 2.8, 2.18).
struct OwnReach: Sendable {
  /// Where the own copy begins on the way of a line, and the group time at which the line is there.
  struct Entrance {
    /// Where the player stands until then.
    var edge: ItemTime
    /// Where the line is then: elsewhere by what its output is late.
    var at: ItemTime
    var since: GroupTime
  }

  /// As the player said last; nil: it has not.
  private var reported: ClosedRange<ItemTime>?
  /// Where its copy begins, which is another cut; nil: it is the same, which may begin anywhere.
  private var cutBegins: ItemTime?
  /// Which ends of it moved from one report to the next: the window of a live item, or a copy that is still growing.
  private var moves = (lower: false, upper: false)

  init(beginning: ItemTime = 0) { begin(at: beginning) }

  /// As the player says, or else all of a copy that is another cut; nil: everything.
  var range: ClosedRange<ItemTime>? { reported ?? cutBegins.map { $0...(.max) } }

  mutating func report(_ range: ClosedRange<ItemTime>) {
    if let reported {
      moves.lower = moves.lower || range.lowerBound != reported.lowerBound
      moves.upper = moves.upper || range.upperBound != reported.upperBound
    }
    reported = range
  }

  /// Its copy is another cut from now on, and all of it is that much later in the group's item time.
  mutating func shift(by shift: Nanoseconds) {
    // Ends of the range stay what they are: there is no end there.
    let shifted = { (end: ItemTime) in end == .min || end == .max ? end : end.adding(shift) }
    reported = reported.map { shifted($0.lowerBound)...shifted($0.upperBound) }
    begin(at: (cutBegins ?? 0).adding(shift))
  }

  private mutating func begin(at beginning: ItemTime) { cutBegins = beginning == 0 ? nil : beginning }

  /// The nearest position that can be reached.
  func nearest(to position: ItemTime) -> ItemTime {
    guard let range else { return position }
    return min(max(position, range.lowerBound), range.upperBound)
  }

  /// Where a line comes to the own copy, if it is not there yet: at its beginning, or backwards at its end. An end that moves, as those of
  /// a live item's window, is none that a line would come to: who waits there would have to go there again and again.
  func entrance(to line: Line, _ facts: borrowing Facts) -> Entrance? {
    guard let range, range.lowerBound <= cutBegins ?? 0 else { return nil }
    let ahead = facts.settings.outputOffset.scaled(by: line.rate)
    let shown = Line(at: line.at.adding(ahead), rate: line.rate, since: line.since)
    let here = shown.position(at: max(facts.groupNow, line.since))
    let edge = line.rate > 0 ? range.lowerBound : range.upperBound
    guard !(line.rate > 0 ? moves.lower : moves.upper) else { return nil }
    guard line.rate > 0 ? here < edge : here > edge else { return nil }
    return Entrance(edge: edge, at: edge.subtracting(ahead), since: shown.instant(of: edge))
  }

  /// Changes a command that asks for more to the nearest that can be done. By how much, ns; 0: it asks for nothing more.
  func limit(_ command: inout PlaybackCommand, now: HostTime) -> Nanoseconds {
    var wanted = command.itemTime
    var instant: HostTime?
    if command.kind == .play, let since = command.hostTime {
      let begins = max(since, now)
      wanted = Line(at: command.itemTime, rate: command.rate, since: since).position(at: begins)
      instant = begins
    }
    let possible = nearest(to: wanted)
    guard possible != wanted else { return 0 }
    command.itemTime = possible
    if instant != nil { command.hostTime = instant }
    return possible.subtracting(wanted)
  }
}
