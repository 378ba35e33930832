import CPrimitives
import UnisonoBase
import UnisonoRuntime

/// The outside of a session that JavaScript drives: each of its calls says what time it is, and takes what came to be done.
///
/// Orders, each behind its length (4 bytes, little-endian, as all numbers here): a byte that says which, the stream's number (4 bytes),
/// and for `connect` the address, for `write` the bytes; `answer` has what the call gives back, and no stream (0). Streams are message by message: what is written at once comes at once.
final class DrivenEnvironment: Environment {
  enum Order: UInt8 { case connect, write, close, answer }

  private final class Timer: LoopTimer {
    fileprivate var time: HostTime?
    fileprivate var fire: (() -> Void)?

    init(_ fire: @escaping () -> Void) { self.fire = fire }

    func arm(at time: HostTime?) { self.time = fire == nil ? nil : time }

    func close() { (time, fire) = (nil, nil) }
  }

  private final class Stream: ByteStream {
    let number: UInt32
    fileprivate var events: StreamEvents?
    private let order: (Order, UInt32, [UInt8]) -> Void

    init(_ number: UInt32, _ events: StreamEvents, order: @escaping (Order, UInt32, [UInt8]) -> Void) {
      (self.number, self.events, self.order) = (number, events, order)
    }

    /// A WebSocket does not say.
    var peer: PeerAddress { PeerAddress(host: "", port: 0) }
    var queuedBytes: Int { 0 }
    func write(_ bytes: [UInt8]) { if events != nil { order(.write, number, bytes) } }
    func setReading(_ reading: Bool) {}
    func receiveNow() {}

    func close() {
      if events != nil { order(.close, number, []) }
      events = nil
    }
  }

  /// What was ordered since it was taken last.
  private final class Orders {
    var bytes: [UInt8] = []

    func add(_ order: Order, _ stream: UInt32, _ content: [UInt8]) {
      bytes += DrivenEnvironment.number(UInt32(5 + content.count)) + [order.rawValue] + DrivenEnvironment.number(stream) + content
    }
  }

  var now: HostTime = 0
  /// As JavaScript says it.
  var timeAsleep: Nanoseconds = 0
  /// What the calendar showed at the beginning of host time, ns since 1970.
  private var calendarBegin: Int64 = 0
  var calendarHour: UInt32 { UInt32(clamping: calendarBegin.adding(now).adding(timeAsleep) / .seconds(3_600)) }
  /// What is to be done in the turn after this one.
  private var followUps: [() -> Void] = []
  private let orders = Orders()
  private var timers: [Timer] = []
  private var streams: [UInt32: Stream] = [:]

  static func number<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    (0..<Value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// The calendar shows this now, ns since 1970.
  func setCalendar(_ time: Int64) { calendarBegin = time.subtracting(now).subtracting(timeAsleep) }

  /// What the call that is under way gives back.
  func answer(_ bytes: [UInt8]) { orders.add(.answer, 0, bytes) }

  func takeOrders() -> [UInt8] {
    defer { orders.bytes = [] }
    return orders.bytes
  }

  /// nil: nothing is due by itself.
  var nextWake: HostTime? { timers.compactMap { $0.time }.min() }

  func fireTimers() {
    timers.removeAll { $0.fire == nil }
    for timer in timers {
      guard let time = timer.time, time <= now else { continue }
      timer.time = nil
      timer.fire?()
    }
  }

  func opened(_ stream: UInt32) { streams[stream]?.events?.opened() }

  func received(_ bytes: [UInt8], _ stream: UInt32) { streams[stream]?.events?.received(bytes) }

  func closed(_ stream: UInt32) {
    guard let ended = streams.removeValue(forKey: stream), let events = ended.events else { return }
    ended.events = nil
    events.closed(nil)
  }

  func randomBytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    primitives_random(&bytes, bytes.count)
    return bytes
  }

  /// There is one thread: the work is done at once, and what follows it in the next turn.
  func perform(_ work: @escaping @Sendable () -> Void, then: @escaping () -> Void) {
    work()
    followUps.append(then)
  }

  /// False: there was nothing to follow up.
  func followUp() -> Bool {
    let due = followUps
    followUps = []
    for one in due { one() }
    return !due.isEmpty
  }

  func makeTimer(_ fire: @escaping () -> Void) -> any LoopTimer {
    let timer = Timer(fire)
    timers.append(timer)
    return timer
  }

  func connect(to address: String, _ events: StreamEvents) -> any ByteStream {
    streams = streams.filter { $0.value.events != nil }
    lastStream += 1
    let stream = Stream(lastStream, events) { [orders] in orders.add($0, $1, $2) }
    streams[lastStream] = stream
    orders.add(.connect, lastStream, Array(address.utf8))
    return stream
  }

  private var lastStream: UInt32 = 0

  func listen(on address: String, accepted: @escaping (any ByteStream) -> StreamEvents) throws(NetworkError) -> any StreamListener {
    throw NetworkError("nothing listens here")
  }

  func openDatagrams(
    on address: String, received: @escaping (_ bytes: [UInt8], _ from: PeerAddress, _ at: HostTime) -> Void
  ) throws(NetworkError) -> any DatagramPort { throw NetworkError("there are no datagrams here") }

  func localAddresses() -> [String] { [] }

  func openMulticast(
    _ group: MulticastGroup, received: @escaping (_ bytes: [UInt8], _ from: PeerAddress, _ at: HostTime) -> Void
  ) -> any MulticastPort { preconditionFailure("a session looks for nobody nearby") }
}
