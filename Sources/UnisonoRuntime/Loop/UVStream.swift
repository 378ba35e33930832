import CUV
import Glibc
import UnisonoBase

/// A TCP connection on the loop, outgoing or accepted.
final class UVStream: ByteStream, ClosesWithLoop {
  typealias Handle = OwnedHandle<uv_tcp_t, UVStream>

  /// Time that one address of several may take before the next is tried.
  static let attemptLimit = Nanoseconds.seconds(3)

  private(set) var peer: PeerAddress
  /// Written in one turn and kept until its end, at most this many bytes.
  static let heldLimit = 65_536

  /// Read at once: what many say at the same time is taken up by turns.
  private static let readSize = 16_384

  private let loop: UVLoop
  /// As asked for; "" for accepted streams.
  private let address: String
  private var events: StreamEvents?
  private var handle: Handle?
  private var isOpen = false
  private var isOver = false
  private var isReading = true
  /// Written before the connection was open.
  private var early: [UInt8] = []
  /// Written in this turn: what belongs together leaves together, in one packet where it fits.
  private var held: [UInt8] = []
  private var drainIsOwed = false
  /// Addresses not yet tried.
  private var candidates: ArraySlice<SocketAddress> = []
  private var attemptTimer: UVTimer?
  /// The other side may read the last of what was written to it yet.
  private var lingering: LingeringClose?

  init(loop: UVLoop, address: String, events: StreamEvents) {
    self.loop = loop
    self.address = address
    self.events = events
    peer = PeerAddress(host: address, port: 0)
  }

  /// nil when the connection is gone already.
  init?(accepting listener: UnsafeMutablePointer<uv_stream_t>, on loop: UVLoop) {
    self.loop = loop
    address = ""
    peer = PeerAddress(host: "", port: 0)
    guard let handle = Handle(loop: loop, owner: self, initialize: { uv_tcp_init(loop.raw, $0) }) else { return nil }
    guard uv_accept(listener, handle.stream) == 0 else {
      handle.close()
      return nil
    }
    self.handle = handle
    opened(handle)
  }

  deinit { attemptTimer?.close() }

  // MARK: ByteStream

  var queuedBytes: Int {
    guard let handle, handle.isOpen else { return early.count }
    return early.count + held.count + uv_stream_get_write_queue_size(handle.stream)
  }

  func write(_ bytes: [UInt8]) {
    if bytes.isEmpty || isOver { return }
    drainIsOwed = true
    guard isOpen, let handle, handle.isOpen else {
      early += bytes
      return
    }
    guard loop.isInTurn else { return send(bytes, handle) }
    if held.isEmpty {
      loop.flushAtEndOfTurn(self)
      held = bytes
    } else {
      held += bytes
    }
    if held.count >= Self.heldLimit { flush() }
  }

  func send(_ bytes: UnsafeRawBufferPointer) -> Int {
    if bytes.isEmpty || isOver { return queuedBytes }
    guard isOpen, held.isEmpty, let handle, handle.isOpen else {
      write(Array(bytes))
      flush()
      return queuedBytes
    }
    if offer(bytes, handle) { return 0 }
    drainIsOwed = true
    return uv_stream_get_write_queue_size(handle.stream)
  }

  /// Sends what the turn wrote.
  func flush() {
    guard !held.isEmpty, let handle, handle.isOpen else { return }
    let bytes = held
    held = []
    send(bytes, handle)
  }

  func setReading(_ reading: Bool) {
    isReading = reading
    if isOpen { applyReading() }
  }

  func close() {
    events = nil
    letGo(linger: true)
  }

  // MARK: Opening

  /// Begins to resolve and connect.
  func begin() {
    let target: HostAndPort
    do throws(NetworkError) {
      target = try HostAndPort(parsing: address)
    } catch {
      return fail(error)
    }
    peer = PeerAddress(host: target.host, port: target.port)
    if let numeric = SocketAddress(host: target.host, port: target.port) {
      candidates = [numeric]
      return tryNext(after: NetworkError("cannot connect to \(address)"))
    }
    do throws(NetworkError) {
      let answer = NameAnswer(stream: self, loop: loop)
      try NameResolution.resolve(target) { answer.arrived($0) }
    } catch {
      fail(error)
    }
  }

