#if NATS
  import Testing
  import UnisonoBase
  import UnisonoRuntime

  @testable import UnisonoNATS

  @Suite("What waits on the way to NATS and back")
  struct NATSOutboxTests {
    private let message = [UInt8](repeating: 1, count: 100_000)

    @Test("nothing is kept while there is no connection, but for the subjects")
    func disconnected() throws {
      let outbox = try NATSOutbox()
      outbox.subscribe("a")
      outbox.subscribe("b")
      outbox.unsubscribe("a")
      #expect(!outbox.publish(message, on: "a", at: 0))
      #expect(outbox.waiting == .init(bytes: 0, since: nil))
      #expect(outbox.begin(1) == ["b"])
    }

    @Test(
      "over 4 MiB it is said once, under 2 MiB again, and over 16 MiB the connection is given up with all that waits")
    func full() throws {
      let outbox = try NATSOutbox()
      _ = outbox.begin(1)
      #expect((0..<60).count { _ in outbox.publish(message, on: "a", at: 0) } == 1)
      guard case .carryOut(let orders) = outbox.next() else { return #expect(Bool(false), "orders come") }
      #expect(orders.count == 60)
      var relieved = 0
      for order in orders {
        #expect(outbox.beginOrder(at: 5))
        #expect(outbox.waiting.since == 5)
        if outbox.endOrder(order.cost) { relieved += 1 }
      }
      #expect(relieved == 1)
      #expect(outbox.waiting == .init(bytes: 0, since: nil))
      var most = 0
      for _ in 0..<1_000 {
        _ = outbox.publish(message, on: "a", at: 0)
        most = max(most, outbox.waiting.bytes)
      }
      #expect(most <= NATSLimits.outbound && outbox.waiting.bytes == 0)
      guard case .giveUp(.full) = outbox.next() else { return #expect(Bool(false), "it is given up") }
      outbox.end()
      #expect(outbox.begin(2).isEmpty)
      #expect(!outbox.publish(message, on: "a", at: 0))
      #expect(outbox.waiting.bytes > 0)
    }

    @Test("what waits for over 2 s, or is held up by one that does, gives the connection up")
    func late() throws {
      let outbox = try NATSOutbox()
      _ = outbox.begin(1)
      _ = outbox.publish(message, on: "a", at: 0)
      _ = outbox.publish(message, on: "a", at: .seconds(2))
      #expect(outbox.waiting.bytes > 200_000)
      _ = outbox.publish(message, on: "a", at: .seconds(2) + 1)
      guard case .giveUp(.late) = outbox.next() else { return #expect(Bool(false), "it is given up") }
      outbox.end()
      _ = outbox.begin(2)
      #expect(outbox.beginOrder(at: 0))
      _ = outbox.publish(message, on: "a", at: .seconds(2) + 1)
      #expect(!outbox.beginOrder(at: .seconds(3)))
    }

    @Test("a connection that is gone gives up no other; a hub that asks gets another")
    func lost() throws {
      let outbox = try NATSOutbox()
      _ = outbox.begin(2)
      outbox.lose(1)
      #expect(outbox.beginOrder(at: 0))
      outbox.lose(2)
      #expect(!outbox.beginOrder(at: 0))
      outbox.end()
      outbox.reconnect()
      _ = outbox.begin(3)
      #expect(outbox.beginOrder(at: 0))
      outbox.reconnect()
      guard case .giveUp(.asked) = outbox.next() else { return #expect(Bool(false), "it is given up") }
    }

    @Test("what comes waits in 64 MiB at most, what has no room is counted, and what is worked off makes room")
    func inbox() {
      let told = Box(0)
      let inbox = NATSInbox { told.value += 1 }
      for _ in 0..<1_000 { inbox.add(.message(message, subject: "a", at: 0)) }
      inbox.add(.disconnected)
      let (events, leftOut) = inbox.take()
      #expect(told.value == 1)
      #expect(events.count + leftOut == 1_001)
      #expect(events.map(\.cost).reduce(0, +) <= NATSLimits.inbound)
      if case .disconnected? = events.last {} else { #expect(Bool(false), "what must be known is never left out") }
      inbox.add(.message(message, subject: "a", at: 0))
      #expect(inbox.take().leftOut == 1)
      inbox.release(message.count * 2)
      inbox.add(.message(message, subject: "a", at: 0))
      #expect(inbox.take().events.count == 1)
    }

    /// Belongs to the test's thread.
    private final class Box: @unchecked Sendable {
      var value: Int
      init(_ value: Int) { self.value = value }
    }
  }
#endif
