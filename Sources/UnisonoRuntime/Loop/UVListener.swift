import CUV

/// A listening TCP socket on the loop.
final class UVListener: StreamListener, ClosesWithLoop {
  typealias Handle = OwnedHandle<uv_tcp_t, UVListener>

  let port: UInt16
  private let loop: UVLoop
  private var handle: Handle?
  private var accepted: ((any ByteStream) -> StreamEvents)?

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
        listener.accept()
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

  private func accept() {
    loop.beginTurn()
    guard let handle, let accepted, let stream = UVStream(accepting: handle.stream, on: loop) else { return }
    stream.begin(accepted(stream))
  }
}
