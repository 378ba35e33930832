import CUnisono

/// One event loop, in a thread of its own, and everything that lives on it.
///
/// The thread is an executor, too: an actor of yours runs on it, between the turns of the loop, with
///
///     nonisolated var unownedExecutor: UnownedSerialExecutor { context.unownedExecutor }
///
/// Such an actor keeps its context. It must not block: the clock and everybody's messages wait for it.
///
/// When nothing holds a context any more it is closed in the background; at the end of a process `await close()`, so that what
/// was said still goes out.
public final class Context: Sendable {
  /// How a context is made; zero and nil are the defaults.
  public struct Options: Sendable {
    /// What others see; at most 63 bytes. nil: the host's name.
    public var deviceName: String?
    /// A folder for remembered answers. nil: in memory only.
    public var storagePath: String?
    /// A secret of 16 bytes, the same on all devices of one person, never sent. Empty: this device alone.
    public var person: [UInt8] = []
    /// Messages held before the library drops some (`ContextEvent.dropped`), 16...65,536. 0: 1,024.
    public var eventQueueLimit: UInt32 = 0
    /// Of jitter and back-off, never of keys. 0: the system's.
    public var randomSeed: UInt64 = 0
    public var logLevel: LogLevel = .default

    public init(deviceName: String? = nil, storagePath: String? = nil) {
      (self.deviceName, self.storagePath) = (deviceName, storagePath)
    }

    fileprivate func c(_ lent: Lent) throws(UnisonoError) -> unisono_context_options {
      var c = unisono_context_options()
      c.size = UInt32(MemoryLayout<unisono_context_options>.size)
      c.event_queue = 1
      c.event_queue_limit = eventQueueLimit
      c.device_name = try lent.text(deviceName, "deviceName")
      c.storage_path = try lent.text(storagePath, "storagePath")
      c.random_seed = randomSeed
      c.log_level = logLevel.c
      guard person.isEmpty || person.count == 16 else {
        throw UnisonoError(.invalidArgument, "Context: person is \(person.count) bytes, not 16")
      }
      withUnsafeMutableBytes(of: &c.person) { $0.copyBytes(from: person) }
      return c
    }
  }

  let loop: ContextLoop

  /// Makes a context and starts its thread.
  /// Errors: `.invalidArgument` (a limit exceeded), `.inputOutput` (storagePath cannot be used), `.outOfMemory`.
  public convenience init(_ options: Options = Options()) throws(UnisonoError) {
    try self.init(options, tasks: nil) { c, out in unisono_context_create(&c, nil, nil, &out) }
  }

  /// tasks: of a simulation, whose contexts have no thread.
  init(
    _ options: Options, tasks: SimulatedTasks?, _ make: (inout unisono_context_options, inout OpaquePointer?) -> Int32
  ) throws(UnisonoError) {
    let lent = Lent()
    var c = try options.c(lent)
    var out: OpaquePointer?
    try check(withExtendedLifetime(lent) { make(&c, &out) })
    guard let out else { throw UnisonoError(.internal) }
    do {
      loop = try ContextLoop(Handle(token: out), tasks)
    } catch {
      unisono_context_destroy(out)
      throw error
    }
  }

  deinit { loop.end() }

  /// Closes everything made from this context; its sessions leave. Every call fails with `.closed` from then on, and all sequences
  /// of events end. Jobs of your actors still run.
  public func close() async { await loop.close() }

  /// The context's thread, for actors of your own.
  public var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// What concerns no session, coordinator or player: log lines, errors, drops.
  public var events: Events<ContextEvent> { loop.events.events() }

  /// The clock this context lives by.
  /// Errors: `.closed`.
  public var hostTime: HostTime {
    get throws(UnisonoError) {
      let now = unisono_context_host_time(loop.context.token)
      guard now >= 0 else { throw UnisonoError(.init(rawValue: Int32(truncatingIfNeeded: now))) }
      return HostTime(nanoseconds: now)
    }
  }

  /// The same, to sleep by: on its loop's timers.
  public var clock: ContextClock { ContextClock(context: self) }

  /// Forgets remembered answers of one type of activity, nil: of all; people are asked again.
  public func forgetAnswers(of type: Activity.Kind? = nil) throws(UnisonoError) {
    try check(
      unisono_context_forget_answers(loop.context.token, type?.c ?? .UNISONO_ACTIVITY_ALL))
  }

  /// The library's version, like "0.2.0".
  public static var libraryVersion: String { String(cString: unisono_version()) }

  /// From where the best of an invite's addresses can be reached, as they are spelled: nothing is tried.
  public static func reach(ofInvite invite: String) throws(UnisonoError) -> Reach {
    let lent = Lent()
    let text = try lent.text(invite, "invite")
    return Reach(rawValue: try check(withExtendedLifetime(lent) { unisono_invite_reach(text) }))
  }
}

public enum ContextEvent: LossyEvent {
  case log(LogLevel, String)
  /// A call that was accepted and failed later.
  case error(LateError)
  /// The library dropped so many messages, and so many log lines and the like, because the context's thread was kept busy.
  case dropped(messages: UInt64, others: UInt64)
  /// So many events are missing here: this reader did not keep up.
  case overflow(Int)

  init?(_ event: UnsafePointer<unisono_context_event>) {
    if let c = unisono_event_log(event)?.pointee {
      self = .log(LogLevel(rawValue: c.level.rawValue), String(cString: c.message))
    } else if let c = unisono_event_overflow(event)?.pointee {
      self = .dropped(messages: c.messages, others: c.others)
    } else if let error = LateError(event) {
      self = .error(error)
    } else {
      return nil
    }
  }
}

/// A call that was accepted and was refused, or failed, later.
public struct LateError: Hashable, Sendable {
  public let error: UnisonoError
  /// The function of the C API.
  public let operation: String

  init(error: UnisonoError, operation: String) { (self.error, self.operation) = (error, operation) }

  init?(_ event: UnsafePointer<unisono_context_event>) {
    guard let c = unisono_event_error(event)?.pointee else { return nil }
    error = UnisonoError(.init(rawValue: c.status), String(cString: c.message))
    operation = String(cString: c.operation)
  }
}
