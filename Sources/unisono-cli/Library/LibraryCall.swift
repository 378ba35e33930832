import CUnisono

/// What the parts of this command that go through the library's C functions share.
enum LibraryCall {
  /// What the library refused, in its words.
  struct Failure: Error { var message: String }

  static func size<T>(_ type: T.Type) -> UInt32 { UInt32(MemoryLayout<T>.size) }

  /// Of this thread's last call.
  static var failure: Failure { Failure(message: String(cString: unisono_last_error())) }

  static func check(_ status: Int32) throws(Failure) {
    if status < 0 { throw failure }
  }
}
