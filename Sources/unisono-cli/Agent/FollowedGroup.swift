import CUnisono
import UnisonoBase
import UnisonoCrypto

/// A session that this device follows without taking part in it: it hears what the group begins, and nobody waits for it.
///
/// Unchecked, because its context has a thread of its own, where `hear` is called and which alone sees what changes here.
final class FollowedGroup: @unchecked Sendable {
  enum News: Sendable {
    /// nil: nothing is done together any more. Under way: the group did it already when this device found the group.
    case activity(GroupActivity?, isUnderWay: Bool)
    /// The group was found; what is under way there was told before.
    case found
    /// Another invite leads to the group from now on.
    case invite(Invite)
    /// Nothing comes any more.
    case over(String)
  }

  private let hear: @Sendable (News) -> Void
  private var context: OpaquePointer?
  private var session: OpaquePointer?
  private var wasFound = false

  init(_ invite: Invite, deviceName: String, hear: @escaping @Sendable (News) -> Void) throws(LibraryCall.Failure) {
    self.hear = hear
    var options = unisono_context_options()
    options.size = LibraryCall.size(unisono_context_options.self)
    options.own_thread = 1
    let made = deviceName.withCString { text in
      options.device_name = text
      return unisono_context_create(&options, nil, nil, &context)
    }
    try LibraryCall.check(made)
    do throws(LibraryCall.Failure) {
      try open(invite)
    } catch {
      unisono_context_destroy(context)
      throw error
    }
  }

  /// Waits for the thread; not to be called on it.
  func close() { unisono_context_destroy(context) }

  private func open(_ invite: Invite) throws(LibraryCall.Failure) {
    var options = unisono_session_options()
    options.size = LibraryCall.size(unisono_session_options.self)
    options.role = .UNISONO_ROLE_VIEWER
    options.no_standby_hub = 1
    options.in_background = 1
    var callbacks = unisono_session_callbacks()
    callbacks.size = LibraryCall.size(unisono_session_callbacks.self)
    callbacks.state = { FollowedGroup.pass($0, $1) { $0.take(state: $1) } }
    callbacks.activity = { FollowedGroup.pass($0, $1) { $0.take(activity: $1) } }
    callbacks.invite_changed = { FollowedGroup.pass($0, $1) { $0.take(invite: $1) } }
    // It outlives the context, which `close` ends.
    let user = Unmanaged.passUnretained(self).toOpaque()
    try LibraryCall.check(unisono_session_open(context, invite.text, &options, &callbacks, user, &session))
  }

  /// - Parameter user: what `open` gave.
  private static func pass<Event>(
    _ user: UnsafeMutableRawPointer?, _ event: UnsafePointer<Event>?, _ take: (FollowedGroup, Event) -> Void
  ) {
    guard let user, let event else { return }
    take(Unmanaged<FollowedGroup>.fromOpaque(user).takeUnretainedValue(), event.pointee)
  }

  private func take(state: unisono_session_state_event) {
    if state.state == .UNISONO_SESSION_INVALIDATED {
      return hear(.over(VisibleText.plain(String(cString: state.message))))
    }
    guard !wasFound, state.connection == .UNISONO_CONNECTION_CONNECTED else { return }
    wasFound = true
    hear(.found)
  }

  private func take(activity event: unisono_activity_event) {
    let name = name(of: event.originator, in: event.base.source)
    hear(.activity(event.activity.map { GroupActivity($0.pointee, by: name) }, isUnderWay: !wasFound))
  }

  private func take(invite event: unisono_invite_event) {
    guard let invite = try? Invite(parsing: String(cString: event.invite)) else { return }
    hear(.invite(invite))
  }

  private func name(of id: unisono_participant_id, in session: UnsafeMutableRawPointer?) -> String {
    var all: UnsafePointer<unisono_participants>?
    guard let session, unisono_session_participants(OpaquePointer(session), &all) >= 0, let all else { return "" }
    defer { unisono_free(all) }
    let wanted = withUnsafeBytes(of: id) { Array($0) }
    for place in 0..<all.pointee.count {
      guard let one = all.pointee.items[place]?.pointee else { continue }
      if withUnsafeBytes(of: one.id, { Array($0) }) == wanted { return VisibleText.plain(String(cString: one.display_name)) }
    }
    return ""
  }
}
