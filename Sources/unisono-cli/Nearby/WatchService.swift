import UnisonoNearby

/// What `unisono watch --nearby` shows and `unisono join` looks for.
enum WatchService {
  /// UNISONO_PLATFORM_LINUX.
  static let linux: UInt32 = 2

  static func named(_ device: String) -> NearbyService {
    NearbyService(identifier: "unisono.watch", usage: "Watch together", deviceName: device, platform: linux)
  }
}
