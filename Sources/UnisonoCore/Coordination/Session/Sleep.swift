/// This machine slept, and its clock stood (coordination 4).
extension Coordination {
  /// As when joining: the host goes on undisturbed, what people ask for is kept, and nothing is decided before group time is
  /// known again. Then the host is told where the group is, once. Who is alone without a group has no time to lose.
  mutating func sleepThrough() {
    guard membership.phase != .solo else { return }
    clock.becomeVoid()
    guard membership.phase == .member else { return }
    membership.phase = .joining
    if !membership.linked { membership.aloneFrom = now.adding(Parameters.joining) }
  }
}
