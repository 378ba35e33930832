import CUnisono
import UnisonoBase
import UnisonoReplica
import UnisonoRuntime

/// An activation that people are asked about; answered exactly once.
final class OpenActivation: @unchecked Sendable {
  /// After this nobody answers any more.
  static let patience = Nanoseconds.seconds(60)

  let request: UInt64
  let activity: Activity
  let type: unisono_activity_type
  let fn: unisono_activation_fn?
  let user: UnsafeMutableRawPointer?
  let patience: Nanoseconds
  /// On the loop.
  var timer: (any LoopTimer)?

  init(
    request: UInt64, activity: Activity, fn: unisono_activation_fn?, user: UnsafeMutableRawPointer?,
    patience: Nanoseconds
  ) {
    self.request = request
    self.activity = activity
    type = unisono_activity_type(rawValue: Int32(activity.type)) ?? .UNISONO_ACTIVITY_GENERIC
    self.fn = fn
    self.user = user
    self.patience = patience
  }
}
