/// Those who open rooms with one pass: a group of strangers, by the serial of the token that the pass was made from (wire 3.7).
package struct PassGroup: Hashable, Comparable, Sendable {
  package let serial: UInt64
  package let group: UInt64

  package init(serial: UInt64, group: UInt64) {
    self.serial = serial
    self.group = group
  }

  package static func < (one: Self, other: Self) -> Bool { (one.serial, one.group) < (other.serial, other.group) }
}
