/// What one participant says of itself, as the session has it: of which instant, in ns of the host's clock.
struct Statement: Equatable {
  var name: String
  var isConnected = true
  var item: String?
  var suspensions: [String] = []
  /// The text of its status; nil: none.
  var failure: String?
  var isReady = false
  var rate = 0.0
  var itemTime: Int64?
  var hostTime: Int64 = 0
  var clockError: Int64?
  var roundTrip: Int64?
  /// A start waits for it; nil: it does not.
  var waitReason: String?

  /// A position is not carried on further than this from when it was said: who is silent for so long is somewhere else by now.
  static let greatestAge: Int64 = 10_000_000_000

  /// - Parameters:
  ///   - item, position, isPlaying: the group's; position at `now`.
  func person(item groupItem: String?, position groupPosition: Int64?, isPlaying: Bool, now: Int64) -> GroupPicture.Person {
    let doing = doing(groupItem)
    let position = position(now)
    var skew: Int64?
    switch doing {
    case .playing where isPlaying, .ready where !isPlaying, .preparing where !isPlaying:
      if let position, let groupPosition { skew = Self.less(position, groupPosition) }
    default: break
    }
    return GroupPicture.Person(
      name: name, doing: doing, position: position, skew: skew, clockError: clockError, roundTrip: roundTrip)
  }

  private func doing(_ groupItem: String?) -> GroupPicture.Doing {
    if !isConnected { return .notConnected }
    guard let item else { return .nothingOpen }
    if item != groupItem { return .elsewhere(item: item) }
    if let failure { return .failed(failure) }
    if let reason = suspensions.first { return .apart(reason: reason) }
    if let waitReason { return .waitedFor(reason: waitReason) }
    if rate != 0 { return .playing(rate: rate) }
    return isReady ? .ready : .preparing
  }

  /// What others say may be anything: none of it overflows.
  private func position(_ now: Int64) -> Int64? {
    guard let itemTime else { return nil }
    let (age, overflows) = now.subtractingReportingOverflow(hostTime)
    guard !overflows, age > -Self.greatestAge, age < Self.greatestAge || rate == 0 else { return nil }
    if rate == 0 { return itemTime }
    let moved = Double(age) * rate
    guard moved.magnitude < 1e18 else { return nil }
    let (position, isOver) = itemTime.addingReportingOverflow(Int64(moved))
    return isOver ? nil : position
  }

  private static func less(_ one: Int64, _ other: Int64) -> Int64? {
    let (difference, overflows) = one.subtractingReportingOverflow(other)
    return overflows ? nil : difference
  }
}
