import UnisonoReplica

/// One write of a cell: whose, where and when.
struct CellName: Hashable {
  var key: RegisterKey
  var stamp: Stamp
}
