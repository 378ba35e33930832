import UnisonoBase
import UnisonoWire

/// Connections that a hub makes to those in its rooms who want to know whether they are reached (wire 3.10): to the address from which
/// they came and no other, one at a time for each, without a byte.
final class TryBacks {
  /// Under way at once.
  static let most = 16
  /// Until then something has to come back.
  static let patience = Nanoseconds.seconds(5)
  /// One address is tried once in so long.
  static let spacing = Nanoseconds.seconds(2)
  /// Of all addresses together, a second.
  private static let rate = 20.0

  private struct Attempt {
    let stream: any ByteStream
    let timer: any LoopTimer
    let done: (TriedBackFrame.Outcome) -> Void
  }

  private let environment: any Environment
  /// By the connection that asked.
  private var attempts: [UInt64: Attempt] = [:]
  private var pace: TokenBucket
  /// When each address was tried last; those of `spacing` alone.
  private var tried: [AddressKey: HostTime] = [:]

  init(environment: any Environment) {
    self.environment = environment
    pace = TokenBucket(rate: Self.rate, burst: Double(Self.most), now: environment.now)
  }

  /// Tries `port` of `host` for a connection; false: not now. `done` is called once, in a later turn, unless it is forgotten before.
  func begin(
    _ port: UInt16, at host: String, of address: AddressKey, for connection: UInt64,
    done: @escaping (TriedBackFrame.Outcome) -> Void
  ) -> Bool {
    let now = environment.now
    tried = tried.filter { now < $0.value.adding(Self.spacing) }
    guard attempts[connection] == nil, attempts.count < Self.most, tried[address] == nil, pace.spend(now: now) else { return false }
    tried[address] = now
    let timer = environment.makeTimer { [weak self] in self?.end(connection, .silent) }
    timer.arm(at: now.adding(Self.patience))
    let stream = environment.connect(
      to: PeerAddress(host: host, port: port).description,
      StreamEvents(
        opened: { [weak self] in self?.end(connection, .reached) },
        received: { _ in },
        closed: { [weak self] error in self?.end(connection, error?.isRefusal == true ? .refused : .silent) }))
    attempts[connection] = Attempt(stream: stream, timer: timer, done: done)
    return true
  }

  /// A connection is over.
  func forget(_ connection: UInt64) { _ = remove(connection) }

  func close() {
    for connection in Array(attempts.keys) { forget(connection) }
  }

  private func remove(_ connection: UInt64) -> Attempt? {
    guard let attempt = attempts.removeValue(forKey: connection) else { return nil }
    attempt.timer.close()
    attempt.stream.close()
    return attempt
  }

  private func end(_ connection: UInt64, _ outcome: TriedBackFrame.Outcome) { remove(connection)?.done(outcome) }
}
