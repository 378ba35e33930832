import CUV

/// A listening TCP socket on the loop.
final class UVListener: StreamListener, ClosesWithLoop {
  typealias Handle = OwnedHandle<uv_tcp_t, UVListener>

  /// Accepted one after the other, and one more at the end of the pass: a flood of connections lets everything else in between.
  static let perPass = 3

  let port: UInt16
  private let loop: UVLoop
  private var handle: Handle?
  private var accepted: ((any ByteStream) -> StreamEvents)?
  /// The pass in which one was accepted last, and how many were.
  private var pass = (number: 0, count: 0)

  init(
    loop: UVLoop, socket: BoundSocket, address: String, accepted: @escaping (any ByteStream) -> StreamEvents
  ) throws(NetworkError) {
    self.loop = loop
    self.accepted = accepted
    port = socket.port
    guard let handle = Handle(loop: loop, owner: self, initialize: { uv_tcp_init(loop.raw, $0) }) else {
      throw NetworkError("cannot listen on \(address): libuv has no room")
    }
    self.handle = handle
    var status = uv_tcp_open(handle.raw, uv_os_sock_t(socket.release()))
    if status == 0 {
      status = uv_listen(handle.stream, 512) { stream, status in
        guard status == 0, let listener = Handle.owner(of: stream?.pointee.data) else { return }
        listener.connectionCame()
      }
    }
    if status != 0 {
      close()
      throw NetworkError("cannot listen on \(address): \(UVLoop.sentence(status))")
    }
    loop.wakeForRegistration()
  }

  func close() {
    accepted = nil
    handle?.close()
    handle = nil
  }

  private func connectionCame() {
    loop.beginTurn()
    if pass.number != loop.turns { pass = (loop.turns, 0) }
    guard pass.count >= Self.perPass else { return accept() }
    // libuv looks for no others before this one is taken.
    loop.defer { [weak self] in self?.accept() }
  }

  private func accept() {
    pass.count += 1
    guard let handle, let accepted, let stream = UVStream(accepting: handle.stream, on: loop) else { return }
    stream.begin(accepted(stream))
  }
}
