import CUnisono

/// What was refused or went wrong: which kind of thing, and a sentence for people.
public struct UnisonoError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A kind of error; newer libraries know more of them, so a `switch` needs a `default`.
  public struct Status: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }

    public static let ok = Status(.UNISONO_OK)
    public static let invalidArgument = Status(.UNISONO_EINVAL)
    public static let outOfMemory = Status(.UNISONO_ENOMEM)
    /// The object, or its context, is closed.
    public static let closed = Status(.UNISONO_ECLOSED)
    /// Not now: the call says which state it needs.
    public static let wrongState = Status(.UNISONO_ESTATE)
    public static let timedOut = Status(.UNISONO_ETIMEDOUT)
    public static let network = Status(.UNISONO_ENETWORK)
    public static let protocolViolation = Status(.UNISONO_EPROTOCOL)
    public static let version = Status(.UNISONO_EVERSION)
    public static let authentication = Status(.UNISONO_EAUTH)
    /// This participant may not.
    public static let denied = Status(.UNISONO_EDENIED)
    public static let full = Status(.UNISONO_EFULL)
    public static let tooBig = Status(.UNISONO_ETOOBIG)
    public static let notFound = Status(.UNISONO_ENOTFOUND)
    public static let busy = Status(.UNISONO_EBUSY)
    public static let canceled = Status(.UNISONO_ECANCELED)
    /// Also what a command fails with when the delegate throws an error of its own.
    public static let `internal` = Status(.UNISONO_EINTERNAL)
    public static let notSupported = Status(.UNISONO_ENOTSUP)
    public static let inputOutput = Status(.UNISONO_EIO)
    /// Somebody ended the session for everybody.
    public static let ended = Status(.UNISONO_EENDED)

    private init(_ status: unisono_status) { rawValue = status.rawValue }

    /// Like "UNISONO_EINVAL: invalid argument".
    public var description: String { String(cString: unisono_strerror(rawValue)) }
  }

  public let status: Status
  /// One sentence: what was wrong, in which call, how to mend it.
  public let message: String

  public init(_ status: Status, _ message: String? = nil) {
    self.status = status
    self.message = message ?? status.description
  }

  public var description: String { message }
}

/// Judges what a function of the C API returned: a number >= 0 passes, with the thread's last error anything else is thrown.
@discardableResult
func check(_ returned: Int32) throws(UnisonoError) -> Int32 {
  guard returned < 0 else { return returned }
  let said = String(cString: unisono_last_error())
  throw UnisonoError(.init(rawValue: returned), said.isEmpty ? nil : said)
}

/// As `check`, for functions that audio threads may call, which set no last error.
func checkRealtime(_ returned: Int32) throws(UnisonoError) {
  guard returned < 0 else { return }
  throw UnisonoError(.init(rawValue: returned))
}
