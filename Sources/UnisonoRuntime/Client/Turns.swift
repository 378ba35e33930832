/// Turns of a participant: which of its entries into rooms each one is (wire 3.1). One for all of its rooms and links.
///
/// A class, because all of them count on: no two ENTERs of a participant have the same turn.
package final class Turns {
  /// That of the newest entry.
  private(set) var last: UInt32

  /// `after`: greater than any turn that a hub may remember of this participant.
  package init(after last: UInt32 = 0) { self.last = last }

  func next() -> UInt32 {
    // Past the last of them hubs refuse it; that takes a forged continuation.
    last &+= 1
    return last
  }
}
