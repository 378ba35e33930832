import ArgumentParser

/// A run of a command that takes part in a session until that, or the person, ends it.
enum AttendingRun {
  /// Says why it ended, where the person did not end it; an exit status that is no success where that is not as it should be.
  /// - Parameter body: answers how the session ended; nil: the person ended it.
  static func perform(_ body: () throws(Attendance.Failure) -> (message: String, isInOrder: Bool)?) throws {
    do throws(Attendance.Failure) {
      guard let end = try body() else { return }
      Terminal.complain(end.message)
      if end.isInOrder { return }
    } catch {
      Terminal.complain(error.message)
    }
    throw ExitCode.failure
  }
}
