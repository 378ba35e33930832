/// How a measured thing is spread: half of all lie below `median`, 95 of 100 below `p95`.
public struct Distribution: Sendable {
  private var values: [Double] = []
  private var isSorted = true

  public init() {}

  public mutating func add(_ value: Double) {
    values.append(value)
    isSorted = false
  }

  public mutating func add(_ other: [Double]) {
    values += other
    isSorted = false
  }

  public var count: Int { values.count }

  /// Sorted once; nil without values.
  public mutating func summary() -> (median: Double, p95: Double, max: Double)? {
    guard !values.isEmpty else { return nil }
    if !isSorted { values.sort() }
    isSorted = true
    return (values[(values.count - 1) / 2], values[(values.count - 1) * 95 / 100], values[values.count - 1])
  }
}
