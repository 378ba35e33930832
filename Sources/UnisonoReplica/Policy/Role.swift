/// What a participant is to the session; numbers of `unisono_role`. Greater ones may do what lesser ones may.
package enum Role: UInt8, Sendable, Comparable, CaseIterable {
  case viewer = 1
  case member = 2
  case host = 3
  /// Changes roles and the control policy, removes participants, renews the invite.
  case owner = 4

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
