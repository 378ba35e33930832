/// Rules of one machine that hold after each of its turns; collects the names of those that do not.
///
/// The simulator judges them and reports; hosts' builds do not.
public struct Invariants {
  public private(set) var broken: [String] = []

  public init() {}

  public mutating func expect(_ holds: Bool, _ rule: String) {
    if !holds { broken.append(rule) }
  }

}
