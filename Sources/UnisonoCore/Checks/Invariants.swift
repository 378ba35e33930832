/// Rules of one machine that hold after each of its turns; collects the names of those that do not.
///
/// Debug builds (tests, fuzzing) judge them themselves and stop; the simulator judges them in release builds, too, and
/// reports. Other release builds do not judge them.
public struct Invariants {
  public private(set) var broken: [String] = []

  public init() {}

  public mutating func expect(_ holds: Bool, _ rule: String) {
    if !holds { broken.append(rule) }
  }

}
