import UnisonoBase

/// The edge: everything the runtime asks of the outside world.
///
/// One implementation runs on libuv, another in memory on virtual time, so that whole contexts can be simulated. Every
/// call and every callback belongs to the loop's thread; callbacks never run inside the call that registered them.
package protocol Environment: AnyObject {
  /// Host time now, ns.
  var now: HostTime { get }
  /// Time that this machine slept since it started, ns: host time stood meanwhile. A reading may be a little short.
  var timeAsleep: Nanoseconds { get }
  /// Hours since 1970, UTC, as this machine's calendar has it. Anybody may have set that to anything.
  var calendarHour: UInt32 { get }
  /// `count` bytes fit for keys.
  func randomBytes(_ count: Int) -> [UInt8]
  /// Does `work`, which may wait for a disk, elsewhere and in order, then the other on the loop, in another turn; not once the loop
  /// is closed. Embedded Swift has no generic requirements: what `work` gives goes through `performElsewhere`.
  func perform(_ work: @escaping @Sendable () -> Void, then: @escaping () -> Void)
  /// A timer that is not armed yet.
  func makeTimer(_ fire: @escaping () -> Void) -> any LoopTimer
  /// Connects to "host:port" (names are resolved). Exactly one `closed` ends the stream, also when it never opened.
  func connect(to address: String, _ events: StreamEvents) -> any ByteStream
  /// Binds at once. "host:port", port 0: a free one.
  func listen(on address: String, accepted: @escaping (any ByteStream) -> StreamEvents) throws(NetworkError)
    -> any StreamListener
  /// Binds at once.
  func openDatagrams(
    on address: String, received: @escaping (_ bytes: [UInt8], _ from: PeerAddress, _ at: HostTime) -> Void
  ) throws(NetworkError) -> any DatagramPort
  /// Sends what this turn has written so far: what comes next in it may take its time.
  func flush()
  /// Numeric addresses of this machine that others may reach, loopback last.
  func localAddresses() -> [String]
  /// A place in a multicast group of the local network; several applications of one machine may have one each.
  /// It reaches nobody before its first `refresh`.
  func openMulticast(
    _ group: MulticastGroup, received: @escaping (_ bytes: [UInt8], _ from: PeerAddress, _ at: HostTime) -> Void
  ) -> any MulticastPort
}

/// What work gives that is done elsewhere: written there, then read on the loop, never at once.
private final class Outcome<Value: Sendable>: @unchecked Sendable {
  var value: Value?
}

/// Does `work` as `Environment.perform(_:then:)` has it, and says on the loop what came of it. No method: Embedded Swift has no generic
/// ones of `any Environment`.
package func performElsewhere<Value: Sendable>(
  in environment: any Environment, _ work: @escaping @Sendable () -> Value, done: @escaping (Value) -> Void
) {
  let outcome = Outcome<Value>()
  environment.perform({ outcome.value = work() }, then: { if let value = outcome.value { done(value) } })
}

extension Environment {
  /// Where streams write at once nothing waits.
  package func flush() {}
  /// 64 bits of `randomBytes`.
  package func randomNumber() -> UInt64 { randomBytes(8).reduce(0) { $0 << 8 | UInt64($1) } }
}

/// Fires once per arming; arming again moves it.
package protocol LoopTimer: AnyObject {
  /// nil disarms.
  func arm(at time: HostTime?)
  /// Disarms for good and lets go of the callback.
  func close()
}

/// Events of a stream, for its owner.
package struct StreamEvents {
  /// Connected (never for accepted streams).
  package var opened: () -> Void
  /// Bytes came.
  package var received: ([UInt8]) -> Void
  /// All that was written has left for the kernel.
  package var drained: () -> Void
  /// Over; nil: closed by the other side in order. Not called after `close()`.
  package var closed: (NetworkError?) -> Void

  package init(
    opened: @escaping () -> Void = {}, received: @escaping ([UInt8]) -> Void, drained: @escaping () -> Void = {},
    closed: @escaping (NetworkError?) -> Void
  ) {
    self.opened = opened
    self.received = received
    self.drained = drained
    self.closed = closed
  }
}

/// A TCP connection (no delay) or its like.
package protocol ByteStream: AnyObject {
  /// The other side; for an outgoing stream known once it is open.
  var peer: PeerAddress { get }
  /// Bytes accepted by `write` that have not left for the kernel.
  var queuedBytes: Int { get }
  func write(_ bytes: [UInt8])
  /// Writes at once, behind what was written before; returns how many bytes wait then. Copies what does: `drained` comes only where
  /// something waited.
  func send(_ bytes: UnsafeRawBufferPointer) -> Int
  /// false: stop reading, so that the sender is slowed down.
  func setReading(_ reading: Bool)
  /// Tells what has come and was not told of yet, inside this call: before an end that comes in the same turn.
  func receiveNow()
  /// Sends what is queued if it can be done at once, then closes. No callback comes afterwards.
  func close()
}

extension ByteStream {
  package func send(_ bytes: UnsafeRawBufferPointer) -> Int {
    write(Array(bytes))
    return queuedBytes
  }
}

package protocol StreamListener: AnyObject {
  var port: UInt16 { get }
  func close()
}

package protocol DatagramPort: AnyObject {
  var port: UInt16 { get }
  /// Best effort; an error is a lost datagram.
  func send(_ bytes: [UInt8], to peer: PeerAddress)
  func close()
}

/// A numeric address.
package struct PeerAddress: Hashable, Sendable, CustomStringConvertible {
  /// Without brackets.
  package var host: String
  package var port: UInt16

  package init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// Refusal of the network, in words for people.
package struct NetworkError: Error, Equatable, Sendable {
  package var message: String
  /// The machine is there, and nothing listens at the address.
  package var isRefusal: Bool

  package init(_ message: String, isRefusal: Bool = false) {
    self.message = message
    self.isRefusal = isRefusal
  }
}
