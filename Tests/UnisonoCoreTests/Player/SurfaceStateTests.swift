import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoPlayer

@Suite struct SurfaceStateTests {
  @Test("F29: a surface begins once, restores its window, and ends when that is done")
  func life() {
    var surface = SurfaceState(kind: .pictureInPicture)
    #expect(surface.end(canRestore: true, at: 0) == nil)
    #expect(surface.begin() == [.willBegin])
    #expect(surface.begin() == nil)
    #expect(surface.end(canRestore: true, at: 0) == [.restore(request: 1)])
    #expect(surface.end(canRestore: true, at: 0) == nil)
    #expect(surface.restoreDone(2, restored: true) == nil)
    #expect(surface.restoreDone(1, restored: true) == [.willEnd(.done)])
    #expect(surface.restoreDone(1, restored: true) == nil)
  }

  @Test("F29: a window that is not restored within 2 s, or not at all")
  func timeout() {
    var surface = SurfaceState(kind: .fullScreen)
    _ = surface.begin()
    _ = surface.end(canRestore: true, at: 10)
    #expect(surface.deadline == 10 + .seconds(2))
    #expect(surface.expire(at: .seconds(1)).isEmpty)
    #expect(surface.expire(at: .seconds(3)) == [.willEnd(.timedOut)])
    #expect(surface.restoreDone(1, restored: true) == nil)
    _ = surface.begin()
    _ = surface.end(canRestore: true, at: 0)
    #expect(surface.restoreDone(2, restored: false) == [.willEnd(.notRestored)])
    _ = surface.begin()
    _ = surface.end(canRestore: true, at: 0)
    #expect(surface.begin() == [.willEnd(.notRestored), .willBegin])
  }

  @Test("F29: what hides no window has none to restore")
  func inline() {
    for kind in [SurfaceState.Kind.inline, .remote] {
      var surface = SurfaceState(kind: kind)
      _ = surface.begin()
      #expect(surface.end(canRestore: true, at: 0) == [.willEnd(.done)])
    }
    var alone = SurfaceState(kind: .pictureInPicture)
    _ = alone.begin()
    #expect(alone.end(canRestore: false, at: 0) == [.willEnd(.done)])
  }
}
