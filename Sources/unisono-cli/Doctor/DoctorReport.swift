/// Findings, as people and programs read them.
struct DoctorReport {
  var findings: [Finding]

  /// Nothing is wrong that was looked at.
  var isFine: Bool { !findings.contains { $0.verdict == .bad } }

  func lines(columns: Int) -> [StyledLine] {
    var lines: [StyledLine] = []
    for finding in findings {
      let head = ColumnText.fit(Self.word(finding.verdict), 10) + ColumnText.fit(finding.subject.rawValue, 10)
      let room = max(20, columns - head.count)
      for (place, text) in Self.wrapped(finding.fact, room).enumerated() {
        var line = StyledLine(
          Self.style(finding.verdict), ColumnText.fit(place == 0 ? Self.word(finding.verdict) : "", 10))
        line.add(.title, ColumnText.fit(place == 0 ? finding.subject.rawValue : "", 10))
        line.add(.plain, text)
        lines.append(line)
      }
      for (place, text) in Self.wrapped(finding.advice ?? "", room - 3).enumerated() where !text.isEmpty {
        var line = StyledLine(.plain, ColumnText.fit("", head.count))
        line.add(.faint, (place == 0 ? "-> " : "   ") + text)
        lines.append(line)
      }
    }
    return lines
  }

  var record: String {
    JSONText.object([
      ("is_fine", isFine ? "true" : "false"),
      (
        "findings",
        JSONText.list(
          findings.map { finding in
            JSONText.object([
              ("subject", JSONText.quoted(finding.subject.rawValue)),
              ("verdict", JSONText.quoted(finding.verdict.rawValue)),
              ("fact", JSONText.quoted(finding.fact)), ("advice", finding.advice.map(JSONText.quoted)),
              ("figures", JSONText.object(finding.figures.map { ($0.name, $0.value) })),
            ])
          })
      ),
    ])
  }

  private static func word(_ verdict: Finding.Verdict) -> String {
    switch verdict {
    case .good: "good"
    case .doubtful: "doubtful"
    case .bad: "bad"
    case .unknown: "not known"
    }
  }

  private static func style(_ verdict: Finding.Verdict) -> StyledLine.Style {
    switch verdict {
    case .good: .good
    case .doubtful: .doubtful
    case .bad: .bad
    case .unknown: .faint
    }
  }

  /// Broken between words; a word that is longer than a line is not.
  static func wrapped(_ text: String, _ columns: Int) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if ColumnText.width(last) + 1 + ColumnText.width(String(word)) <= columns {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
