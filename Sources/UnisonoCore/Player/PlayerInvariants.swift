/// What holds of a player after each event, whatever was fed to it.
extension MediaPlayer {
  /// The rules that do not hold; empty: all is well. Judged by the simulator.
  public var brokenInvariants: [String] {
    var rules = Invariants()
    if queue.current == nil {
      rules.expect(renderer.load == .none, "without an item nothing is loaded")
      rules.expect(pendingSeek == nil && continuation == nil, "without an item nothing waits to be done")
      rules.expect(apart.scrub == nil && apart.replay == nil && apart.stall == nil, "without an item nothing of it goes on")
      rules.expect(queue.upcoming.isEmpty || told.item == nil, "a queue has a current item first")
    }
    if let kept {
      rules.expect(kept.item == queue.current?.id, "a command that waits for the item is of the item")
      rules.expect(renderer.load != .ready, "a command waits only for an item that is not loaded")
    }
    if case .waiting = course.step {
      var runs = false
      if case .run = course.goal { runs = true }
      rules.expect(runs, "only a start waits for its instant")
    }
    rules.expect(course.command == nil || course.step != .settled, "a command that is open is under way")
    rules.expect(!renderer.isStalled || renderer.haltedSince != nil, "a stall is a halt that lasted")
    rules.expect(renderer.rate.isFinite && defaultRate.isFinite && defaultRate != 0, "rates are finite, the default no pause")
    rules.expect((0...1).contains(volume), "volume lies in 0...1")
    rules.expect(apart.replay == nil || apart.scrub == nil, "who scrubs does not replay")
    rules.expect(told.item == queue.current?.id && told.itemStatus == itemStatus, "the host knows the item's status")
    rules.expect(told.timeControl == timeControl, "the host knows the time control")
    rules.expect(effects.isEmpty, "an event leaves nothing to be carried out")
    return rules.broken
  }
}
