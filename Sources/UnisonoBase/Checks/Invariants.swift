/// Rules of one machine that hold after each of its turns; collects the names of those that do not.
///
/// The simulator judges them and reports; hosts' builds do not.
package struct Invariants {
  package private(set) var broken: [String] = []

  package init() {}

  package mutating func expect(_ holds: Bool, _ rule: String) {
    if !holds { broken.append(rule) }
  }

}
