import CUV
import UnisonoBase

/// A UDP socket on the loop.
final class UVDatagramPort: DatagramPort, ClosesWithLoop {
  typealias Handle = OwnedHandle<uv_udp_t, UVDatagramPort>

  let port: UInt16
  private let loop: UVLoop
  private let isIPv6: Bool
  private let descriptor: Int32
  private var receiveTimes = ReceiveTimes()
  private var handle: Handle?
  private var received: (([UInt8], PeerAddress, HostTime) -> Void)?

  init(
    loop: UVLoop, socket: BoundSocket, address: String,
    received: @escaping ([UInt8], PeerAddress, HostTime) -> Void
  ) throws(NetworkError) {
    self.loop = loop
    self.received = received
    port = socket.port
    isIPv6 = socket.isIPv6
    descriptor = socket.descriptor
    guard let handle = Handle(loop: loop, owner: self, initialize: { uv_udp_init(loop.raw, $0) }) else {
      throw NetworkError("cannot listen on \(address): libuv has no room")
    }
    self.handle = handle
    var status = uv_udp_open(handle.raw, uv_os_sock_t(socket.release()))
    _ = receiveTimes.time(ofLastFrom: descriptor, seen: loop.now)
    if status == 0 {
      status = uv_udp_recv_start(
        handle.raw,
        { raw, _, buffer in
          guard let port = Handle.owner(of: raw?.pointee.data), let buffer else { return }
          buffer.pointee = uv_buf_init(port.loop.readBuffer.baseAddress, UInt32(port.loop.readBuffer.count))
        },
        { raw, count, buffer, from, flags in
          // First of all the time: it is half of a clock probe.
          let time = Int64(clamping: uv_hrtime())
          guard let port = Handle.owner(of: raw?.pointee.data), count >= 0, let buffer,
            let from = SocketAddress(from), flags & UInt32(UV_UDP_PARTIAL.rawValue) == 0
          else { return }
          let bytes = UnsafeRawBufferPointer(start: buffer.pointee.base, count: count)
          port.arrived(Array(bytes), from.peer, port.receiveTimes.time(ofLastFrom: port.descriptor, seen: time))
        })
    }
    if status != 0 {
      close()
      throw NetworkError("cannot listen on \(address): \(UVLoop.sentence(status))")
    }
    loop.wakeForRegistration()
  }

  func send(_ bytes: [UInt8], to peer: PeerAddress) {
    guard let handle, handle.isOpen, let target = SocketAddress(host: peer.host, port: peer.port, mapped: isIPv6) else {
      return
    }
    handle.trySend(bytes, to: target)
  }

  func close() {
    received = nil
    handle?.close()
    handle = nil
  }

  private func arrived(_ bytes: [UInt8], _ from: PeerAddress, _ time: HostTime) {
    loop.beginTurn()
    received?(bytes, from, time)
  }
}
