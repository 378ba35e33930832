import UnisonoBase
import UnisonoWire

/// Asking one member after another the same: at once, then ever less often.
struct Inquiry: Sendable {
  private static let pauses: [Nanoseconds] = [.milliseconds(500), .seconds(1), .seconds(2), .seconds(5)]

  private var count = 0
  private var next: HostTime = .min

  /// How many were asked before; nil: it is not time to ask again.
  mutating func begin(now: HostTime) -> Int? {
    guard now >= next else { return nil }
    next = now.adding(Self.pauses[min(count, Self.pauses.count - 1)])
    count += 1
    return count - 1
  }
}

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
  /// Questions to others who it is.
  var inquiry = Inquiry()
  /// Key under which it spoke last.
  private var spoke: (epoch: EpochID, generation: UInt32)?

  /// A frame of its was read and verified: it has the content key.
  var hasSpoken: Bool { !lanes.isEmpty }

  /// Whether its frames can still be opened, so that a replay has to be recognized.
  func isReadable(with keyring: Keyring?) -> Bool {
    guard let spoke, let keyring, keyring.id == spoke.epoch else { return false }
    return keyring.epoch(spoke.generation) != nil
  }

  /// Orders those who spoke under older keys first.
  var age: UInt32 { spoke?.generation ?? 0 }

  func isIgnored(at now: HostTime) -> Bool { now < ignoredUntil }

  /// nil: acceptable.
  func refusal(of header: EnvelopeHeader) -> ChannelRefusal? {
    if header.kind == .door {
      guard let door else { return nil }
      if header.lane == door.lane { return header.counter > door.counter ? nil : .replay }
      return header.lane.index > door.lane.index ? nil : .oldLane
    }
    if let window = lanes.first(where: { $0.lane == header.lane }) {
      return window.accepts(header.kind, header.counter) ? nil : .replay
    }
    guard let newest = lanes.first else { return nil }
    return header.lane.index > newest.lane.index ? nil : .oldLane
  }

  mutating func record(_ header: EnvelopeHeader) {
    if header.kind == .door {
      door = (header.lane, header.counter)
      return
    }
    spoke = (header.epoch, header.generation)
    if let index = lanes.firstIndex(where: { $0.lane == header.lane }) {
      lanes[index].record(header.kind, header.counter)
    } else {
      var window = LaneWindow(header.lane)
      window.record(header.kind, header.counter)
      lanes = [window] + lanes.prefix(1)
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
