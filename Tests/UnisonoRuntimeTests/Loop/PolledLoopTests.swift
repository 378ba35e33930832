import CUV
import Glibc
import Synchronization
import Testing
import UnisonoBase

@testable import UnisonoRuntime

@Suite("The polled loop", .serialized)
struct PolledLoopTests {
  @Test("tells the host's monotonic time")
  func time() throws {
    let loop = try UVLoop.polled()
    var before = timespec()
    clock_gettime(CLOCK_MONOTONIC, &before)
    let now = loop.now
    var after = timespec()
    clock_gettime(CLOCK_MONOTONIC, &after)
    let nanoseconds = { (time: timespec) in Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) }
    #expect(nanoseconds(before) <= now && now <= nanoseconds(after))
    loop.close()
  }

  @Test("is silent when nothing is due, and readable for a timer when it is due and not before")
  func timerDescriptor() throws {
    let loop = try UVLoop.polled()
    var fired: [HostTime] = []
    let timer = loop.makeTimer { fired.append(loop.now) }
    #expect(!isReadable(loop.descriptor))
    #expect(loop.timeout == nil)
    let far = loop.now + .seconds(3_600)
    timer.arm(at: far)
    #expect((loop.timeout ?? 0) > .seconds(3_500))
    #expect(!isReadable(loop.descriptor))
    let due = loop.now + .milliseconds(20)
    timer.arm(at: due)
    #expect(loop.poll(maxWait: 0) == .ran)
    #expect(fired.isEmpty || loop.now >= due)
    #expect(isReadable(loop.descriptor, within: 10_000))
    #expect(loop.now >= due)
    #expect(loop.poll(maxWait: 0) == .ran)
    #expect(fired.count == 1 && fired[0] >= due)
    #expect(!isReadable(loop.descriptor))
    #expect(loop.timeout == nil)
    timer.arm(at: loop.now - 5)
    #expect(loop.timeout == 0)
    #expect(isReadable(loop.descriptor, within: 10_000))
    loop.close()
  }

  @Test("is readable after work from another thread, runs it in order, and is silent afterwards")
  func submitting() throws {
    let loop = try UVLoop.polled()
    let order = Record<Int>()
    let ended = Record<Int>()
    loop.onEndOfTurn { ended.add(order.all.count) }
    let thread = try LoopThread.start(name: "test") { for index in 0..<1_000 { loop.submit { order.add(index) } } }
    pthread_join(thread, nil)
    #expect(isReadable(loop.descriptor))
    #expect(loop.poll(maxWait: 0) == .ran)
    #expect(order.all == Array(0..<1_000))
    #expect(ended.all == [1_000])
    #expect(!isReadable(loop.descriptor))
    loop.close()
    #expect(!loop.submit { order.add(-1) })
    #expect(order.all.count == 1_000)
  }

  @Test("runs what the end of a turn submits in the same poll, and ends that turn too")
  func endOfTurnSubmits() throws {
    let loop = try UVLoop.polled()
    let steps = Record<String>()
    loop.onEndOfTurn {
      steps.add("end")
      if steps.all.count < 4 { loop.submit { steps.add("work") } }
    }
    loop.submit { steps.add("work") }
    #expect(loop.poll(maxWait: 0) == .ran)
    #expect(steps.all == ["work", "end", "work", "end"])
    loop.close()
  }

  @Test("lets sockets in between endless work, and stays readable meanwhile")
  func endlessWork() throws {
    let loop = try UVLoop.polled()
    let isOver = Record<Bool>()
    final class Chain: Sendable {
      func next(_ loop: UVLoop, _ isOver: Record<Bool>) {
        if isOver.all.isEmpty { loop.submit { self.next(loop, isOver) } }
      }
    }
    Chain().next(loop, isOver)
    #expect(loop.poll(maxWait: 0) == .ran)
    #expect(isReadable(loop.descriptor))
    #expect(loop.timeout == 0)
    isOver.add(true)
    #expect(loop.poll(maxWait: 0) == .ran)
    #expect(!isReadable(loop.descriptor))
    loop.close()
  }

  @Test("what becomes due while a turn runs waits until the sockets had theirs; what is due at once does not wait")
  func dueMeanwhile() throws {
    let loop = try UVLoop.polled()
    for pause in [Nanoseconds.microseconds(50), 0] {
      var turns: [Int] = []
      var timer: (any LoopTimer)?
      timer = loop.makeTimer {
        turns.append(loop.turns)
        guard turns.count < 4 else { return }
        var due: HostTime
        repeat {
          due = loop.now + pause
          timer?.arm(at: due)
          // Once more if this thread was held up until it was due.
        } while pause > 0 && loop.now >= due
        while loop.now <= due {}
      }
      timer?.arm(at: loop.now)
      #expect(loop.poll { turns.count == 4 })
      #expect(Set(turns).count == (pause > 0 ? 4 : 1))
      timer?.close()
    }
    loop.close()
  }

  @Test("a wake-up from another thread ends a poll that waits without limit; many are one")
  func waking() throws {
    let loop = try UVLoop.polled()
    let polled = Record<Bool>()
    let returned = Record<Bool>()
    let thread = try LoopThread.start(name: "test") {
      guard polled.wait(for: 1) else { return }
      // Those that come during the first poll are part of it.
      while returned.all.isEmpty { loop.wake() }
    }
    loop.submit { polled.add(true) }
    #expect(loop.poll(maxWait: 0) == .ran)
    #expect(loop.poll(maxWait: -1) == .ran)
    returned.add(true)
    pthread_join(thread, nil)
    #expect(loop.poll(maxWait: 0) == .ran)
    #expect(!isReadable(loop.descriptor))
    loop.close()
  }

  @Test("waits no shorter than asked when nothing comes")
  func waiting() throws {
    let loop = try UVLoop.polled()
    let start = loop.now
    #expect(loop.poll(maxWait: .milliseconds(15)) == .ran)
    #expect(loop.now - start >= .milliseconds(15))
    loop.close()
  }

  @Test("F61: punctual timers come in the order of their instants, among the others, never early, and end no wait")
  func punctual() throws {
    let loop = try UVLoop.polled()
    let due = loop.now + .milliseconds(8)
    var fired: [Int] = []
    var early = 0
    let timers = (0..<4).map { index in
      let fire = {
        fired.append(index)
        if loop.now < due + Int64(index) * 1_000 { early += 1 }
      }
      return index % 2 == 0 ? loop.makePunctualTimer(fire) : loop.makeTimer(fire)
    }
    for (index, timer) in timers.enumerated().reversed() { timer.arm(at: due + Int64(index) * 1_000) }
    let timeout = try #require(loop.timeout)
    #expect(timeout <= .milliseconds(8) && (timeout > 0 || loop.now >= due))
    var polls = 0
    while fired.count < 4, polls < 100 {
      #expect(loop.poll(maxWait: .seconds(20)) == .ran)
      polls += 1
    }
    #expect(fired == [0, 1, 2, 3] && early == 0)
    #expect(polls <= 4, "a wait ends when something is due, not when the loop comes nearer")
    timers[0].arm(at: loop.now + .seconds(3_600))
    timers[0].arm(at: nil)
    #expect(loop.timeout == nil)
    loop.close()
  }

  @Test("says what is wrong when polled inside a callback, by two threads, or after the end")
  func misuse() throws {
    let loop = try UVLoop.polled()
    let outcomes = Record<UVLoop.PollOutcome>()
    loop.submit { outcomes.add(loop.poll(maxWait: 0)) }
    loop.submit {
      let thread = try? LoopThread.start(name: "test") { outcomes.add(loop.poll(maxWait: 0)) }
      if let thread { pthread_join(thread, nil) }
    }
    #expect(loop.poll(maxWait: 0) == .ran)
    #expect(outcomes.all == [.insideCallback, .busy])
    loop.close()
    #expect(loop.poll(maxWait: 0) == .closed)
    #expect(loop.descriptor == nil)
    loop.wake()
  }

  @Test("closing outside a poll runs what was submitted, then the teardown, then the completion, before it returns")
  func closing() throws {
    let loop = try UVLoop.polled()
    let steps = Record<String>()
    let timer = loop.makeTimer { steps.add("timer") }
    timer.arm(at: loop.now + .seconds(3_600))
    let listener = try loop.listen(on: "127.0.0.1:0") { _ in StreamEvents(received: { _ in }, closed: { _ in }) }
    _ = loop.connect(
      to: "127.0.0.1:\(listener.port)",
      StreamEvents(received: { _ in }, closed: { _ in steps.add("never: the loop closes silently") }))
    loop.submit { steps.add("work") }
    loop.close(teardown: { steps.add("teardown") }, completion: { steps.add("completion") })
    #expect(steps.all == ["work", "teardown", "completion"])
    loop.close(completion: { steps.add("twice") })
    #expect(steps.all.count == 3)
  }

  @Test("closing inside a callback ends the poll; closing from another thread ends a waiting poll and waits for it")
  func closingElsewhere() throws {
    let inside = try UVLoop.polled()
    let steps = Record<String>()
    inside.submit { inside.close(completion: { steps.add("inside") }) }
    #expect(inside.poll(maxWait: -1) == .closed)
    #expect(steps.all == ["inside"])

    let other = try UVLoop.polled()
    let polled = Record<Bool>()
    other.submit { polled.add(true) }
    let thread = try LoopThread.start(name: "test") {
      guard polled.wait(for: 1) else { return }
      other.close(completion: { steps.add("other") })
      steps.add("returned")
    }
    var outcome = UVLoop.PollOutcome.ran
    while outcome == .ran { outcome = other.poll(maxWait: -1) }
    pthread_join(thread, nil)
    #expect(outcome == .closed)
    #expect(steps.all == ["inside", "other", "returned"])
  }

  @Test("a hundred loops leave no descriptor behind")
  func descriptors() throws {
    let count = { (0..<1_024).filter { fcntl($0, F_GETFD) >= 0 }.count }
    func once() throws {
      let loop = try UVLoop.polled()
      let listener = try loop.listen(on: "127.0.0.1:0") { _ in StreamEvents(received: { _ in }, closed: { _ in }) }
      _ = try loop.openDatagrams(on: "127.0.0.1:0") { _, _, _ in }
      _ = try loop.reserveListener(on: "127.0.0.1:0")
      _ = loop.connect(to: "127.0.0.1:\(listener.port)", StreamEvents(received: { _ in }, closed: { _ in }))
      _ = loop.poll(maxWait: 0)
      loop.close()
    }
    try once()
    let before = count()
    for _ in 0..<100 { try once() }
    // Other suites open sockets at the same time, but not a hundred times four.
    #expect(count() < before + 100)
  }
}
