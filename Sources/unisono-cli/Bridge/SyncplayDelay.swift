/// How old a server's word is when it comes: Syncplay's own estimate, so that both ends reckon alike. Times in seconds.
struct SyncplayDelay {
  private static let weight = 0.85
  /// What takes longer is no round trip, but something that lay about.
  private static let longest = 60.0

  private(set) var roundTrip = 0.0
  private(set) var forward = 0.0
  private var average = 0.0

  /// - Parameters:
  ///   - sent: of this side's clock, as the server sent it back; `now` of the same clock.
  ///   - others: the round trip as the server measured it.
  mutating func add(sent: Double, now: Double, others: Double) {
    let time = now - sent
    guard time >= 0, time < Self.longest, others >= 0 else { return }
    roundTrip = time
    average = average == 0 ? time : average * Self.weight + time * (1 - Self.weight)
    forward = average / 2 + (others < time ? time - others : 0)
  }
}
