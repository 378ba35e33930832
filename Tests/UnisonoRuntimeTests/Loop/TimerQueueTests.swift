import Testing

@testable import UnisonoRuntime

@Suite("The timer queue")
struct TimerQueueTests {
  @Test("fires by deadline, and equal deadlines in the order of arming")
  func order() {
    var queue = TimerQueue()
    var fired: [Int] = []
    let timers = (0..<6).map { index in TimerQueue.Timer { fired.append(index) } }
    for (timer, deadline) in zip(timers, [30, 10, 20, 10, 10, 40] as [Int64]) { queue.arm(timer, at: deadline) }
    #expect(queue.nextDeadline() == 10)
    while let fire = queue.popDue(at: 30, armedUpTo: queue.newestArming) { fire() }
    #expect(fired == [1, 3, 4, 2, 0])
    #expect(queue.nextDeadline() == 40 && queue.count == 1)
  }

  @Test("moving and cancelling leave nothing that fires, and no growth")
  func cancelling() {
    var queue = TimerQueue()
    var fired = 0
    let timer = TimerQueue.Timer { fired += 1 }
    let other = TimerQueue.Timer { fired += 100 }
    for deadline in 0..<10_000 { queue.arm(timer, at: Int64(deadline)) }
    queue.arm(other, at: 5)
    queue.disarm(other)
    #expect(queue.nextDeadline() == 9_999 && queue.count == 1)
    while let fire = queue.popDue(at: 20_000, armedUpTo: queue.newestArming) { fire() }
    #expect(fired == 1 && queue.count == 0 && queue.nextDeadline() == nil)
  }

  @Test("what is armed while timers fire belongs to the next round")
  func rounds() {
    var queue = TimerQueue()
    let first = TimerQueue.Timer {}
    queue.arm(first, at: 1)
    let latest = queue.newestArming
    _ = queue.popDue(at: 10, armedUpTo: latest)
    queue.arm(first, at: 2)
    let again = queue.popDue(at: 10, armedUpTo: latest)
    #expect(again == nil && queue.count == 1)
  }

  @Test("a closed timer is never armed again")
  func closed() {
    var queue = TimerQueue()
    let timer = TimerQueue.Timer {}
    queue.arm(timer, at: 1)
    queue.close(timer)
    queue.arm(timer, at: 1)
    #expect(queue.nextDeadline() == nil && queue.count == 0)
  }
}
