#if NATS
  import CNATS

  /// What libnats says, in words for the operator: what is wrong, where, and what to do.
  enum NATSFault {
    /// Why no connection could be made.
    static func failure(_ status: natsStatus, _ options: NATSOptions) -> NATSFailure {
      NATSFailure(sentence(status, options), isAbsence: status == NATS_NO_SERVER || status == NATS_TIMEOUT)
    }

    private static func sentence(_ status: natsStatus, _ options: NATSOptions) -> String {
      let place = options.place
      switch status {
      case NATS_NO_SERVER:
        return "nothing answers at \(place): is the NATS server running there, and is it reached from here?"
      case NATS_TIMEOUT:
        return
          "NATS at \(place) said nothing for \(NATSLimits.patienceInMilliseconds / 1_000) s: it stands still, or is no NATS server"
      case NATS_CONNECTION_AUTH_FAILED, NATS_NOT_PERMITTED:
        let remedy =
          options.credentials.map { "is \($0) a user of its?" }
          ?? "it wants credentials: name the file with --nats-credentials"
        return "NATS at \(place) does not let this hub in; \(remedy)"
      case NATS_SECURE_CONNECTION_REQUIRED: return "NATS at \(place) wants TLS: write tls:// in front of its host"
      case NATS_SECURE_CONNECTION_WANTED:
        return "NATS at \(place) has no TLS: give it a certificate, or write nats:// in front of its host"
      case NATS_SSL_ERROR:
        return
          "TLS with NATS at \(place) failed, \(text(status)): is its certificate for this name, and of an authority that is trusted here?"
      default: return "no connection to NATS at \(place): \(text(status))"
      }
    }

    /// Why a connection is no good any more. `words`: libnats's own.
    static func loss(_ status: natsStatus, _ words: String) -> String {
      switch status {
      case NATS_STALE_CONNECTION: "it did not answer for \(NATSLimits.patienceInMilliseconds / 1_000) s"
      case NATS_TIMEOUT: "it took nothing for \(NATSLimits.patienceInMilliseconds / 1_000) s"
      case NATS_OK, NATS_CONNECTION_CLOSED, NATS_IO_ERROR:
        words.isEmpty ? "it was closed by the other side" : printable(words)
      default: words.isEmpty ? String(cString: natsStatus_GetText(status)).lowercased() : printable(words)
      }
    }

    /// A status with what libnats noted about it on this thread.
    static func text(_ status: natsStatus) -> String {
      var last = NATS_OK
      var detail = nats_GetLastError(&last).map { String(cString: $0) } ?? ""
      // A line of libnats's source comes first.
      if detail.hasPrefix("("), let end = detail.utf8.firstIndex(of: UInt8(ascii: " ")) {
        detail = String(detail[end...].dropFirst())
      }
      let name = String(cString: natsStatus_GetText(status)).lowercased()
      return last == status && !detail.isEmpty ? "\(name) (\(printable(detail)))" : name
    }

    /// What comes from a server goes into a log: one line, and not a long one.
    static func printable(_ words: String) -> String {
      String(words.unicodeScalars.prefix(200).map { $0.value >= 0x20 && $0.value < 0x7f ? Character($0) : "?" })
    }
  }
#endif
