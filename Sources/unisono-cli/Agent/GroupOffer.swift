/// What a device can offer its person when a group begins something.
enum GroupOffer: Equatable {
  /// Its program, which is installed.
  case program(ActivitySettings)
  /// The address that the activity names, as there is no program for it.
  case page(String)
  /// Nothing; why, for the log.
  case nothing(String)

  /// - Parameters:
  ///   - activities: programs by the identifiers of what they are for.
  ///   - isUnderWay: the group did it already when this device found the group.
  ///   - isInstalled: whether there is such a program.
  init(
    _ activity: GroupActivity, among activities: [String: ActivitySettings], isUnderWay: Bool, isInstalled: (String) -> Bool
  ) {
    if isUnderWay, !activity.supportsContinuation {
      self = .nothing("it is under way, and not to be gone on with")
    } else if let program = activities[activity.identifier], isInstalled(program.command[0]) {
      self = .program(program)
    } else if let page = activity.page {
      self = .page(page)
    } else if let program = activities[activity.identifier] {
      self = .nothing("\(program.command[0]) is not installed, and it names no https address to go to instead")
    } else {
      self = .nothing("no program is configured for it, and it names no https address to go to instead")
    }
  }
}

/// How often a group may ask the person at this device: whoever is in it can begin things again and again.
struct OfferLimit {
  static let questions = 5
  static let window = 300 * 1_000_000_000 as Int64

  /// When questions were asked that nobody said yes to.
  private var asked: [Int64] = []

  /// Whether it may ask now, which counts.
  mutating func mayAsk(at now: Int64) -> Bool {
    asked.removeAll { now - $0 >= Self.window }
    guard asked.count < Self.questions else { return false }
    asked.append(now)
    return true
  }

  /// The person said yes.
  mutating func agreed() { asked = [] }
}
