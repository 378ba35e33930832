import UnisonoBase
import UnisonoCoordination

/// State of the renderer as it is known: its item, its place, where it was sent, and whether it runs as it should.
struct RendererState: Sendable {
  enum Load: Equatable, Sendable {
    case none
    case loading(request: UInt64)
    case ready
    case failed(status: Int32)
  }

  /// A seek that was not answered yet.
  struct Seek: Sendable {
    let request: UInt64
    let sent: HostTime
    let target: ItemTime
    /// It was sent while it ran.
    let isRunning: Bool
  }

  private(set) var load: Load = .none
  /// The rate it runs at; 0: it stands.
  private(set) var rate: Double = 0
  private(set) var position: PlaybackReport.Position?
  private(set) var duration: Nanoseconds?
  private(set) var seekable: ClosedRange<ItemTime>?
  private(set) var seek: Seek?
  /// Since when it stands although it should run, by no command.
  private(set) var haltedSince: HostTime?
  /// It halts for longer than the debounce.
  private(set) var isStalled = false
  /// Whether it does what it says.
  private var motion = MotionWatch()
  /// It has played the item to its end.
  private(set) var hasEnded = false
  private var requests: UInt64 = 0

  var isRunning: Bool { rate != 0 }
  /// It says that it runs, and was seen standing.
  var isSeenStanding: Bool { motion.stands }

  /// It has the item, or had it and broke down.
  var hasLoaded: Bool {
    switch load {
    case .none, .loading: false
    case .ready, .failed: true
    }
  }

  /// Position at a host time, as far as is known.
  func position(at host: HostTime) -> ItemTime? {
    position.map { $0.itemTime.adding(host.subtracting($0.hostTime).scaled(by: rate)) }
  }

  /// A number for the next command.
  mutating func newRequest() -> UInt64 {
    requests += 1
    return requests
  }

  // MARK: The item

  /// Another item: nothing is known of it, but request numbers go on.
  mutating func beginItem() {
    let requests = requests
    self = RendererState()
    self.requests = requests
  }

  mutating func beginLoading(_ request: UInt64) { load = .loading(request: request) }

  /// The item is loaded, and it stands there.
  mutating func finishLoading(at itemTime: ItemTime, now: HostTime) {
    load = .ready
    rest(at: itemTime, now: now)
  }

  /// The item cannot be played.
  mutating func failItem(status: Int32) {
    load = .failed(status: status)
    rate = 0
  }

  mutating func record(duration: Nanoseconds) { self.duration = duration }
  mutating func record(seekable: ClosedRange<ItemTime>) { self.seekable = seekable }

  // MARK: Where it is

  /// Records where it says it is; what lies in the future tells nothing.
  mutating func record(_ position: PlaybackReport.Position?, at now: HostTime) {
    guard let position, position.hostTime <= now.adding(PlayerParameters.jump) else { return }
    self.position = position
  }

  /// It is there, whatever it was before.
  mutating func place(at itemTime: ItemTime, now: HostTime) { position = .init(itemTime: itemTime, hostTime: now) }
  mutating func place(_ position: PlaybackReport.Position) { self.position = position }

  /// It stands there now.
  mutating func rest(at itemTime: ItemTime, now: HostTime) {
    rate = 0
    position = .init(itemTime: itemTime, hostTime: now)
  }

  /// It stands where it is; where that is not known it is not said to stand.
  mutating func restHere(at now: HostTime) {
    if let here = position(at: now) { rest(at: here, now: now) }
  }

  /// It runs from where it is.
  mutating func run(at rate: Double) { self.rate = rate }

  /// It was sent elsewhere.
  mutating func beginSeek(to target: ItemTime, request: UInt64, at now: HostTime, isRunning: Bool) {
    seek = Seek(request: request, sent: now, target: target, isRunning: isRunning)
  }

  mutating func endSeek() { seek = nil }

  /// It came to the end of its item, and stands there.
  mutating func end(at itemTime: ItemTime, now: HostTime) {
    hasEnded = true
    rest(at: itemTime, now: now)
  }

  /// It is told something new, and may end once more.
  mutating func clearEnd() { hasEnded = false }

  /// It cannot do what it was told: it stands, whatever it did before.
  mutating func abandon(at now: HostTime) {
    restHere(at: now)
    rate = 0
    seek = nil
    clearHalt()
  }

  // MARK: Halts

  /// It stands although it should run. False: that is known.
  mutating func halt(at now: HostTime) -> Bool {
    guard haltedSince == nil else { return false }
    haltedSince = now
    return true
  }

  /// Whether a halt has outlasted the debounce by now, and was not known to.
  mutating func becomesStalled(at now: HostTime) -> Bool {
    guard let stallsAt, now >= stallsAt else { return false }
    isStalled = true
    rest(at: position?.itemTime ?? 0, now: now)
    return true
  }

  /// Host time at which a halt is a stall; nil: it does not halt, or is one.
  var stallsAt: HostTime? { isStalled ? nil : haltedSince?.adding(PlayerParameters.stallDebounce) }

  mutating func clearHalt() {
    haltedSince = nil
    isStalled = false
    motion.forget()
  }

  // MARK: Motion

  /// It says that it runs from here on: that is to be seen.
  mutating func watchMotion() { motion.begin(at: position) }

  /// Compares a position that it gave while it should run at `rate` with the ones before.
  mutating func observeMotion(_ position: PlaybackReport.Position, rate: Double) -> MotionWatch.Sight {
    motion.observe(position, rate: rate)
  }

  /// The rules that hold after each turn.
  func judge(_ rules: inout Invariants) {
    rules.expect(!isStalled || haltedSince != nil, "a stall is a halt that lasted")
    rules.expect(rate.isFinite, "rates are finite")
  }
}