  /// An accepted stream whose owner answered.
  func begin(_ events: StreamEvents) {
    // The owner may have closed it before it answered.
    guard let handle, handle.isOpen else { return }
    self.events = events
    applyReading()
  }

  func resolved(_ answer: Result<[SocketAddress], NetworkError>) {
    if isOver { return }
    switch answer {
    case .success(let addresses):
      candidates = addresses[...]
      tryNext(after: NetworkError("cannot connect to \(address)"))
    case .failure(let error): finish(error)
    }
  }

  private func tryNext(after error: NetworkError) {
    handle?.close()
    handle = nil
    attemptTimer?.close()
    guard let next = candidates.popFirst() else { return fail(error) }
    guard let handle = Handle(loop: loop, owner: self, initialize: { uv_tcp_init(loop.raw, $0) }) else {
      return fail(NetworkError("cannot connect to \(address): libuv has no room"))
    }
    self.handle = handle
    let attempt = ConnectAttempt(handle: handle)
    let status = next.withPointer { target in
      uv_tcp_connect(attempt.raw, handle.raw, target) { request, status in
        guard let attempt = ConnectAttempt.reclaim(request) else { return }
        // A closed handle belongs to an attempt that was given up.
        guard attempt.handle.isOpen, let stream = attempt.handle.owner else { return }
        stream.attempted(attempt.handle, status)
      }
    }
    loop.wakeForRegistration()
    if status != 0 {
      attempt.discard()
      return tryNext(after: failure(status))
    }
    if !candidates.isEmpty {
      let timer = UVTimer(loop: loop) { [weak self] in self?.tryNext(after: NetworkError("no answer")) }
      timer.arm(at: loop.now.adding(Self.attemptLimit))
      attemptTimer = timer
    }
  }

  private func attempted(_ handle: Handle, _ status: Int32) {
    loop.beginTurn()
    attemptTimer?.close()
    guard status == 0 else { return tryNext(after: failure(status)) }
    opened(handle)
    events?.opened()
    guard handle.isOpen else { return }
    if !early.isEmpty {
      let bytes = early
      early = []
      send(bytes, handle)
    }
    if handle.isOpen { applyReading() }
  }

