import UnisonoCore

/// What holds of a room's keys, members and introductions after each turn, whatever came from outside.
extension SecureRoom {
  /// The rules that do not hold; empty: all is well. Judged by debug builds.
  public var brokenInvariants: [String] {
    var rules = Invariants()
    rules.expect(roster[local] != nil, "the own introduction is in the roster")
    rules.expect(roster.introductions.count <= Roster.limit, "the roster is bounded")
    rules.expect(roster.introductions.allSatisfy { $0.key == $0.value.id }, "the roster's ids are those of its keys")
    rules.expect(members[local] == nil, "one is not among the others")
    rules.expect(
      senders.keys.allSatisfy { members[$0] != nil || roster[$0] != nil },
      "nothing is remembered of ids that only a header named")
    rules.expect(!isSecured || isLinked && keyring != nil, "secured implies a link and a content key")
    rules.expect(search == nil || isLinked, "a content key is searched for over a link")
    rules.expect(isLinked || members.isEmpty && hellos.isEmpty && sealing == nil, "without a link nobody is there")
    rules.expect(keyring?.isInOrder ?? true, "what is kept of a key are its generations, and not many")
    return rules.broken
  }
}
