import CUnisono
import UnisonoBase
import UnisonoCoordination
import UnisonoRuntime

/// State of a session for readers, as of the last turn of the loop.
struct SessionSnapshot {
  var state = SessionState()
  var view = CoordinationView()
  var speakers: Set<ParticipantID> = []
  /// Those that the host may answer.
  var requests: [(asker: ParticipantID, number: UInt64, item: ItemID)] = []
  var invite: Result<String, Failure> = .success("")
  var audience = AudienceNews()
  /// nil: no audience is open, or this participant is no host.
  var audienceLink: String?
  /// Who may be invited out of the audience.
  var askingListeners: [ParticipantID] = []
  var statistics = unisono_session_statistics()
}

extension SessionState {
  var statusNumber: unisono_session_state {
    unisono_session_state(rawValue: status.rawValue) ?? .UNISONO_SESSION_WAITING
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
    case .closed: .UNISONO_EDENIED
    }
  }
}
