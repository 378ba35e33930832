import UnisonoBase

/// The life of one surface: shown, going (its window is being restored), gone.
package struct SurfaceState: Sendable {
  /// Numbers of `unisono_surface_kind`.
  package enum Kind: Int32, Sendable { case inline = 0, pictureInPicture, fullScreen, remote }

  package enum Effect: Equatable, Sendable {
    case willBegin
    /// The host brings its window back and answers with the number.
    case restore(request: UInt64)
    case willEnd(Ending)
  }

  /// End of a surface.
  package enum Ending: Equatable, Sendable { case done, notRestored, timedOut }

  private enum Phase: Equatable, Sendable {
    case gone, shown
    case restoring(request: UInt64, until: HostTime)
  }

  /// The window must be back within this.
  package static let restoreLimit: Nanoseconds = .seconds(2)

  package let kind: Kind
  private var phase: Phase = .gone
  private var requests: UInt64 = 0

  package init(kind: Kind) { self.kind = kind }

  /// Also while the window is being restored.
  package var isShown: Bool { phase != .gone }

  /// nil: it is shown already.
  package mutating func begin() -> [Effect]? {
    switch phase {
    case .shown:
      return nil
    case .gone:
      phase = .shown
      return [.willBegin]
    case .restoring:
      // A person who goes back at once has both, one after the other.
      phase = .shown
      return [.willEnd(.notRestored), .willBegin]
    }
  }

  /// nil: it is not shown. What covers the window, or hides it, first has it restored.
  package mutating func end(canRestore: Bool, at now: HostTime) -> [Effect]? {
    guard phase == .shown else { return nil }
    guard canRestore, kind == .pictureInPicture || kind == .fullScreen else {
      phase = .gone
      return [.willEnd(.done)]
    }
    requests += 1
    phase = .restoring(request: requests, until: now.adding(Self.restoreLimit))
    return [.restore(request: requests)]
  }

  /// nil: this request is not open.
  package mutating func restoreDone(_ request: UInt64, restored: Bool) -> [Effect]? {
    guard case .restoring(request, _) = phase else { return nil }
    phase = .gone
    return [.willEnd(restored ? .done : .notRestored)]
  }

  /// Host time at which `expire` has something to do.
  package var deadline: HostTime? {
    if case .restoring(_, let until) = phase { until } else { nil }
  }

  package mutating func expire(at now: HostTime) -> [Effect] {
    guard let deadline, now >= deadline else { return [] }
    phase = .gone
    return [.willEnd(.timedOut)]
  }
}
