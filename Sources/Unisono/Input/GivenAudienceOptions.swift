import CUnisono
import UnisonoBase
import UnisonoReplica

extension AudienceTerms {
  /// The options of an audience, copied and checked; NULL: the defaults.
  init(given pointer: UnsafePointer<unisono_audience_options>?) throws(Failure) {
    let given = try copied(pointer, into: unisono_audience_options(), atLeast: 32, "audience options")
    self.init()
    guard let share = UInt8(exactly: given.ready_share), Self.shares.contains(share) else {
      throw Failure(.UNISONO_EINVAL, "ready_share is \(given.ready_share); give 0...\(Self.shares.upperBound)")
    }
    self.share = share
    guard given.ready_wait == 0 || Self.limits.contains(given.ready_wait) else {
      throw Failure(.UNISONO_EINVAL, "ready_wait is \(given.ready_wait) ns; give 1 ms to 10 s, or 0 for 10 s")
    }
    if given.ready_wait != 0 { wait = UInt32(given.ready_wait / .milliseconds(1)) }
    reactions = try InputText.list(
      given.reactions, count: given.reaction_count, atMostCount: Self.reactionsMost, atMost: WireLimits.reaction, "reactions")
    guard reactions.allSatisfy({ VisibleText.isPlain($0) }) else {
      throw Failure(.UNISONO_EINVAL, "reactions has a control character, or one that turns the direction of writing")
    }
    guard Set(reactions.map { Array($0.utf8) }).count == reactions.count else {
      throw Failure(.UNISONO_EINVAL, "reactions has one of them twice")
    }
  }

  private static var limits: ClosedRange<Nanoseconds> {
    .milliseconds(Int64(waits.lowerBound)) ... .milliseconds(Int64(waits.upperBound))
  }
}
