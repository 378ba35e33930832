import Testing

@testable import UnisonoBase
@testable import UnisonoNearby

@Suite struct AskBookTests {
  /// An ask that came so far that the application is asked, from an address of its own.
  private func ask(_ book: Book, _ id: UInt64, at now: HostTime) -> [AskBook.Effect] {
    book.handle(.connected(id, from: "10.0.0.\(id)"), now: now) + book.handle(.asked(id), now: now)
      + book.handle(.proven(id), now: now)
  }

  @Test("F51: an ask is offered, shown and granted, each once")
  func yes() {
    let book = Book()
    #expect(ask(book, 1, at: 0) == [.offer(1), .show(1)])
    #expect(book.isShown(1))
    #expect(book.handle(.accepted(1), now: 5) == [.grant(1)])
    #expect(book.handle(.accepted(1), now: 5).isEmpty)
    #expect(book.handle(.denied(1), now: 5).isEmpty)
    #expect(book.handle(.finished(1), now: 6) == [.close(1)])
    #expect(book.deadline == nil)
  }

  @Test("Z27: denied or ignored, an ask stays open without a word until 60 s after its offer")
  func silence() {
    let denied = Book()
    let ignored = Book()
    _ = ask(denied, 1, at: 100)
    _ = ask(ignored, 1, at: 100)
    #expect(denied.handle(.denied(1), now: .seconds(3)).isEmpty)
    #expect(denied.deadline == 100 + .seconds(60))
    #expect(ignored.deadline == 100 + .seconds(60))
    #expect(denied.handle(.tick, now: 99 + .seconds(60)).isEmpty)
    #expect(denied.handle(.tick, now: 100 + .seconds(60)) == [.close(1)])
    #expect(ignored.handle(.tick, now: 100 + .seconds(60)) == [.withdraw(1), .close(1)])
    #expect(ignored.handle(.accepted(1), now: 101 + .seconds(60)).isEmpty)
  }

  @Test("F51: one open ask of an address, eight in all, three before the person at a time; more are closed at once")
  func limits() {
    let book = Book()
    #expect(book.handle(.connected(1, from: "a"), now: 0).isEmpty)
    #expect(book.handle(.connected(2, from: "a"), now: 0) == [.close(2)])
    for id in 11...17 as ClosedRange<UInt64> {
      #expect(book.handle(.connected(id, from: "b\(id)"), now: 0).isEmpty)
    }
    #expect(book.handle(.connected(18, from: "c"), now: 0) == [.close(18)])
    for id in 11...13 as ClosedRange<UInt64> { #expect(book.handle(.asked(id), now: 0) == [.offer(id)]) }
    #expect(book.handle(.asked(14), now: 0) == [.close(14)])
    #expect(book.handle(.proven(11), now: 0) == [.show(11)])
    #expect(book.handle(.gone(11), now: 0) == [.withdraw(11), .close(11)])
    #expect(book.handle(.asked(15), now: 0) == [.offer(15)])
  }

  @Test("F51: who connects and says nothing is closed after 10 s, out of turn or with garbage at once")
  func silentOnes() {
    let book = Book()
    _ = book.handle(.connected(1, from: "a"), now: 0)
    #expect(book.deadline == .seconds(10))
    #expect(book.handle(.tick, now: .seconds(10)) == [.close(1)])
    _ = book.handle(.connected(2, from: "a"), now: 0)
    #expect(book.handle(.proven(2), now: 0) == [.close(2)])
    _ = book.handle(.connected(3, from: "a"), now: 0)
    _ = book.handle(.asked(3), now: 0)
    #expect(book.handle(.asked(3), now: 0) == [.close(3)])
    _ = book.handle(.connected(4, from: "a"), now: 0)
    #expect(book.handle(.broken(4), now: 0) == [.close(4)])
    #expect(book.handle(.finished(9), now: 0).isEmpty)
  }

  @Test("Z28: after five denials nothing is shown for 60 s, and asks run as usual")
  func quiet() {
    let book = Book()
    for id in 1...5 as ClosedRange<UInt64> {
      #expect(ask(book, id, at: .seconds(1)) == [.offer(id), .show(id)])
      #expect(book.handle(.denied(id), now: .seconds(2)).isEmpty)
    }
    #expect(ask(book, 6, at: .seconds(3)) == [.offer(6)])
    #expect(book.handle(.accepted(6), now: .seconds(3)).isEmpty)
    #expect(book.handle(.tick, now: .seconds(61)).allSatisfy { if case .close = $0 { true } else { false } })
    #expect(book.handle(.tick, now: .seconds(63)) == [.close(6)])
    #expect(ask(book, 7, at: .seconds(63)) == [.offer(7), .show(7)])
    // One more in vain within the five minutes, and it is quiet again.
    _ = book.handle(.denied(7), now: .seconds(64))
    #expect(ask(book, 8, at: .seconds(65)) == [.offer(8)])
    _ = book.handle(.tick, now: .seconds(200))
    #expect(ask(book, 9, at: .seconds(400)) == [.offer(9), .show(9)])
  }

  @Test("Z28: asking and cancelling again and again leads to quiet as well")
  func cancelling() {
    let book = Book()
    for id in 1...5 as ClosedRange<UInt64> {
      #expect(ask(book, id, at: .seconds(1)) == [.offer(id), .show(id)])
      #expect(book.handle(.gone(id), now: .seconds(1)) == [.withdraw(id), .close(id)])
    }
    #expect(ask(book, 6, at: .seconds(2)) == [.offer(6)])
  }
}

/// A book in one place, so that expectations can call what changes it.
private final class Book {
  private var book = AskBook()
  var deadline: HostTime? { book.deadline }
  func isShown(_ id: UInt64) -> Bool { book.isShown(id) }
  func handle(_ event: AskBook.Event, now: HostTime) -> [AskBook.Effect] { book.handle(event, now: now) }
}
