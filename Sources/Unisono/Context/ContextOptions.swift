import CUnisono
import Glibc
import UnisonoCoordination
import UnisonoRuntime

/// The options of a context, copied and checked.
struct ContextOptions {
  enum Drive {
    case polled
    case ownThread
    case foreign(UnsafeMutableRawPointer)
    /// Of which its maker made it, and runs it.
    case simulated(SimulatedLoop)
  }

  var drive = Drive.polled
  /// nil: no event queue; else messages held before dropping.
  var queueLimit: Int?
  var deviceName: String
  /// Folder for remembered answers.
  var storagePath: String?
  var log: unisono_log_fn?
  var wakeup: unisono_wakeup_fn?
  var released: unisono_released_fn?
  var user: UnsafeMutableRawPointer?
  /// Jitter and back-off only.
  var seed: UInt64
  /// nil: no log at all.
  var logLevel: LogLevel?
  /// The secret of the person whose device this is; nil: none was told.
  var person: [UInt8]?

  init(
    _ pointer: UnsafePointer<unisono_context_options>?, _ callbacks: UnsafePointer<unisono_context_callbacks>?,
    user: UnsafeMutableRawPointer?
  ) throws(Failure) {
    let given = try copied(pointer, into: unisono_context_options(), atLeast: 80, "options")
    let functions = try copied(callbacks, into: unisono_context_callbacks(), atLeast: 32, "callbacks")
    let foreign = given.uv_loop
    guard given.own_thread == 0 || foreign == nil else {
      throw Failure(.UNISONO_EINVAL, "options.own_thread and options.uv_loop exclude each other")
    }
    if let foreign {
      guard given.uv_loop_size == UVLoop.foreignLoopSize else {
        throw Failure(
          .UNISONO_ENOTSUP,
          "options.uv_loop_size is \(given.uv_loop_size), but this library's libuv has \(UVLoop.foreignLoopSize); "
            + "host and library must use the same libuv")
      }
      drive = .foreign(foreign)
    } else if given.own_thread != 0 {
      drive = .ownThread
    }
    let limit = given.event_queue_limit
    guard limit == 0 || (16...65_536).contains(limit) else {
      throw Failure(.UNISONO_EINVAL, "options.event_queue_limit is \(limit); give 0 or 16...65536")
    }
    if given.event_queue != 0 { queueLimit = limit == 0 ? 1_024 : Int(limit) }
    deviceName = try InputText.visible(given.device_name, atMost: 63, "options.device_name") ?? Self.hostName
    if deviceName.isEmpty { deviceName = Self.hostName }
    if let folder = try InputText.optional(given.storage_path, atMost: 4_095, "options.storage_path") {
      var status = stat()
      guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, access(folder, W_OK | X_OK) == 0 else {
        throw Failure(.UNISONO_EIO, "options.storage_path is no folder that can be written to")
      }
      storagePath = folder
    }
    let secret = withUnsafeBytes(of: given.person) { Array($0) }
    person = secret.allSatisfy { $0 == 0 } ? nil : secret
    switch given.log_level {
    case .UNISONO_LOG_DEFAULT: logLevel = .warning
    case .UNISONO_LOG_NONE: logLevel = nil
    default:
      guard let level = LogLevel(rawValue: given.log_level.rawValue) else {
        throw Failure(
          .UNISONO_EINVAL, "options.log_level is \(given.log_level.rawValue), which is no unisono_log_level")
      }
      logLevel = level
    }
    log = functions.log
    wakeup = functions.wakeup
    released = functions.released
    self.user = user
    var generator = SystemRandomNumberGenerator()
    seed = given.random_seed == 0 ? generator.next() : given.random_seed
  }

  /// The same, for one that lives on a simulation's clock.
  init(
    simulated pointer: UnsafePointer<unisono_context_options>?, _ callbacks: UnsafePointer<unisono_context_callbacks>?,
    user: UnsafeMutableRawPointer?, on makeLoop: () -> SimulatedLoop
  ) throws(Failure) {
    try self.init(pointer, callbacks, user: user)
    guard case .polled = drive else {
      throw Failure(
        .UNISONO_EINVAL,
        "options.own_thread and options.uv_loop are not for simulated contexts: unisono_simulation_advance runs them")
    }
    let loop = makeLoop()
    drive = .simulated(loop)
    let given = try copied(pointer, into: unisono_context_options(), atLeast: 80, "options").random_seed
    if given == 0 { seed = loop.randomNumber() }
  }

  /// At most 63 bytes of the machine's name.
  private static var hostName: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "device" }
    let bytes = buffer.prefix { $0 != 0 }.prefix(63).map { UInt8(bitPattern: $0) }
    let name = String(validating: bytes, as: UTF8.self) ?? ""
    return name.isEmpty ? "device" : name
  }
}
