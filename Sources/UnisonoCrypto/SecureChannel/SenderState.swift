import UnisonoBase
import UnisonoWire

/// One sender as a channel remembers it: its two newest lanes, and how much of it was refused.
struct SenderState: Sendable {
  static let refusalLimit = 100
  static let refusalSpan = Nanoseconds.seconds(10)
  static let silence = Nanoseconds.seconds(60)
  /// Signature checks: a snapshot's worth at once, so many a second in the long run.
  static let verificationBurst = 2_048
  static let verificationsPerSecond = 400

  /// Newest first, at most two.
  private var lanes: [LaneWindow] = []
  /// The newest lane of messages at the door, and the last counter on it.
  private var door: (lane: Lane, counter: UInt64)?
  private var refusals = 0
  private var refusalsSince: HostTime = .min
  private var ignoredUntil: HostTime = .min
  private var verifications = 0
  private var verificationsSince: HostTime = .min

  func isIgnored(at now: HostTime) -> Bool { now < ignoredUntil }

  /// nil: acceptable.
  func refusal(of header: EnvelopeHeader, isHeld: Bool = false) -> ChannelRefusal? {
    if header.kind == .door {
      guard let door else { return nil }
      if header.lane == door.lane { return header.counter > door.counter ? nil : .replay }
      return header.lane.index > door.lane.index ? nil : .oldLane
    }
    if let window = lanes.first(where: { $0.lane == header.lane }) {
      return window.accepts(header.kind, header.counter, isHeld: isHeld) ? nil : .replay
    }
    guard let newest = lanes.first else { return nil }
    if header.lane.index > newest.lane.index { return nil }
    // Of the last lane but one the first frame may come late; those of older ones were seen, or are nobody's.
    let isLate = lanes.count > 1 ? header.lane.index > lanes[1].lane.index : true
    return isLate && header.lane.index &+ 1 == newest.lane.index ? nil : .oldLane
  }

  mutating func record(_ header: EnvelopeHeader) {
    if header.kind == .door {
      door = (header.lane, header.counter)
      return
    }
    if let index = lanes.firstIndex(where: { $0.lane == header.lane }) {
      lanes[index].record(header.kind, header.counter)
    } else {
      var window = LaneWindow(header.lane)
      window.record(header.kind, header.counter)
      lanes = Array((lanes + [window]).sorted { $0.lane.index > $1.lane.index }.prefix(2))
    }
  }

  /// True: that was one too many, and the sender is ignored for a while.
  mutating func countRefusal(at now: HostTime) -> Bool {
    if now.subtracting(refusalsSince) > Self.refusalSpan {
      refusals = 0
      refusalsSince = now
    }
    refusals += 1
    guard refusals >= Self.refusalLimit else { return false }
    refusals = 0
    ignoredUntil = now.adding(Self.silence)
    return true
  }

  /// Charges `count` signature checks to the budget; false: it is used up.
  mutating func chargeVerifications(_ count: Int, at now: HostTime) -> Bool {
    let passed = max(0, now.subtracting(verificationsSince))
    let regained = min(Double(verifications), Double(passed) / 1e9 * Double(Self.verificationsPerSecond))
    // Whole ones only, and the time of a begun one is kept.
    if regained >= 1 || verifications == 0 {
      verifications -= Int(regained)
      verificationsSince = now
    }
    // One message of any size may always begin, so that a large snapshot is not lost for ever.
    guard verifications < Self.verificationBurst else { return false }
    verifications += count
    return true
  }
}
