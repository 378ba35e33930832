import UnisonoBase

/// A notice as a sentence for people, in English: "Ann sought to 1:02:03".
struct NoticeSentence {
  /// Numbers of `unisono_notice_kind`.
  enum Kind: Int32 {
    case custom = 0, played, paused, skipped, rateChanged, itemChanged, queueChanged, leftWaiting
    case joined, left, waitedFor, present, elsewhere, rangeSkipped
  }

  var kind: Kind
  /// nil: not known.
  var name: String?
  /// ns, signed.
  var amount: Nanoseconds = 0
  var rate: Double = 0
  /// Where a skip led; nil: not known.
  var itemTime: ItemTime?
  /// Of a range that was left out: which kind. Custom: what was said. Waited for: why; nil or "": still preparing. Elsewhere: the item.
  var message: String?
  /// On whose items; nil: the session's first coordinator's.
  var coordinator: String?

  var text: String { (coordinator.map { "\(VisibleText.plain($0)): " } ?? "") + sentence }

  private var sentence: String {
    let who = VisibleText.plain(name ?? "")
    let subject = who.isEmpty ? "Somebody" : who
    let object = who.isEmpty ? "somebody" : who
    return switch kind {
    case .custom: message.flatMap { $0.isEmpty ? nil : "\(subject): \(VisibleText.plain($0))" } ?? "\(subject) shows something"
    case .played: "\(subject) pressed play"
    case .paused: "\(subject) paused"
    case .skipped: itemTime.flatMap(Self.clock).map { "\(subject) sought to \($0)" } ?? skipped(subject)
    case .rateChanged: "\(subject) set the speed to \(Self.number(rate))×"
    case .itemChanged: "\(subject) went to another item"
    case .queueChanged: "\(subject) changed the queue"
    case .leftWaiting: "Gone on without \(object)"
    case .joined: "\(subject) joined"
    case .left: "\(subject) left"
    case .present: "\(subject) is here"
    case .elsewhere: "\(subject) is at another item" + (message.flatMap { $0.isEmpty ? nil : ": \(VisibleText.plain($0))" } ?? "")
    case .rangeSkipped: skippedRange
    case .waitedFor: "Waiting for \(object)" + (message.flatMap { $0.isEmpty ? nil : " (\(VisibleText.plain($0)))" } ?? "")
    }
  }

  private func skipped(_ subject: String) -> String {
    let seconds = (amount.absolute.adding(.milliseconds(500))) / .seconds(1)
    return "\(subject) skipped \(seconds) s\(amount < 0 ? " back" : "")"
  }

  private var skippedRange: String {
    let what =
      switch message {
      case "intro": "The intro was"
      case "recap": "The recap was"
      case "credits": "The credits were"
      default: "A part was"
      }
    return "\(what) skipped" + (itemTime.flatMap(Self.clock).map { ", to \($0)" } ?? "")
  }

  /// 0:07, 12:34, 1:02:03, rounded down as players show it; nil: no place on such a clock (the date of a live item).
  private static func clock(_ time: ItemTime) -> String? {
    guard (0..<Nanoseconds.seconds(360_000)).contains(time) else { return nil }
    let seconds = time / .seconds(1)
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
    let end = (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
    return hours == 0 ? "\(minutes):\(end)" : "\(hours):\(minutes < 10 ? "0" : "")\(minutes):\(end)"
  }

  /// With two digits behind the point at most, and none that say nothing.
  private static func number(_ rate: Double) -> String {
    let hundredths = Int64((min(max(rate, -1_000), 1_000) * 100).rounded())
    var digits = "\(hundredths.magnitude / 100)"
    let rest = hundredths.magnitude % 100
    if rest > 0 { digits += rest % 10 == 0 ? ".\(rest / 10)" : ".\(rest < 10 ? "0" : "")\(rest)" }
    return (hundredths < 0 ? "-" : "") + digits
  }
}
