#if NATS
  /// Why there is no connection to NATS, in words for the operator.
  struct NATSFailure: Error {
    let message: String
    /// Nobody was there: what helps comes by itself, and may come at any time.
    let isAbsence: Bool

    init(_ message: String, isAbsence: Bool = false) {
      self.message = message
      self.isAbsence = isAbsence
    }
  }
#endif
