/// The error codes of the C API that the player itself gives.
enum PlayerStatus {
  /// UNISONO_ENOTSUP.
  static let notSupported: Int32 = -117
}
