import CUV

/// Memory of one libuv handle: from its initialisation until libuv has let go of it.
class LoopHandle {
  let loop: UVLoop
  fileprivate(set) var isOpen = true

  fileprivate init(loop: UVLoop) { self.loop = loop }

  fileprivate var generic: UnsafeMutablePointer<uv_handle_t> { preconditionFailure("a handle has a kind") }
  /// The owner closes itself: it lets go of what its own owner gave it, too.
  func closeWithOwner() {}
  fileprivate func letGo() {}
  fileprivate func free() {}

  /// Lets go of the owner at once and of the memory as soon as libuv allows. Closing twice is closing once.
  func close() {
    guard isOpen else { return }
    isOpen = false
    letGo()
    uv_close(generic) { raw in
      guard let data = raw?.pointee.data else { return }
      let handle = Unmanaged<LoopHandle>.fromOpaque(data).takeRetainedValue()
      handle.free()
      handle.loop.handleClosed(handle)
    }
  }
}

/// A libuv handle of type `Raw` that belongs to `Owner`; it keeps its owner alive while open.
final class OwnedHandle<Raw, Owner: AnyObject>: LoopHandle {
  let raw: UnsafeMutablePointer<Raw>
  private(set) var owner: Owner?

  /// nil when `initialize` (uv_..._init) reports an error.
  init?(loop: UVLoop, owner: Owner, initialize: (UnsafeMutablePointer<Raw>) -> Int32) {
    raw = .allocate(capacity: 1)
    self.owner = owner
    super.init(loop: loop)
    guard initialize(raw) == 0 else {
      raw.deallocate()
      return nil
    }
    generic.pointee.data = Unmanaged<LoopHandle>.passRetained(self).toOpaque()
    loop.handleOpened(self)
  }

  fileprivate override var generic: UnsafeMutablePointer<uv_handle_t> {
    UnsafeMutableRawPointer(raw).assumingMemoryBound(to: uv_handle_t.self)
  }

  var stream: UnsafeMutablePointer<uv_stream_t> {
    UnsafeMutableRawPointer(raw).assumingMemoryBound(to: uv_stream_t.self)
  }

  override func closeWithOwner() {
    (owner as? any ClosesWithLoop)?.close()
    close()
  }

  fileprivate override func letGo() { owner = nil }
  fileprivate override func free() { raw.deallocate() }

  /// Owner of the handle whose callback this is; nil once the handle was closed.
  static func owner(of data: UnsafeMutableRawPointer?) -> Owner? {
    guard let data else { return nil }
    let handle = Unmanaged<LoopHandle>.fromOpaque(data).takeUnretainedValue()
    return (handle as? OwnedHandle<Raw, Owner>)?.owner
  }
}

extension OwnedHandle where Raw == uv_udp_t {
  /// Sends a datagram at once, or not at all: what the kernel has no room for is lost, as any datagram may be.
  func trySend(_ bytes: [UInt8], to target: SocketAddress) {
    bytes.withUnsafeBytes { content in
      let base = UnsafeMutablePointer(mutating: content.baseAddress?.assumingMemoryBound(to: CChar.self))
      var buffer = uv_buf_init(base, UInt32(content.count))
      _ = target.withPointer { uv_udp_try_send(raw, &buffer, 1, $0) }
    }
  }
}
