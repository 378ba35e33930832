import CUnisono
import UnisonoBase
import UnisonoNearby

/// A service as the host declares it, copied and checked.
enum ServiceOptions {
  private static let knownPlatforms: UInt32 = 0xFF

  static func service(
    _ pointer: UnsafePointer<unisono_service>?, in context: ContextObject
  ) throws(Failure) -> NearbyService {
    guard pointer != nil else {
      throw Failure(.UNISONO_EINVAL, "service is NULL; declare identifier, usage_description and platforms")
    }
    let given = try copied(pointer, into: unisono_service(), atLeast: 40, "service")
    let identifier = try InputText.required(
      given.identifier, atMost: WireLimits.serviceIdentifier, "service.identifier")
    guard NearbyText.isIdentifier(identifier) else {
      throw Failure(.UNISONO_EINVAL, "service.identifier is \"\(identifier)\"; give 1...63 bytes of a-z 0-9 - .")
    }
    guard given.platforms & ~knownPlatforms == 0 else {
      throw Failure(.UNISONO_EINVAL, "service.platforms has bits that are no UNISONO_PLATFORM_")
    }
    guard given.platform & ~knownPlatforms == 0, given.platform.nonzeroBitCount <= 1 else {
      throw Failure(.UNISONO_EINVAL, "service.platform is no single UNISONO_PLATFORM_; give 0 to have it found out")
    }
    let usage = try InputText.required(given.usage_description, atMost: WireLimits.usage, "service.usage_description")
    let name = try InputText.optional(given.device_name, atMost: WireLimits.name, "service.device_name")
    guard VisibleText.isPlain(usage), VisibleText.isPlain(name ?? "") else {
      throw Failure(.UNISONO_EINVAL, "service.usage_description or .device_name has control characters")
    }
    let own = context.options.deviceName
    return NearbyService(
      identifier: identifier, usage: usage, deviceName: name ?? (VisibleText.isPlain(own) ? own : "device"),
      platform: given.platform == 0 ? thisPlatform : given.platform, platforms: given.platforms)
  }

  private static var thisPlatform: UInt32 {
    #if os(Linux)
      UNISONO_PLATFORM_LINUX
    #elseif os(Android)
      UNISONO_PLATFORM_ANDROID
    #elseif os(macOS)
      UNISONO_PLATFORM_MACOS
    #elseif os(iOS)
      UNISONO_PLATFORM_IOS
    #elseif os(tvOS)
      UNISONO_PLATFORM_TV
    #elseif os(Windows)
      UNISONO_PLATFORM_WINDOWS
    #else
      UNISONO_PLATFORM_OTHER
    #endif
  }
}
