import CUnisono

/// A handle that several threads use: it is a number.
struct Handle: @unchecked Sendable {
  var raw: OpaquePointer?
}

/// What a test makes through the C functions.
enum Make {
  static func context(
    ownThread: Bool, eventQueue: Bool = false, logLevel: unisono_log_level = .UNISONO_LOG_NONE,
    released: Counter? = nil
  ) -> Handle {
    var options = unisono_context_options()
    options.size = UInt32(MemoryLayout<unisono_context_options>.size)
    options.own_thread = ownThread ? 1 : 0
    options.event_queue = eventQueue ? 1 : 0
    options.log_level = logLevel
    var callbacks = unisono_context_callbacks()
    callbacks.size = UInt32(MemoryLayout<unisono_context_callbacks>.size)
    callbacks.released = { Counter.of($0)?.add() }
    var made: OpaquePointer?
    _ = unisono_context_create(&options, &callbacks, released?.user, &made)
    return Handle(raw: made)
  }

  /// Completes every command; `commands` counts them.
  static func coordinator(in context: Handle, commands: Counter) -> Handle {
    var delegate = unisono_playback_delegate()
    delegate.size = UInt32(MemoryLayout<unisono_playback_delegate>.size)
    let complete: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<unisono_command>?) -> Void = {
      user, command in
      guard let command = command?.pointee else { return }
      Counter.of(user)?.add()
      _ = unisono_coordinator_complete(OpaquePointer(command.base.source), command.id)
    }
    delegate.play = complete
    delegate.pause = complete
    delegate.seek = complete
    delegate.buffer = complete
    var made: OpaquePointer?
    _ = unisono_coordinator_create(context.raw, &delegate, commands.user, &made)
    return Handle(raw: made)
  }

  /// Hosts a session on loopback; nil: it failed.
  static func hosted(in context: Handle) -> Handle {
    "127.0.0.1:0".withCString { address in
      var addresses: [UnsafePointer<CChar>?] = [address]
      return addresses.withUnsafeMutableBufferPointer { list in
        var hub = unisono_hub_options()
        hub.size = UInt32(MemoryLayout<unisono_hub_options>.size)
        hub.listen = UnsafePointer(list.baseAddress)
        hub.listen_count = 1
        var options = unisono_session_options()
        options.size = UInt32(MemoryLayout<unisono_session_options>.size)
        var made: OpaquePointer?
        withUnsafePointer(to: hub) {
          options.hub_options = $0
          _ = unisono_session_host(context.raw, &options, nil, nil, &made)
        }
        return Handle(raw: made)
      }
    }
  }

  static func opened(_ invite: [CChar], in context: Handle) -> Handle {
    var made: OpaquePointer?
    _ = unisono_session_open(context.raw, invite, nil, nil, nil, &made)
    return Handle(raw: made)
  }

  static func invite(of session: Handle) -> [CChar] {
    var buffer = [CChar](repeating: 0, count: 4_096)
    var length = buffer.count
    _ = unisono_session_invite(session.raw, &buffer, &length)
    return buffer
  }
}

/// Whether a status is one that a racing call may get: done, gone, or not just now.
func isExpected(_ status: Int32) -> Bool {
  let allowed: [unisono_status] = [
    .UNISONO_OK, .UNISONO_ECLOSED, .UNISONO_ESTATE, .UNISONO_EBUSY, .UNISONO_EFULL, .UNISONO_ENOTFOUND,
  ]
  return status >= 0 || allowed.contains { $0.rawValue == status }
}
