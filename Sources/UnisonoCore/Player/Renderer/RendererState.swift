/// What is known of the renderer.
struct RendererState: Sendable {
  enum Load: Equatable, Sendable {
    case none
    case loading(request: UInt64)
    case ready
    case failed(status: Int32)
  }

  /// A seek that was not answered yet.
  struct Sought: Sendable {
    var request: UInt64
    var sent: HostTime
    var target: ItemTime
    var isRunning: Bool
  }

  var load: Load = .none
  /// The rate it runs at; 0: it stands.
  var rate: Double = 0
  var position: PlaybackReport.Position?
  var duration: Nanoseconds?
  var seekable: ClosedRange<ItemTime>?
  var sought: Sought?
  /// Since when it stands although it should run, by no command.
  var haltedSince: HostTime?
  /// It halts for longer than the debounce.
  var isStalled = false
  /// Whether it does what it says.
  var motion = MotionWatch()
  /// It has played the item to its end.
  var hasEnded = false
  private var requests: UInt64 = 0

  var isRunning: Bool { rate != 0 }

  /// It has the item, or had it and broke down.
  var hasLoaded: Bool {
    switch load {
    case .none, .loading: false
    case .ready, .failed: true
    }
  }

  /// A number for the next command.
  mutating func newRequest() -> UInt64 {
    requests += 1
    return requests
  }

  /// Where it is at a host time, as far as is known.
  func position(at host: HostTime) -> ItemTime? {
    position.map { $0.itemTime.adding(host.subtracting($0.hostTime).scaled(by: rate)) }
  }

  /// It stands there now.
  mutating func rest(at itemTime: ItemTime, now: HostTime) {
    rate = 0
    position = .init(itemTime: itemTime, hostTime: now)
  }

  /// For another item: nothing is known of it, but request numbers go on.
  var renewed: RendererState {
    var state = RendererState()
    state.requests = requests
    return state
  }

  mutating func clearHalt() {
    haltedSince = nil
    isStalled = false
    motion.forget()
  }
}
