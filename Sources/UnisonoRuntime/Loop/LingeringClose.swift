import CUV
import Glibc
import UnisonoBase

/// The end of a TCP connection that this side has closed: it writes no more, and what still comes is read and thrown away until the other
/// side closes, too (RFC 9112 9.6, RFC 6455 7.1.1).
///
/// A socket that is closed with something unread answers with a reset, and the other side can lose what was written last to it: why it
/// was turned away, or that somebody left. Phases: from `init` until `end`, which its stream calls at the other side's end, when
/// `goesOn` says so or the time is up.
final class LingeringClose {
  /// As long as a slow line needs for one answer.
  static let time = Nanoseconds.seconds(2)
  /// Thrown away at most, bytes; more than one who obeys has under way.
  static let byteLimit = 262_144
  /// Of one loop at a time: they hold descriptors of the host's process. What is closed beyond them ends at once.
  static let limit = 64

  private let loop: UVLoop
  private let timer: UVTimer
  private var discarded = 0
  private var isOver = false

  /// nil: it is to be closed at once.
  init?(of handle: UVStream.Handle, on loop: UVLoop, end: @escaping () -> Void) {
    guard loop.beginLingering() else { return nil }
    self.loop = loop
    timer = UVTimer(loop: loop, fire: end)
    // What waits in libuv goes first.
    let request = UnsafeMutablePointer<uv_shutdown_t>.allocate(capacity: 1)
    guard uv_shutdown(request, handle.stream, { request, _ in request?.deallocate() }) == 0 else {
      request.deallocate()
      loop.endLingering()
      return nil
    }
    timer.arm(at: loop.now.adding(Self.time))
    loop.wakeForRegistration()
  }

  /// Counts bytes that came; negative: the other side's end. False: it is time to `end`.
  func goesOn(discarding count: Int) -> Bool {
    guard count > 0 else { return false }
    discarded += count
    return discarded <= Self.byteLimit
  }

  func end() {
    guard !isOver else { return }
    isOver = true
    timer.close()
    loop.endLingering()
  }

  /// Throws away what the kernel has for a socket that is closed at once.
  static func discardUnread(of handle: UVStream.Handle, on loop: UVLoop) {
    var descriptor = Int32(-1)
    guard uv_fileno(UnsafeMutableRawPointer(handle.raw).assumingMemoryBound(to: uv_handle_t.self), &descriptor) == 0 else { return }
    let room = loop.readBuffer
    for _ in 0..<(byteLimit / room.count) {
      if recv(descriptor, room.baseAddress, room.count, Int32(MSG_DONTWAIT)) <= 0 { return }
    }
  }
}
