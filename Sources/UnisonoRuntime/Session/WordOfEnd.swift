import UnisonoBase
import UnisonoCrypto
import UnisonoReplica

/// Word that the session was ended, said at the door (wire 6.11), until it counts or not.
///
/// Its author signed it. But a hub, or a member, may have kept it from another day of a session that was gone on with since (8.25): so
/// it is compared with when the session began here, in group time. While that is not known, and somebody is here who has the key, it waits.
struct WordOfEnd: Sendable {
  /// Stamps below are of authors that knew no group time: they count from 0, one by one.
  private static let leastTime: GroupTime = .milliseconds(1)

  /// When the session began here: host time, and group time, less the clock's error.
  private let begun: HostTime
  private var begunInGroup: GroupTime?
  private var isContinued = false
  /// Goes on from another day, and met nobody of the group yet.
  private var isAwaitingGroup = false
  private var word: EndNotice?

  init(now: HostTime) { begun = now }

  /// The session is gone on with from another day.
  mutating func goesOn() {
    isContinued = true
    isAwaitingGroup = true
  }

  mutating func metGroup() { isAwaitingGroup = false }

  /// - Parameter clock: a member's group clock; nil: not known.
  mutating func measured(_ clock: ClockModel?, now: HostTime) {
    guard begunInGroup == nil, let clock else { return }
    begunInGroup = clock.remote(at: begun).subtracting(clock.error(at: now))
  }

  mutating func heard(_ word: EndNotice) {
    // It is the end of the day that this one goes on from.
    if !isAwaitingGroup { self.word = word }
  }

  /// Word that counts now, once; nil: there is none. `isUnopposed`: nobody is here who could know better.
  mutating func judge(isUnopposed: Bool) -> EndNotice? {
    guard let word, begunInGroup != nil || isUnopposed else { return nil }
    self.word = nil
    guard let begunInGroup, word.end.time < begunInGroup else { return word }
    return isContinued || word.end.time >= Self.leastTime ? nil : word
  }
}
