import CUnisono
import UnisonoBase
import UnisonoReplica

extension Payload {
  /// SESSION_SUCCESSION.
  static func succession(_ origin: EventOrigin, _ change: SuccessionChange) -> Payload {
    Payload { _ in
      unisono_succession_event(
        base: origin.head(.UNISONO_EVENT_SESSION_SUCCESSION, of: unisono_succession_event.self),
        deputy: unisono_participant_id(change.deputy),
        status: unisono_succession_status(rawValue: change.status.rawValue) ?? .UNISONO_SUCCESSION_ENDED,
        named: change.isNamed ? 1 : 0)
    }
  }

  /// SESSION_REQUEST.
  static func request(_ origin: EventOrigin, _ news: CommandRequestNews) -> Payload {
    Payload { arena in
      unisono_request_event(
        base: origin.head(.UNISONO_EVENT_SESSION_REQUEST, of: unisono_request_event.self), number: news.number,
        asker: unisono_participant_id(news.asker), answerer: unisono_participant_id(news.answerer),
        status: unisono_request_status(rawValue: news.status.rawValue) ?? .UNISONO_REQUEST_UNANSWERED,
        kind: unisono_request_kind(rawValue: Int32(news.request.kind.rawValue)) ?? .UNISONO_REQUEST_PAUSE,
        item_time: news.request.itemTime, item: arena.text(news.request.item.utf8),
        text: arena.visible(news.request.text))
    }
  }
}

extension SuccessionTerms.Rule {
  var number: unisono_succession {
    switch self {
    case .nobody: .UNISONO_SUCCESSION_NOBODY
    case .named: .UNISONO_SUCCESSION_NAMED
    case .bySeniority: .UNISONO_SUCCESSION_BY_SENIORITY
    }
  }
}

extension SuccessionTerms {
  /// What a host says of deputies, checked. `delay`: ns, 0: the usual one.
  init(
    _ succession: unisono_succession, deputies: [ParticipantID] = [], delay: Int64, _ name: StaticString
  ) throws(Failure) {
    let rule: Rule
    switch succession {
    case .UNISONO_SUCCESSION_DEFAULT: rule = deputies.isEmpty ? .bySeniority : .named
    case .UNISONO_SUCCESSION_BY_SENIORITY where deputies.isEmpty: rule = .bySeniority
    case .UNISONO_SUCCESSION_NOBODY where deputies.isEmpty: rule = .nobody
    case .UNISONO_SUCCESSION_NAMED where !deputies.isEmpty: rule = .named
    default:
      throw Failure(
        .UNISONO_EINVAL,
        "\(name) is \(succession.rawValue); give UNISONO_SUCCESSION_NAMED with deputies, and _BY_SENIORITY or _NOBODY without")
    }
    guard delay == 0 || (Self.leastPatience...Self.greatestPatience).contains(delay) else {
      throw Failure(.UNISONO_EINVAL, "the delay of the succession is \(delay) ns; give 5 s...1 h, or 0 for 30 s")
    }
    // Levels tell whole milliseconds.
    let patience = delay == 0 ? Self.usualPatience : delay / .milliseconds(1) * .milliseconds(1)
    self.init(rule: rule, deputies: deputies, patience: patience)
  }
}
