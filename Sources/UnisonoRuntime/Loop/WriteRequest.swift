import CUV

/// One `uv_write_t` and its bytes on their way through libuv.
final class WriteRequest {
  let raw = UnsafeMutablePointer<uv_write_t>.allocate(capacity: 1)
  let stream: UVStream
  private let bytes: UnsafeMutableBufferPointer<CChar>

  init(stream: UVStream, bytes: UnsafeRawBufferPointer) {
    self.stream = stream
    self.bytes = .allocate(capacity: bytes.count)
    UnsafeMutableRawBufferPointer(self.bytes).copyMemory(from: bytes)
    raw.pointee.data = Unmanaged.passRetained(self).toOpaque()
  }

  deinit {
    raw.deallocate()
    bytes.deallocate()
  }

  var buffer: uv_buf_t { uv_buf_init(bytes.baseAddress, UInt32(clamping: bytes.count)) }

  /// libuv did not take it.
  func discard() { Unmanaged.passUnretained(self).release() }

  /// The request comes back from libuv.
  static func reclaim(_ raw: UnsafeMutablePointer<uv_write_t>?) -> WriteRequest? {
    guard let data = raw?.pointee.data else { return nil }
    return Unmanaged<WriteRequest>.fromOpaque(data).takeRetainedValue()
  }
}
