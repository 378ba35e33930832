/// The outcome of comparing one part of a composite key.
package enum Comparison: Sendable {
  case less, equal, greater

  package init<Value: Comparable>(_ left: Value, _ right: Value) {
    self = left < right ? .less : (right < left ? .greater : .equal)
  }

  package var reversed: Comparison {
    switch self {
    case .less: .greater
    case .equal: .equal
    case .greater: .less
    }
  }

  /// This part, or the next less significant one where this one is equal.
  package func then(_ next: @autoclosure () -> Comparison) -> Comparison { self == .equal ? next() : self }
}
