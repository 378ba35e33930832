/// How late a loop's callbacks came for instants that it was asked for, ns.
struct LoopPrecision {
  var lateness: [Int64]

  /// A frame of sound or picture that is late by less is heard and seen by nobody.
  private static let fine: Int64 = 1_000_000
  /// Half of what a film's frame lasts is more than this; beyond it starts are seen to be apart.
  private static let bearable: Int64 = 10_000_000

  /// What 95 of 100 stayed within; nil: nothing was measured.
  var usual: Int64? {
    guard !lateness.isEmpty else { return nil }
    return lateness.sorted()[(lateness.count * 95 - 1) / 100]
  }

  var finding: Finding {
    guard let usual, let worst = lateness.max() else {
      return Finding(
        subject: .loop, verdict: .bad, fact: "no instant that was asked for came",
        advice: "this machine gives the program no time: end what keeps its processors busy")
    }
    var finding = Finding(
      subject: .loop, verdict: usual <= Self.fine ? .good : usual <= Self.bearable ? .doubtful : .bad,
      fact: """
        of \(lateness.count) instants 95 in 100 came within \(Finding.duration(usual)), the latest \(Finding.duration(worst)) late
        """)
    if finding.verdict != .good {
      finding.advice =
        "players start that late, too: end what keeps the processors busy; on battery take the profile for performance"
    }
    finding.figures = [
      .init(name: "usual", value: JSONText.seconds(usual) ?? "null"),
      .init(name: "worst", value: JSONText.seconds(worst) ?? "null"),
      .init(name: "count", value: String(lateness.count)),
    ]
    return finding
  }
}
