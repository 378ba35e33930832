import CUnisono
import UnisonoCrypto
import UnisonoReplica
import UnisonoRuntime

/// The options of a session, copied and checked.
struct SessionOptions {
  var controlPolicy: UInt8
  var displayName: String
  /// nil: a hub in this process.
  var hub: HubLine?
  var hubOptions: HubOptions
  var activity: Activity?
  var callbacks: unisono_session_callbacks?
  var user: UnsafeMutableRawPointer?
  var keepsStandbyHub: Bool
  var inBackground: Bool
  /// nil: what the group gives who joins.
  var roleWish: Role?
  /// Who stands in for the host.
  var succession = SuccessionTerms(rule: .bySeniority)
  /// Another day to go on from; nil: a participant who is new.
  var continuation: Continuation?

  /// `forHosting`: what only a host may set counts; a session that is opened has it from the group.
  init(
    _ pointer: UnsafePointer<unisono_session_options>?, _ callbacks: UnsafePointer<unisono_session_callbacks>?,
    user: UnsafeMutableRawPointer?, in context: ContextObject, forHosting: Bool
  ) throws(Failure) {
    let given = try copied(pointer, into: unisono_session_options(), atLeast: 56, "options")
    guard (0...2).contains(given.control_policy.rawValue) else {
      throw Failure(
        .UNISONO_EINVAL,
        "options.control_policy is \(given.control_policy.rawValue), which is no unisono_control_policy")
    }
    guard (0...4).contains(given.role.rawValue) else {
      throw Failure(.UNISONO_EINVAL, "options.role is \(given.role.rawValue), which is no unisono_role")
    }
    controlPolicy = UInt8(given.control_policy.rawValue)
    roleWish = Role(rawValue: UInt8(given.role.rawValue))
    let name = try InputText.visible(given.display_name, atMost: 63, "options.display_name")
    guard name?.isEmpty != true else {
      throw Failure(.UNISONO_EINVAL, "options.display_name is empty; give 1...63 bytes, or NULL for the device's name")
    }
    displayName = name ?? context.options.deviceName
    hubOptions = HubOptions(limits: .embedded)
    if forHosting {
      succession = try SuccessionTerms(given.succession, delay: given.succession_delay, "options.succession")
      if let line = try InputText.optional(given.hub, atMost: HubLine.maximumLength + 1, "options.hub") {
        do throws(HubLineError) {
          hub = try HubLine(parsing: line)
        } catch {
          throw Failure(.UNISONO_EINVAL, "options.hub: \(error.message)")
        }
      }
      hubOptions = try HubSetup(given.hub_options, embedded: true).options
      activity = if let pointer = given.activity { try copiedActivity(pointer) } else { nil }
    }
    if let callbacks {
      let functions = try copied(callbacks, into: unisono_session_callbacks(), atLeast: 112, "callbacks")
      self.callbacks = functions
    }
    self.user = user
    continuation = try givenContinuation(given, in: context)
    // Who goes on has the role that it had.
    if continuation != nil { roleWish = nil }
    keepsStandbyHub = given.no_standby_hub == 0
    inBackground = given.in_background != 0
  }
}
