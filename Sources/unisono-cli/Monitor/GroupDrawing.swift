/// A group's picture as lines of a terminal: everybody in a row, all positions on one time line, for whom a start waits, and what happened last.
struct GroupDrawing {
  private static let second: Int64 = 1_000_000_000
  /// Marks over the time line that share a column, one over the other.
  private static let tallest = 3
  /// Smaller skews are good, and doubtful up to four times as much: what is heard as an echo, and then as two.
  private static let goodSkew: Int64 = 25_000_000

  var picture: GroupPicture
  var columns: Int
  var rows: Int

  /// At most `rows`; each is to be cut to the columns when it is written.
  var lines: [StyledLine] {
    var top = [headline, underHeadline, StyledLine(), columnTitles]
    let line = timeLine
    let below = [StyledLine()] + line + [waiting]
    // Everybody counts for more than what happened before.
    let room = max(1, rows - top.count - below.count)
    top += people(room)
    let left = rows - top.count - below.count - 1
    var lines = top + below
    if left > 0, !picture.events.isEmpty {
      lines.append(StyledLine())
      lines += picture.events.suffix(left).map { event in
        var line = StyledLine(.faint, event.time + "  ")
        line.add(.plain, event.text)
        return line
      }
    }
    return Array(lines.prefix(rows))
  }

  // MARK: Who and what

  private var headline: StyledLine {
    var line = StyledLine(.title, picture.item.map { "\"\($0)\"" } ?? "nothing is open")
    switch picture.motion {
    case .none: break
    case .paused: line.add(.plain, "  paused")
    case .waiting: line.add(.doubtful, "  about to start")
    case .playing(let rate): line.add(.good, "  plays\(Self.speed(rate))")
    }
    if let position = picture.position { line.add(.plain, " at \(Self.clock(position))") }
    if let duration = picture.duration { line.add(.faint, " of \(Self.clock(duration, tenths: false))") }
    return line
  }

  private var underHeadline: StyledLine {
    var line = StyledLine(picture.isConnected ? .good : .bad, picture.connection)
    let count = picture.people.count
    line.add(.faint, picture.hub.isEmpty ? "" : " through \(picture.hub)")
    line.add(.faint, "  clock here \(Self.bound(picture.clockError)), round trip \(Self.small(picture.roundTrip))")
    line.add(.faint, "  \(count == 0 ? "nobody" : String(count)) here")
    return line
  }

  /// Of the columns of the table; the names' and the states' grow with the terminal.
  private var widths: (name: Int, doing: Int) {
    let more = max(0, columns - 80)
    return (14 + min(20, more / 3), 20 + min(30, more / 2))
  }

  private var columnTitles: StyledLine {
    let (name, doing) = widths
    let titles =
      "  " + ColumnText.fit("who", name) + " " + ColumnText.fit("state", doing) + " " + ColumnText.fit("position", 10, right: true) + " "
      + ColumnText.fit("skew", 10, right: true) + " " + ColumnText.fit("clock", 9, right: true) + " "
      + ColumnText.fit("round trip", 10, right: true)
    return StyledLine(.faint, titles)
  }

  private func people(_ room: Int) -> [StyledLine] {
    guard picture.people.count > room else { return picture.people.indices.map(row) }
    return (0..<room - 1).map(row) + [StyledLine(.faint, "  and \(picture.people.count - room + 1) more")]
  }

  private func row(_ place: Int) -> StyledLine {
    let person = picture.people[place]
    let (name, doing) = widths
    let (style, state) = Self.words(person.doing)
    var line = StyledLine(.title, Self.mark(place) + " ")
    line.add(.plain, ColumnText.fit(person.name, name) + " ")
    line.add(style, ColumnText.fit(state, doing) + " ")
    line.add(.plain, ColumnText.fit(person.position.map { Self.clock($0) } ?? "", 10, right: true) + " ")
    line.add(Self.style(skew: person.skew), ColumnText.fit(Self.signed(person.skew), 10, right: true) + " ")
    line.add(.faint, ColumnText.fit(Self.bound(person.clockError), 9, right: true) + " ")
    line.add(.faint, ColumnText.fit(Self.small(person.roundTrip), 10, right: true))
    return line
  }

  private static func words(_ doing: GroupPicture.Doing) -> (StyledLine.Style, String) {
    switch doing {
    case .notConnected: (.bad, "not connected")
    case .nothingOpen: (.faint, "has nothing open")
    case .elsewhere(let item): (.doubtful, "at \"\(item)\"")
    case .failed(let why): (.bad, "failed: \(why)")
    case .apart(let reason): (.doubtful, "apart: \(reason)")
    case .waitedFor(let reason): (.doubtful, "waited for: \(reason.isEmpty ? "loads" : reason)")
    case .playing(let rate): (.good, "plays\(speed(rate))")
    case .ready: (.plain, "stands, ready")
    case .preparing: (.faint, "stands")
    }
  }

