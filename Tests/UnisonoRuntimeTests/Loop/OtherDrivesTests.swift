import CUV
import Glibc
import Testing
import UnisonoBase

@testable import UnisonoRuntime

@Suite("Own thread and foreign loop", .serialized)
struct OtherDrivesTests {
  @Test("an own thread runs work and timers, named, with SIGPIPE blocked, and is joined by close")
  func ownThread() throws {
    let loop = try UVLoop.ownThread(name: "uni-test")
    let seen = Record<String>()
    #expect(!loop.isOnLoopThread)
    #expect(loop.poll(maxWait: 0) == .notPolled && loop.descriptor == nil)
    loop.submit {
      if loop.isOnLoopThread { seen.add("on the loop") }
      var mask = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &mask)
      if sigismember(&mask, SIGPIPE) == 1 { seen.add("no SIGPIPE") }
      let timer = loop.makeTimer { seen.add("timer") }
      timer.arm(at: loop.now + .milliseconds(5))
      loop.onEndOfTurn { withExtendedLifetime(timer) {} }
    }
    #expect(seen.wait(for: 3))
    #expect(seen.all == ["on the loop", "no SIGPIPE", "timer"])
    loop.close(completion: { seen.add("closed") })
    #expect(seen.all.last == "closed")
    #expect(!loop.submit {})
  }

  @Test("F61: an own thread meets instants one after the other, never early, and hears others meanwhile")
  func punctual() throws {
    let loop = try UVLoop.ownThread(name: "uni-test")
    let seen = Record<Int64>()
    let heard = Record<Int>()
    loop.submit {
      final class Chain { var timer: (any LoopTimer)?; var due = HostTime(0) }
      let chain = Chain()
      chain.due = loop.now
      chain.timer = loop.makePunctualTimer {
        seen.add(loop.now - chain.due)
        if seen.all.count == 20 { return chain.timer = nil }
        chain.due += .milliseconds(2)
        chain.timer?.arm(at: chain.due)
      }
      chain.timer?.arm(at: chain.due)
    }
    for index in 0..<20 { loop.submit { heard.add(index) } }
    #expect(heard.wait(for: 20) && seen.wait(for: 20))
    #expect(seen.all.allSatisfy { $0 >= 0 })
    loop.close()
  }

  @Test("an own thread that is closed from its own callback ends by itself")
  func ownThreadInside() throws {
    let loop = try UVLoop.ownThread()
    let seen = Record<String>()
    loop.submit { loop.close(completion: { seen.add("closed") }) }
    #expect(seen.wait(for: 1))
  }

  @Test("on a foreign loop everything runs in the host's uv_run, and the host can close its loop after the completion")
  func foreign() throws {
    let raw = UnsafeMutablePointer<uv_loop_t>.allocate(capacity: 1)
    #expect(uv_loop_init(raw) == 0)
    let loop = try UVLoop.foreign(raw)
    let seen = Record<String>()
    let listener = try loop.listen(on: "127.0.0.1:0") { stream in
      StreamEvents(
        received: {
          seen.add(String(decoding: $0, as: UTF8.self))
          stream.write(Array("pong".utf8))
        }, closed: { _ in })
    }
    let stream = loop.connect(
      to: "127.0.0.1:\(listener.port)",
      StreamEvents(
        received: {
          seen.add(String(decoding: $0, as: UTF8.self))
          loop.close(completion: { seen.add("closed") })
        }, closed: { _ in }))
    stream.write(Array("ping".utf8))
    #expect(seen.all.isEmpty)
    // Ends when nothing of the library is left on the loop.
    uv_run(raw, UV_RUN_DEFAULT)
    #expect(seen.all == ["ping", "pong", "closed"])
    #expect(uv_loop_close(raw) == 0)
    raw.deallocate()
  }
}
