import UnisonoCoordination

/// Refusal of a call: the name of a `unisono_status` without its prefix, and a sentence for people.
struct Failure: Error {
  /// Numbers of `unisono_status`.
  enum Code: Int32 {
    case invalid = -101
    case state = -104
    case timedOut = -105
    case network = -106
    case protocolError = -107
    case version = -108
    case authentication = -109
    case denied = -110
    case full = -111
    case tooBig = -112
    case notFound = -113
    case busy = -114
    case cancelled = -115
    case file = -118
  }

  let code: Code
  let message: String

  init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }
}

extension Failure.Code {
  /// As the C header names it.
  var name: String {
    switch self {
    case .invalid: "EINVAL"
    case .state: "ESTATE"
    case .timedOut: "ETIMEDOUT"
    case .denied: "EDENIED"
    case .notFound: "ENOTFOUND"
    case .full: "EFULL"
    case .busy: "EBUSY"
    case .tooBig: "ETOOBIG"
    case .network: "ENETWORK"
    case .protocolError: "EPROTOCOL"
    case .version: "EVERSION"
    case .authentication: "EAUTH"
    case .cancelled: "ECANCELED"
    case .file: "EIO"
    }
  }
}

extension CoordinationStatus {
  var code: Failure.Code {
    switch self {
    case .state: .state
    case .denied: .denied
    case .notFound: .notFound
    case .timedOut: .timedOut
    case .full: .full
    case .busy: .busy
    }
  }
}
