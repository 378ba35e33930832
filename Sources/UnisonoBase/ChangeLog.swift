/// What changed lately, for readers who each remember how far they have read.
package struct ChangeLog<Element: Sendable>: Sendable {
  /// So many changes are remembered at least; who is further behind looks at everything.
  package static var depth: Int { 64 }

  /// Changes up to now.
  package private(set) var count: UInt64 = 0
  /// The last ones, oldest first.
  private var recent: [Element] = []

  package init() {}

  package mutating func record(_ element: Element) {
    count &+= 1
    if recent.count >= 2 * Self.depth { recent.removeFirst(Self.depth) }
    recent.append(element)
  }

  /// Anything may have changed.
  package mutating func recordAll() {
    count &+= 1
    recent.removeAll(keepingCapacity: true)
  }

  /// What changed after the first `count` changes, oldest first, more than once what did so more than once; nil: it is not remembered.
  package func changes(after count: UInt64) -> ArraySlice<Element>? {
    let missed = self.count &- count
    guard missed <= UInt64(recent.count) else { return nil }
    return recent.suffix(Int(missed))
  }
}
