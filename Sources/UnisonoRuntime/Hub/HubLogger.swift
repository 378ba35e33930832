import UnisonoBase

/// A hub's log within its budgets: whoever can make a hub log something can neither fill a disk nor hold it up.
///
/// A class, so that nothing of a hub is being changed while the owner of the log is called.
final class HubLogger {
  private let write: (HubLog) -> Void
  private var budgets: [HubLog.Level: LogBudget] = [:]

  init(_ write: @escaping (HubLog) -> Void) { self.write = write }

  func log(_ line: HubLog, now: HostTime) {
    if line.level != .debug, !budgets[line.level, default: LogBudget(now: now)].admits(now: now) { return }
    write(line)
  }

  /// One line for those of each level that were left out since this was called last.
  func logOmissions() {
    for level in HubLog.Level.allCases {
      guard let count = budgets[level]?.resetLeftOut() else { continue }
      write(HubLog(level, "\(count) more lines like these in the last second were left out"))
    }
  }
}
