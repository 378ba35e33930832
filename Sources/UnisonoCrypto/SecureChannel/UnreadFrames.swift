import UnisonoBase

/// Frames that cannot be read yet, whose they are, and since when; bounded (wire 10).
struct UnreadFrames: Sendable {
  static let count = 64
  /// Of those, of senders on no roster that is known: noise looks the same.
  static let ofStrangers = 8
  static let bytes = 262_144
  static let lifetime = Nanoseconds.seconds(10)
  /// The same one is asked for what is missing at most once in so long.
  static let askInterval = Nanoseconds.seconds(2)
  /// After so long a hello is tried; sooner in the first time after this participant came in.
  static let patience = Nanoseconds.seconds(4)
  static let newcomerPatience = Nanoseconds.milliseconds(500)

  /// One that has come.
  struct Frame: Sendable {
    let sender: ParticipantID
    let envelope: [UInt8]
    /// Until then it is kept, however often it is tried again.
    fileprivate let until: HostTime
    /// Its sender is on no roster that is known.
    fileprivate var isStranger = false
    /// Somebody was asked for what it lacks.
    var isAsked = false

    init(_ envelope: [UInt8], from sender: ParticipantID, now: HostTime) {
      self.sender = sender
      self.envelope = envelope
      until = now.adding(UnreadFrames.lifetime)
    }
  }

  private var frames: [Frame] = []
  private var since: [ParticipantID: HostTime] = [:]
  private var asked: [ParticipantID: HostTime] = [:]

  /// False: no room.
  mutating func store(_ frame: Frame, isStranger: Bool, now: HostTime) -> Bool {
    frames.removeAll { $0.until <= now }
    var frame = frame
    frame.isStranger = isStranger
    while let shortage = shortage(of: frame) {
      guard let place = placeOfLatest(ofWhoHasMoreThan: frame, shortage) else { return false }
      frames.remove(at: place)
    }
    frames.append(frame)
    return true
  }

  /// What there is too little of.
  private enum Shortage { case places, placesOfStrangers, bytes }

  private func shortage(of frame: Frame) -> Shortage? {
    if frame.isStranger, frames.count(where: { $0.isStranger }) >= Self.ofStrangers { return .placesOfStrangers }
    if frames.count >= Self.count { return .places }
    return frames.reduce(frame.envelope.count, { $0 + $1.envelope.count }) > Self.bytes ? .bytes : nil
  }

  /// Nobody keeps others' frames out by taking all there is: the latest of whoever has most makes room for who has less.
  private func placeOfLatest(ofWhoHasMoreThan frame: Frame, _ shortage: Shortage) -> Int? {
    let rivals = frames.filter { $0.isStranger || shortage != .placesOfStrangers }
    func cost(_ frame: Frame) -> Int { shortage == .bytes ? frame.envelope.count : 1 }
    var costs: [ParticipantID: Int] = [:]
    for held in rivals { costs[held.sender, default: 0] += cost(held) }
    let own = (costs[frame.sender] ?? 0) + cost(frame)
    guard let most = costs.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }), most.value > own else { return nil }
    return frames.lastIndex { $0.sender == most.key }
  }

  /// All frames that are there, which are to be tried again.
  mutating func removeAll(now: HostTime) -> [Frame] {
    defer { frames = [] }
    return frames.filter { $0.until > now }
  }

  var isEmpty: Bool { frames.isEmpty }

  /// A frame of a present member could not be read. `count` of members is the bound of what is kept.
  mutating func unread(_ sender: ParticipantID, now: HostTime) { since[sender] = since[sender] ?? now }

  mutating func read(_ sender: ParticipantID) { since[sender] = nil }

  mutating func shouldAsk(_ id: ParticipantID, now: HostTime) -> Bool {
    guard asked[id].map({ now.subtracting($0) >= Self.askInterval }) ?? true else { return false }
    asked[id] = now
    return true
  }

  /// An answer of this member's is due.
  func isAwaited(_ id: ParticipantID, now: HostTime) -> Bool {
    asked[id].map { now.subtracting($0) < Self.askInterval } ?? false
  }

  /// Since when each was not read.
  var unreadSince: some Collection<(key: ParticipantID, value: HostTime)> { since }

  /// Begins to wait anew for one who was asked by hello.
  mutating func restart(_ id: ParticipantID, now: HostTime) {
    if since[id] != nil { since[id] = now }
  }

  mutating func forget(_ id: ParticipantID) {
    since[id] = nil
    asked[id] = nil
    frames.removeAll { $0.sender == id }
  }
}
