import CUV

/// One `uv_connect_t` on its way through libuv.
final class ConnectAttempt {
  let raw = UnsafeMutablePointer<uv_connect_t>.allocate(capacity: 1)
  let handle: UVStream.Handle

  init(handle: UVStream.Handle) {
    self.handle = handle
    raw.pointee.data = Unmanaged.passRetained(self).toOpaque()
  }

  deinit { raw.deallocate() }

  /// libuv did not take it.
  func discard() { Unmanaged.passUnretained(self).release() }

  /// The request comes back from libuv.
  static func reclaim(_ raw: UnsafeMutablePointer<uv_connect_t>?) -> ConnectAttempt? {
    guard let data = raw?.pointee.data else { return nil }
    return Unmanaged<ConnectAttempt>.fromOpaque(data).takeRetainedValue()
  }
}
