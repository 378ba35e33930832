/// The queue, and what becomes current.
extension MediaPlayer {
  mutating func insert(_ item: PlayerItem, after other: ItemID?) {
    guard queue.insert(item, after: other) else {
      return refuse("player_insert_item", "the item to insert after is not in the queue")
    }
    guard queue.current == nil else { return }
    queue.advance()
    makeCurrent(goingOnAt: told.rate)
  }

  mutating func remove(_ id: ItemID) {
    queue.removeUpcoming(id)
    if queue.current?.id == id { advance() }
  }

  /// The next one, which goes on playing where this one played.
  mutating func advance() {
    let rate = wantedRate
    queue.advance()
    makeCurrent(goingOnAt: rate)
  }

  /// This one has played to its end; the next goes on.
  mutating func advanceAfterEnd(rate: Double) {
    queue.advance()
    makeCurrent(goingOnAt: rate)
  }

  mutating func replaceCurrent(_ item: PlayerItem?) {
    queue.replaceCurrent(item)
    if item == nil, told.rate != 0 { told.rate = 0 }
    makeCurrent(goingOnAt: 0)
  }

  /// The group's state comes first: the proposal only counts where it has none. To go on playing is asked for afterwards,
  /// so that everybody gets time to load.
  private mutating func makeCurrent(goingOnAt rate: Double) {
    answerSeek(.cancelled)
    endNudging()
    let wasLoaded = renderer.load != .none
    kept = nil
    continuation = nil
    renderer = renderer.renewed
    course = Course()
    sampling.next = nil
    endOwnSuspensionsOfItem()
    guard let item = queue.current else {
      if wasLoaded { render(.stop) { $0.item = nil } }
      return coordinate(.transition(to: nil, proposal: nil))
    }
    renderer.load = .loading(request: render(.load) { $0.itemTime = item.startTime })
    course.goal = .rest(at: item.startTime, cueRate: 0)
    if rate != 0 { continuation = Continuation(item: item.id, rate: rate) }
    let proposal = item.startTime == 0 ? nil : Proposal(rate: 0, itemTime: item.startTime)
    coordinate(.transition(to: item.id, proposal: proposal))
  }

  /// Goes on playing where the item's state is nobody's doing; what a person did about it counts.
  mutating func continueIfProposed(_ change: TimingChange) {
    guard let continuation, change.item == continuation.item, change.status != .none else { return }
    self.continuation = nil
    guard change.status == .paused, change.cause == .proposal else { return }
    coordinate(.rateChange(rate: continuation.rate, immediately: false))
  }
}
