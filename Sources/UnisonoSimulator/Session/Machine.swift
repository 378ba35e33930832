import UnisonoBase
import UnisonoCoordination

/// One participant's machine, with the process on it: what all its coordinators share.
final class Machine {
  /// What its coordinations are made of.
  let configuration: Coordination.Configuration
  var clock: LocalClock
  var link: Link
  /// Its coordinators beside the first one.
  var named = NamedCoordinations()
  /// Its process was started and has not ended.
  var isRunning = false
  /// True time until which its process stands still; what arrives meanwhile is read in one turn.
  var stoppedUntil: Nanoseconds = 0
  /// True time until which it sleeps: nobody can press anything.
  var asleepUntil: Nanoseconds = 0
  /// True time at which its process read that it had the room's keys.
  var securedAt: Nanoseconds = 0
  /// True times of the turns in which its process read that its link is lost, or others'.
  var losses: [Nanoseconds] = []
  /// True time at which it last learned that it may not command; nil: it always might.
  var deniedAt: Nanoseconds?
  /// Its hub's clock as it is measured; nil: it is given a model with a constant error.
  var measured: MeasuredClock?
  /// It lies: what must hold holds of the others.
  var lies = false

  init(configuration: Coordination.Configuration, clock: LocalClock, link: Link) {
    self.configuration = configuration
    self.clock = clock
    self.link = link
  }
}
