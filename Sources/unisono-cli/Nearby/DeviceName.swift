import Glibc
import UnisonoBase

/// What other devices call this one where nobody named it: the machine's own name.
enum DeviceName {
  static var standard: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "device" }
    let bytes = buffer.prefix { $0 != 0 }.prefix(WireLimits.name).map { UInt8(bitPattern: $0) }
    let name = String(validating: bytes, as: UTF8.self) ?? ""
    return name.isEmpty || !VisibleText.isPlain(name) ? "device" : name
  }
}