  private var waiting: StyledLine {
    let missing = picture.waitedFor
    guard !missing.isEmpty else { return StyledLine(.faint, "waits for nobody") }
    var line = StyledLine(.doubtful, "waits for ")
    line.add(.doubtful, missing.map { "\($0.name) (\($0.reason.isEmpty ? "loads" : $0.reason))" }.joined(separator: ", "))
    return line
  }

  // MARK: The time line

  /// Marks over it, and the line itself between its ends.
  private var timeLine: [StyledLine] {
    let end = Self.end(picture)
    let (from, to) = ("0:00:00 ", " " + Self.clock(end, tenths: false))
    let width = max(1, columns - from.count - to.count)
    var marks = [[Character]](repeating: [Character](repeating: " ", count: width), count: Self.tallest)
    for (place, person) in picture.people.enumerated() {
      guard let position = person.position else { continue }
      let column = Self.column(position, end: end, width: width)
      if let free = (0..<Self.tallest).first(where: { marks[$0][column] == " " }) {
        marks[free][column] = Character(Self.mark(place))
      } else {
        marks[Self.tallest - 1][column] = "+"
      }
    }
    let indent = String(repeating: " ", count: from.count)
    // At least one, so that what is below stands still while somebody has no position.
    let tall = max(1, marks.lastIndex { row in row.contains { $0 != " " } }.map { $0 + 1 } ?? 0)
    var lines = marks[..<tall].reversed().map { StyledLine(.title, indent + String($0)) }
    var line = StyledLine(.faint, from)
    if let position = picture.position {
      let column = Self.column(position, end: end, width: width)
      line.add(.good, String(repeating: "━", count: column) + "●")
      line.add(.faint, String(repeating: "─", count: width - column - 1))
    } else {
      line.add(.faint, String(repeating: "─", count: width))
    }
    line.add(.faint, to)
    lines.append(line)
    return lines
  }

  private static func column(_ position: Int64, end: Int64, width: Int) -> Int {
    min(width - 1, max(0, Int(Double(position) / Double(end) * Double(width))))
  }

  /// The film's, else a round time that everybody's position is before.
  static func end(_ picture: GroupPicture) -> Int64 {
    if let duration = picture.duration { return duration }
    let furthest = (picture.people.compactMap(\.position) + [picture.position ?? 0]).max() ?? 0
    let minutes: [Int64] = [1, 2, 5, 10, 20, 30, 60, 90, 120, 180, 240, 480, 1_440]
    return (minutes.first { $0 * 60 * second > furthest } ?? 100_000) * 60 * second
  }

  // MARK: Words and figures

  /// 1, 2, ... 9, a, b, ...: one column each.
  static func mark(_ place: Int) -> String { place < 35 ? String(place + 1, radix: 36) : "+" }

  static func clock(_ time: Int64, tenths: Bool = true) -> String {
    let all = time.magnitude / 100_000_000
    let (seconds, tenth) = all.quotientAndRemainder(dividingBy: 10)
    func two(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let text = "\(time < 0 ? "-" : "")\(seconds / 3_600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    return tenths ? text + ".\(tenth)" : text
  }

  private static func speed(_ rate: Double) -> String {
    // Corrections of a few thousandths are how players keep in step.
    (rate - 1).magnitude < 0.01 ? "" : " at \(decimal(rate, digits: 2))x"
  }

  private static func style(skew: Int64?) -> StyledLine.Style {
    guard let skew else { return .faint }
    return skew.magnitude < UInt64(goodSkew) ? .good : skew.magnitude < UInt64(4 * goodSkew) ? .doubtful : .bad
  }

  static func signed(_ time: Int64?) -> String { time.map { ($0 < 0 ? "" : "+") + figure($0) } ?? "" }
  static func bound(_ time: Int64?) -> String { time.map { "±" + figure($0) } ?? "" }
  static func small(_ time: Int64?) -> String { time.map { figure($0) } ?? "" }

  private static func figure(_ time: Int64) -> String {
    time.magnitude < 10 * UInt64(second)
      ? decimal(Double(time) / 1e6, digits: 1) + " ms" : decimal(Double(time) / 1e9, digits: 1) + " s"
  }

  private static func decimal(_ value: Double, digits: Int) -> String {
    let unit = digits == 1 ? 10.0 : 100.0
    let scaled = (value.magnitude * unit).rounded()
    guard scaled < 1e15 else { return "?" }
    let (whole, rest) = UInt64(scaled).quotientAndRemainder(dividingBy: UInt64(unit))
    let fraction = String(rest)
    return (value < 0 && scaled > 0 ? "-" : "") + "\(whole)." + String(repeating: "0", count: digits - fraction.count) + fraction
  }
}
