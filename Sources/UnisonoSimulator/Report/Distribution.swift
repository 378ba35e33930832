/// How a measured thing is spread: half of all lie below `median`, 95 of 100 below `p95`.
package struct Distribution: Sendable {
  private var values: [Double] = []
  private var isSorted = true

  package init() {}

  package mutating func add(_ value: Double) {
    values.append(value)
    isSorted = false
  }

  package mutating func add(_ other: [Double]) {
    values += other
    isSorted = false
  }

  package var count: Int { values.count }

  /// Sorted once; nil without values.
  package mutating func summary() -> (median: Double, p95: Double, max: Double)? {
    guard !values.isEmpty else { return nil }
    if !isSorted { values.sort() }
    isSorted = true
    return (values[(values.count - 1) / 2], values[(values.count - 1) * 95 / 100], values[values.count - 1])
  }
}
