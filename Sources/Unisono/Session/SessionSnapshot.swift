import CUnisono
import UnisonoCore
import UnisonoRuntime

/// What may be read of a session, as of the last turn of the loop.
struct SessionSnapshot {
  var state = SessionState()
  var view = CoordinationView()
  var speakers: Set<ParticipantID> = []
  var invite: Result<String, Failure> = .success("")
  var statistics = unisono_session_statistics()
}

extension SessionState {
  var statusNumber: unisono_session_status {
    unisono_session_status(rawValue: status.rawValue) ?? .UNISONO_SESSION_WAITING
  }
  var connectionNumber: unisono_connection {
    unisono_connection(rawValue: connection.rawValue) ?? .UNISONO_CONNECTION_NONE
  }
}

extension SessionReason {
  var number: unisono_status {
    switch self {
    case .none, .left: .UNISONO_OK
    case .ended: .UNISONO_EENDED
    case .network: .UNISONO_ENETWORK
    case .authentication: .UNISONO_EAUTH
    case .version: .UNISONO_EVERSION
    case .full: .UNISONO_EFULL
    case .duplicateKey: .UNISONO_EBUSY
    case .removed: .UNISONO_EDENIED
    case .protocolError: .UNISONO_EPROTOCOL
    case .nobodyThere: .UNISONO_ENOTFOUND
    }
  }
}
