import CUnisono

/// Refusal of a call: the status it returns, and the sentence for `unisono_last_error`.
struct Failure: Error {
  var status: unisono_status
  /// What was wrong and how to mend it; the function's name is put before it.
  var message: String

  init(_ status: unisono_status, _ message: String) {
    self.status = status
    self.message = message
  }
}