  private func opened(_ handle: Handle) {
    isOpen = true
    uv_tcp_nodelay(handle.raw, 1)
    var storage = sockaddr_storage()
    var length = Int32(MemoryLayout<sockaddr_storage>.size)
    withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        if uv_tcp_getpeername(handle.raw, name, &length) == 0, let known = SocketAddress(name) { peer = known.peer }
      }
    }
  }

  // MARK: Reading and writing

  private func applyReading() {
    guard let handle, handle.isOpen else { return }
    guard isReading else {
      uv_read_stop(handle.stream)
      return
    }
    uv_read_start(
      handle.stream,
      { raw, _, buffer in
        guard let stream = Handle.owner(of: raw?.pointee.data), let buffer else { return }
        buffer.pointee = uv_buf_init(stream.loop.readBuffer.baseAddress, UInt32(UVStream.readSize))
      },
      { raw, count, buffer in
        guard let stream = Handle.owner(of: raw?.pointee.data), let buffer else { return }
        stream.read(count, buffer.pointee.base)
      })
    loop.wakeForRegistration()
  }

  func receiveNow() {
    var descriptor = Int32(-1)
    guard isOpen, isReading, let handle, handle.isOpen,
      uv_fileno(UnsafeMutableRawPointer(handle.raw).assumingMemoryBound(to: uv_handle_t.self), &descriptor) == 0
    else { return }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    // What a peer of this process had to say at last is far less than sixteen times that.
    for _ in 0..<16 where handle.isOpen {
      let count = recv(descriptor, &bytes, bytes.count, 0)
      guard count > 0 else { return }
      events?.received(Array(bytes.prefix(count)))
    }
  }

  private func read(_ count: Int, _ base: UnsafeMutablePointer<CChar>?) {
    if count == 0 { return }
    if isOver {
      if let lingering, lingering.goesOn(discarding: count) { return }
      return endLingering()
    }
    loop.beginTurn()
    if count > 0 {
      events?.received(Array(UnsafeRawBufferPointer(start: base, count: count)))
    } else if count == Int(UV_EOF.rawValue) {
      finish(nil)
    } else {
      finish(NetworkError("the connection to \(peer) broke: \(UVLoop.sentence(Int32(clamping: count)))"))
    }
  }

  private func send(_ bytes: [UInt8], _ handle: Handle) {
    if bytes.withUnsafeBytes({ offer($0, handle) }) { loop.tellDrained(self) }
  }

  /// Hands bytes to the kernel; what it does not take waits in libuv. True: it took all of them.
  private func offer(_ bytes: UnsafeRawBufferPointer, _ handle: Handle) -> Bool {
    let base = UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
    var buffer = uv_buf_init(base, UInt32(clamping: bytes.count))
    // UV_EAGAIN as well where something waits already.
    let count = Int(uv_try_write(handle.stream, &buffer, 1))
    if count == bytes.count { return true }
    if count < 0, count != Int(UV_EAGAIN.rawValue) {
      broken(Int32(clamping: count))
      return false
    }
    let request = WriteRequest(stream: self, bytes: UnsafeRawBufferPointer(rebasing: bytes[max(0, count)...]))
    buffer = request.buffer
    let status = uv_write(request.raw, handle.stream, &buffer, 1) { raw, status in
      guard let request = WriteRequest.reclaim(raw) else { return }
      request.stream.wrote(status)
    }
    loop.wakeForRegistration()
    if status != 0 {
      request.discard()
      broken(status)
    }
    return false
  }

  private func wrote(_ status: Int32) {
    guard let handle, handle.isOpen else { return }
    loop.beginTurn()
    if status < 0 { broken(status) } else { drained() }
  }

  /// Tells its owner, if all that was written is with the kernel.
  func drained() {
    guard drainIsOwed, isOpen, queuedBytes == 0 else { return }
    drainIsOwed = false
    events?.drained()
  }

  // MARK: Ending

  private func failure(_ status: Int32) -> NetworkError {
    NetworkError(
      "cannot connect to \(address): \(UVLoop.sentence(status))", isRefusal: status == Int32(UV_ECONNREFUSED.rawValue))
  }

  /// A write found the connection broken: told later, never inside the call that wrote.
  private func broken(_ status: Int32) {
    fail(NetworkError("the connection to \(peer) broke: \(UVLoop.sentence(status))"))
  }

  private func fail(_ error: NetworkError) {
    loop.defer { [self] in
      // A write finds the end before what the other side said last was read.
      receiveNow()
      finish(error)
    }
  }

  /// The one `closed`.
  private func finish(_ error: NetworkError?) {
    if isOver { return }
    let closed = events?.closed
    events = nil
    letGo(linger: false)
    closed?(error)
  }

  private func letGo(linger: Bool) {
    if lingering != nil {
      if loop.isClosing { endLingering() }
      return
    }
    flush()
    let wasOpen = isOpen
    isOver = true
    isOpen = false
    early = []
    candidates = []
    attemptTimer?.close()
    if linger, wasOpen, let handle, let lingering = LingeringClose(of: handle, on: loop, end: { [weak self] in self?.endLingering() }) {
      self.lingering = lingering
      isReading = true
      applyReading()
    } else {
      closeHandle()
    }
  }

  private func endLingering() {
    lingering?.end()
    lingering = nil
    closeHandle()
  }

  private func closeHandle() {
    guard let handle else { return }
    if handle.isOpen { LingeringClose.discardUnread(of: handle, on: loop) }
    handle.close()
    self.handle = nil
  }
}
