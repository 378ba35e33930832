import Testing

@testable import UnisonoRuntime

@Suite("What waits to be sent")
struct OutboundQueueTests {
  @Test("cost is the waiting bytes and a share for each frame of which any byte waits")
  func cost() {
    let queue = Box(OutboundQueue())
    #expect(queue { $0.cost(queued: 0) } == 0)
    for _ in 0..<10 { queue.value.wrote(100) }
    #expect(queue { $0.cost(queued: 1_000) } == 1_000 + 10 * 512)
    #expect(queue { $0.cost(queued: 901) } == 901 + 10 * 512)
    #expect(queue { $0.cost(queued: 900) } == 900 + 9 * 512)
    #expect(queue { $0.cost(queued: 1) } == 1 + 512)
    #expect(queue { $0.cost(queued: 0) } == 0)
  }

  @Test("a queue that never runs empty does not grow")
  func steady() {
    let queue = Box(OutboundQueue())
    queue.value.wrote(100)
    let costs = (0..<10_000).map { _ in
      queue.value.wrote(100)
      return queue { $0.cost(queued: 100) }
    }
    #expect(Set(costs) == [100 + 512])
    #expect(queue.value.count == 1)
  }
}
