import CUnisono
import UnisonoCore
import UnisonoRuntime

/// An activation that people are asked about; answered exactly once.
final class OpenActivation: @unchecked Sendable {
  let request: UInt64
  let activity: Activity
  let type: unisono_activity_type
  let fn: unisono_activation_fn?
  let user: UnsafeMutableRawPointer?
  /// On the loop.
  var timer: (any LoopTimer)?

  init(request: UInt64, activity: Activity, fn: unisono_activation_fn?, user: UnsafeMutableRawPointer?) {
    self.request = request
    self.activity = activity
    type = unisono_activity_type(rawValue: Int32(activity.type)) ?? .UNISONO_ACTIVITY_GENERIC
    self.fn = fn
    self.user = user
  }
}
