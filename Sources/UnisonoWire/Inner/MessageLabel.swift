/// What the bytes of a message are, by which receivers tell them apart: a name, and the version of what it names.
///
/// Both are the application's; the library compares nothing.
package struct MessageLabel: Hashable, Sendable {
  /// 1...127 bytes.
  package var type: String
  package var version: UInt32

  package init(type: String, version: UInt32) {
    self.type = type
    self.version = version
  }
}
