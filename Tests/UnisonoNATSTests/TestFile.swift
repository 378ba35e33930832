#if NATS
  import Glibc
  import UnisonoRuntime

  /// A file with a text, which is gone with this object.
  final class TestFile {
    let path: String

    init(_ text: String) throws {
      var template = Array("/tmp/unisono-nats-XXXXXX".utf8CString)
      let descriptor = mkstemp(&template)
      guard descriptor >= 0 else { throw NetworkError("no file") }
      defer { Glibc.close(descriptor) }
      path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let bytes = Array(text.utf8)
      guard write(descriptor, bytes, bytes.count) == bytes.count else { throw NetworkError("no room for a file") }
    }

    deinit { unlink(path) }
  }
#endif
